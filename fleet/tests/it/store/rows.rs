//! How many rows a call reads, with many old results, jobs, workers and waiting checks, and without
//! statistics: a small number, that does not grow. Counted are entries of indexes, dead ones too, and rows of tables read as a whole.

use std::time::Duration;

use fleet::store::work::WorkTuning;
use queue::{Broker, Chunk, Job, Jobs, Second, Unit, UnitResult};

use super::bench::{Lab, immediate};
use crate::common::{Server, pause};

const KIND: &str = "rows/1";
/// Pairs of calls that are counted at once.
const CALLS: u64 = 100;
/// Rows for a lease and its results: of a chunk of five units some thirty are its own, and a look for
/// checks reads 64 messages at most, with their chunks, and puts them behind the others.
const MOST: u64 = 400;
/// Jobs that are done, and jobs that others work on.
const FINISHED: u64 = 1_000;
const RUNNING: u64 = 50;
/// Chunks of the job that wait to be checked, by somebody else than the workers here.
const WAITING: i64 = 3_000;

/// Without autovacuum, and so without statistics.
fn fill(lab: &Lab) {
    let old = testkit::scale(4_000, 200_000);
    lab.enlist("old", 1);
    lab.sql(&format!(
        "insert into lab.jobs (id, kind, body, units, compares, owner, state, finished_at, settled_at)
            values ('old', '{KIND}', '', {old}, true, 1, 'done', now(), now());
        insert into lab.results (job, key, worker, value)
            select 1, n, 1, 'old ' || n from generate_series(0, {old} - 1) n;
        insert into lab.chunks (job, chunk, first, units, state)
            select 1, n / 10, n, 10, 1 from generate_series(0, {old} - 1, 10) n;
        insert into lab.answers (job, chunk, worker, kept, digest)
            select 1, n / 10, 1, true, 'x' from generate_series(0, {old} - 1, 10) n;
        insert into lab.workers (owner, name, hash)
            select 1, 'idle ' || n, sha256(n::text::bytea) from generate_series(1, 1000) n;
        insert into lab.jobs (id, kind, body, units, compares, owner, state, finished_at, settled_at)
            select 'finished ' || n, '{KIND}', '', 1, true, 1, 'done', now(), now()
            from generate_series(1, {FINISHED}) n;
        insert into lab.counters (job, slot, done)
            select number, slot, 1 from lab.jobs, generate_series(0, 15) slot where state = 'done'"
    ));
}

/// A job whose kind is its own.
fn put(lab: &Lab, id: &str, kind: &str, units: u64) {
    let job = Job {
        id: id.into(),
        kind: kind.into(),
        body: String::new(),
        units,
        second: Second::Compare,
        again_every: None,
    };
    let unit = |key| Unit {
        key,
        body: format!("unit {key}"),
    };
    let chunk = |first: u64| Chunk {
        units: (first..first + 5).map(unit).collect(),
    };
    lab.put(&job, &mut (0..units).step_by(5).map(chunk))
        .expect("a new job");
}

/// Rows and entries read so far, in the lab's tables and its queues.
fn rows_read(lab: &Lab) -> u64 {
    // What `psql` read is counted when its server process has ended, soon after it.
    let ends = "select count(*) from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()";
    let is_over = (0..3_000).any(|_| {
        let is_over = lab.count(ends) == 0;
        if !is_over {
            pause(10);
        }
        is_over
    });
    assert!(is_over, "others use the database");
    // The pool has one connection: its counts are reported at once.
    lab.count("select 1::bigint from (select pg_stat_force_next_flush()) f");
    lab.count("select 1::bigint");
    let read = lab.count(
        "select (coalesce((select sum(seq_tup_read) from pg_stat_user_tables
                where schemaname in ('lab', 'pgmq')), 0)
            + coalesce((select sum(idx_tup_read) from pg_stat_user_indexes
                where schemaname in ('lab', 'pgmq')), 0))::bigint",
    );
    u64::try_from(read).expect("a count")
}

#[test]
fn calls_read_few_rows_whatever_is_there() {
    let tuning = WorkTuning {
        jobs_for: Duration::from_mins(1),
        ..immediate()
    };
    let lab = Lab::on(Server::quick(), tuning, 1);
    fill(&lab);
    for number in 0..RUNNING {
        put(&lab, &format!("running {number}"), "other/1", 5);
    }
    put(&lab, "new", KIND, 20_000);
    for (name, owner) in [("a", 1), ("b", 2), ("c", 1)] {
        lab.enlist(name, owner);
    }
    lab.sql(&format!(
        "with job as (select number from lab.jobs where id = 'new'),
            checks as (update lab.chunks k set state = 2 from job
                where k.job = job.number and k.chunk >= 4000 - {WAITING} returning k.chunk),
            workers as (select array_agg(id) as ids from lab.workers where name in ('a', 'b', 'c'))
        insert into lab.leases (job, chunk, since, until, workers)
            select job.number, chunk, now(), now(), ids from job, checks, workers"
    ));
    for round in 0..4 {
        let before = rows_read(&lab);
        for call in 0..CALLS {
            // In the last round one worker is alone, and passes over the checks of its own.
            let name = if round == 3 {
                "a"
            } else {
                ["a", "b", "c"][usize::from(call % 3 > 0)]
            };
            let lease = lab.lease(name, &[KIND], Duration::from_hours(1));
            let lease = lease.expect("known").expect("work");
            let result = |unit: &Unit| UnitResult {
                key: unit.key,
                value: unit.body.clone(),
            };
            let results: Vec<UnitResult> = lease.units.iter().map(result).collect();
            lab.complete(&lease, &results).expect("right");
        }
        let each = (rows_read(&lab) - before) / CALLS;
        println!("round {round}: {each} rows for a lease and its results");
        assert!(
            each < MOST,
            "round {round}: {each} rows for a lease and its results"
        );
        assert!(each > 5, "what is counted is not what was read");
    }
    let before = rows_read(&lab);
    for _ in 0..10 {
        lab.work.jobs_changed();
        let none = lab.lease("a", &["none/1"], Duration::from_hours(1));
        assert_eq!(none.expect("known"), None);
    }
    let each = (rows_read(&lab) - before) / 10 / RUNNING;
    println!("{each} rows for each running job when all are listed");
    assert!((2..20).contains(&each), "{each} rows for each running job");
    let before = rows_read(&lab);
    for _ in 0..CALLS {
        lab.progress("new").expect("a job");
        lab.results("new", 100, 10).expect("a job");
    }
    let each = (rows_read(&lab) - before) / CALLS;
    assert!(each < 100, "{each} rows for the progress and ten results");
}
