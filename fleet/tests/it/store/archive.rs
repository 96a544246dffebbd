//! What becomes of finished jobs.

use std::time::Duration;

use fleet::store::work::{Retention, Work, WorkTuning};
use queue::{Broker, BrokerError, Chunk, Job, Jobs, Recorded, Second, Unit, UnitResult};

use super::bench::{Lab, immediate};

const KIND: &str = "archive/1";

fn put(lab: &Lab, id: &str, units: u64) -> Job {
    let job = Job {
        id: id.into(),
        kind: KIND.into(),
        body: String::new(),
        units,
        second: Second::Ignore,
        again_every: None,
    };
    let body = String::new;
    let unit = |key| Unit { key, body: body() };
    let chunk = |first: u64| Chunk {
        units: (first..units.min(first + 100)).map(unit).collect(),
    };
    lab.put(&job, &mut (0..units).step_by(100).map(chunk))
        .expect("a new job");
    job
}

fn work(lab: &Lab, most: u64) {
    for _ in 0..most {
        let lease = lab.lease("a", &[KIND], Duration::from_hours(1));
        let Some(lease) = lease.expect("known") else {
            return;
        };
        let result = |unit: &Unit| UnitResult {
            key: unit.key,
            value: format!("game {} \"♜\"", unit.key),
        };
        let results: Vec<UnitResult> = lease.units.iter().map(result).collect();
        lab.complete(&lease, &results).expect("right");
    }
}

/// All results, read in parts of this size.
fn read(lab: &Lab, job: &str, limit: u32) -> Vec<Recorded> {
    let mut all: Vec<Recorded> = Vec::new();
    loop {
        let after = all.last().map_or(0, |last| last.number);
        let next = lab.results(job, after, limit).expect("a job");
        if next.is_empty() {
            return all;
        }
        all.extend(next);
    }
}

#[test]
fn an_archive_has_the_same_results_in_less_room() {
    let lab = Lab::new(immediate());
    lab.enlist("a", 1);
    // More than two parts of an archive.
    let job = put(&lab, "job", 21_000);
    let archive = || {
        lab.runtime
            .block_on(lab.work.archive(&job.id))
            .expect("a job")
    };
    work(&lab, 5);
    assert!(!archive(), "it is not finished");
    work(&lab, u64::MAX);
    assert_eq!(lab.sql("select state from lab.jobs"), "done");
    let before = read(&lab, "job", 700);
    assert_eq!(before.len(), 21_000);
    let progress = lab.progress("job").expect("a job");
    assert!(archive());
    assert!(!archive(), "it is archived already");
    assert_eq!(read(&lab, "job", 700), before);
    assert_eq!(read(&lab, "job", 21_000), before);
    assert_eq!(lab.progress("job").expect("a job"), progress);
    for table in ["results", "chunks", "answers"] {
        assert_eq!(
            lab.sql(&format!("select count(*) from lab.{table}")),
            "0",
            "{table}"
        );
    }
    assert_eq!(
        lab.sql("select count(*) from pgmq.meta"),
        "0",
        "its queues are dropped"
    );
    let size = lab.sql("select sum(pg_column_size(results)) < 21000 * 20 from lab.archives");
    assert_eq!(size, "t", "they are compressed");
}

#[test]
fn older_entries_and_results_are_kept_as_long_as_configured() {
    let lab = Lab::new(immediate());
    lab.enlist("a", 1);
    for id in ["old", "young", "running"] {
        put(&lab, id, 100);
    }
    work(&lab, 3);
    lab.sql(
        "update lab.jobs set finished_at = now() - interval '11 days' where id = 'old';
        update lab.jobs set state = 'running', finished_at = null where id = 'running';
        insert into lab.audit (at, action) values (now() - interval '31 days', 'old'), (now(), 'young')",
    );
    let upkeep = |audit_days, archive_after_days| {
        let retention = Retention {
            audit_days,
            archive_after_days,
        };
        let tuning = WorkTuning {
            retention,
            ..immediate()
        };
        lab.runtime.block_on(async {
            let work = Work::with(lab.database.clone(), tuning).await;
            let done = work.expect("a queue").upkeep().await;
            done.expect("the database is there");
        });
        lab.sql(
            "select (select string_agg(action, ',' order by id) from lab.audit),
                (select string_agg(id, ',' order by id) from lab.jobs where archived_at is not null)",
        )
    };
    assert_eq!(upkeep(0, 0), "old,young|");
    assert_eq!(upkeep(32, 12), "old,young|");
    assert_eq!(upkeep(30, 10), "young|old");
    assert_eq!(read(&lab, "old", 100).len(), 100);
}

#[test]
fn a_removed_job_is_gone() {
    let lab = Lab::new(immediate());
    lab.enlist("a", 1);
    let job = put(&lab, "job", 400);
    let lease = lab
        .lease("a", &[KIND], Duration::from_hours(1))
        .expect("known")
        .expect("work");
    work(&lab, 1);
    let removed = || lab.runtime.block_on(lab.work.remove("job"));
    removed().expect("a job");
    assert!(removed().is_err(), "there is none any more");
    assert!(matches!(lab.progress("job"), Err(BrokerError::NoJob(_))));
    let standing = lab
        .heartbeat(&lease, Duration::from_hours(1))
        .expect("asked");
    assert_eq!(standing, queue::Standing::Lost);
    let value = String::new();
    let key = lease.units[0].key;
    let late = lab.complete(&lease, &[UnitResult { key, value }]);
    assert!(late.is_err(), "nothing is left that it is for");
    lab.give_back(&lease, Some("too late"))
        .expect("nothing to give back");
    for table in [
        "jobs",
        "results",
        "chunks",
        "answers",
        "counters",
        "shares",
        "inabilities",
    ] {
        assert_eq!(
            lab.sql(&format!("select count(*) from lab.{table}")),
            "0",
            "{table}"
        );
    }
    assert_eq!(lab.sql("select count(*) from pgmq.meta"), "0");
    // The name is free again, and the worker goes on.
    put(&lab, "job", 100);
    work(&lab, 1);
    assert_eq!(lab.progress(&job.id).expect("a job").done, 100);
}

#[test]
fn results_can_be_discarded_and_are_done_again() {
    let lab = Lab::new(immediate());
    for (name, owner) in [("a", 1), ("b", 2)] {
        lab.enlist(name, owner);
    }
    put(&lab, "job", 500);
    work(&lab, 3);
    lab.sql("update lab.jobs set summary = '{}', summary_cursor = 7");
    assert_eq!(lab.discard("job", "b").expect("a job"), 0);
    assert_eq!(lab.sql("select summary_cursor from lab.jobs"), "7");
    assert_eq!(lab.discard("job", "a").expect("a job"), 300);
    assert_eq!(lab.discard("job", "a").expect("a job"), 0);
    assert_eq!(lab.progress("job").expect("a job").done, 0);
    assert_eq!(
        lab.sql("select summary is null, summary_cursor from lab.jobs"),
        "t|0"
    );
    work(&lab, u64::MAX);
    assert_eq!(read(&lab, "job", 90).len(), 500);
    super::liars::check_counters(&lab, "job");
}
