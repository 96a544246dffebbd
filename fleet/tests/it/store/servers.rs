//! Several servers on one database: what one leases, another may hear of.

use std::num::NonZeroU64;
use std::time::Duration;

use fleet::store::Database;
use fleet::store::work::{Work, WorkError};
use queue::wire::LeaseRequest;
use queue::{Broker as _, Chunk, Job, Jobs, Second, Standing, Unit, UnitResult};

use super::bench::{Lab, immediate};

const KIND: &str = "servers/1";

/// Puts a job of so many chunks of one unit.
fn put(lab: &Lab, id: &str, units: u64, second: Second) {
    let job = Job {
        id: id.into(),
        kind: KIND.into(),
        body: "body".into(),
        units,
        second,
        again_every: None,
    };
    let body = String::new;
    let chunk = |key| Chunk {
        units: vec![Unit { key, body: body() }],
    };
    lab.put(&job, &mut (0..units).map(chunk))
        .expect("a new job");
}

/// A request by one that knows no jobs.
fn request() -> LeaseRequest {
    LeaseRequest {
        kinds: vec![KIND.into()],
        visibility_ms: 3_600_000,
        known_jobs: Vec::new(),
    }
}

#[test]
fn servers_have_no_state_of_their_own() {
    let lab = Lab::new(immediate());
    let url = lab.own.lock().expect("no panic").url();
    put(&lab, "job", 2, Second::Compare);
    let worker = lab.enlist("a", 1);
    let request = LeaseRequest {
        kinds: vec![KIND.into()],
        visibility_ms: 3_600_000,
        known_jobs: vec!["job".into()],
    };
    lab.runtime.block_on(async {
        // Four that start at the same time.
        let mut servers = Vec::new();
        for _ in 0..4 {
            servers.push(tokio::spawn(server(url.clone())));
        }
        let mut works = Vec::new();
        for server in servers {
            works.push(server.await.expect("no panic"));
        }
        let lease = works[0]
            .lease(&worker, &request)
            .await
            .expect("known")
            .expect("work");
        assert_eq!(lease.body, None, "the worker has it");
        let standing = works[1].heartbeat(&worker, &lease.token, 60_000).await;
        assert_eq!(standing.expect("asked"), Standing::Held);
        let result = UnitResult {
            key: lease.units[0].key,
            value: "1".into(),
        };
        let completed = works[2].complete(&worker, &lease.token, std::slice::from_ref(&result));
        completed.await.expect("accepted");
        let next = works[3]
            .lease(&worker, &request)
            .await
            .expect("known")
            .expect("work");
        assert_ne!(next.chunk, lease.chunk, "never the same to one worker");
        // A token of another lab, or none at all.
        let wrong = works[0]
            .complete(&worker, &lease.token.to_uppercase(), &[result])
            .await;
        assert!(matches!(wrong, Err(WorkError::NotLeased(_))), "{wrong:?}");
        works[1].stop("job", "enough").await.expect("a job");
        let standing = works[0].heartbeat(&worker, &next.token, 60_000).await;
        assert_eq!(standing.expect("asked"), Standing::Stopped("enough".into()));
        let none = works[3].lease(&worker, &request).await.expect("known");
        assert_eq!(none.map(|lease| lease.chunk), None);
    });
    assert_eq!(lab.progress("job").expect("a job").done, 1);
}

async fn server(url: String) -> Work {
    let database = Database::open(&url, 2).await.expect("a database");
    Work::with(database, immediate()).await.expect("a queue")
}

#[test]
fn a_new_database_is_set_up_once() {
    let lab = Lab::new(immediate());
    let other = format!("{}_other", lab.own.lock().expect("no panic").name());
    lab.sql(&format!("create database {other}"));
    let url = lab.own.lock().expect("no panic").url_of(&other);
    lab.runtime.block_on(async {
        let servers = (0..4)
            .map(|_| tokio::spawn(server(url.clone())))
            .collect::<Vec<_>>();
        for server in servers {
            let work = server.await.expect("no panic");
            assert_eq!(work.jobs().await.expect("all jobs"), []);
        }
    });
}

/// Whatever is in it, of a development version before the first release or of a later program.
#[test]
fn a_database_of_another_version_is_left_alone() {
    let lab = Lab::new(immediate());
    let url = lab.own.lock().expect("no panic").url();
    let tables = "select string_agg(relname, ',' order by relname) from pg_class where relnamespace = 'lab'::regnamespace";
    let before = lab.sql(tables);
    for (version, expected) in [
        (
            "version - 9",
            "has version 1 of the schema, of a development version of fleet",
        ),
        (
            "version - 9",
            "give a new database, or with --data a new folder",
        ),
        ("version + 90", "use a newer program"),
    ] {
        lab.sql(&format!("update _sqlx_migrations set version = {version}"));
        let opened = lab.runtime.block_on(Database::open(&url, 2));
        let error = opened.expect_err("another version").to_string();
        assert!(error.contains(expected), "{error}");
        assert_eq!(lab.sql(tables), before);
        lab.sql("update _sqlx_migrations set version = 9 + row_number from
            (select version v, row_number() over (order by version) from _sqlx_migrations) n where v = version");
    }
    assert!(lab.runtime.block_on(Database::open(&url, 2)).is_ok());
}

/// As the guide and `compose.yaml` have it: the schema `lab` comes first in the search path of this role.
#[test]
fn role_database_and_schema_may_have_one_name() {
    let lab = Lab::new(immediate());
    lab.sql("create role lab login password 'secret'");
    lab.sql("create database lab owner lab");
    let url = lab.own.lock().expect("no panic").url_of("lab");
    let (_, server_and_database) = url.split_once('@').expect("a user");
    let url = format!("postgres://lab:secret@{server_and_database}");
    for start in ["first", "second", "third"] {
        let opened = lab.runtime.block_on(Database::open(&url, 2));
        assert!(opened.is_ok(), "{start}: {:?}", opened.err());
    }
}

#[test]
fn long_bodies_are_leased_but_not_listed() {
    let lab = Lab::new(immediate());
    for (id, length) in [("longest", 65_536), ("longer", 65_537)] {
        let job = Job {
            id: id.into(),
            kind: format!("{id}/1"),
            body: "x".repeat(length),
            units: 1,
            second: Second::Compare,
            again_every: None,
        };
        let (key, body) = (0, String::new());
        let units = vec![Unit { key, body }];
        lab.put(&job, &mut [Chunk { units }].into_iter())
            .expect("a new job");
        let worker = lab.enlist(id, 1);
        let request = LeaseRequest {
            kinds: vec![job.kind],
            visibility_ms: 3_600_000,
            known_jobs: Vec::new(),
        };
        let lease = lab.runtime.block_on(lab.work.lease(&worker, &request));
        let body = lease.expect("known").expect("work").body;
        assert_eq!(body, Some(job.body));
    }
    let jobs = lab.jobs().expect("all jobs");
    let lengths: Vec<_> = jobs.iter().map(|state| state.job.body.len()).collect();
    assert_eq!(lengths, [65_536, 0]);
}

/// Three machines of one author say that they cannot do somebody's test.
#[test]
fn one_owner_alone_does_not_stop_the_tests_of_others() {
    let lab = Lab::new(immediate());
    put(&lab, "job", 1, Second::Compare);
    let request = request();
    let cannot = |name: &str, owner| {
        let worker = lab.enlist(name, owner);
        lab.sql("update lab.workers set seen_at = clock_timestamp()");
        lab.runtime.block_on(async {
            let lease = lab.work.lease(&worker, &request).await.expect("known");
            let token = lease.expect("work").token;
            let back = lab.work.give_back(&worker, &token, Some("I will not"));
            back.await.expect("a reason is accepted");
        });
        lab.sql("select state from lab.jobs")
    };
    lab.enlist("honest", 2);
    for name in ["a", "b", "c", "d"] {
        assert_eq!(cannot(name, 1), "running", "{name}");
        let expected = format!("worker {name} cannot do it: I will not");
        assert_eq!(lab.sql("select reason from lab.jobs"), expected);
    }
    assert_eq!(cannot("honest", 2), "flagged");
    assert_eq!(lab.sql("select reason from lab.jobs"), "I will not");
}

/// In a small lab nobody waits for a third machine.
#[test]
fn what_no_machine_can_do_is_flagged() {
    let lab = Lab::new(immediate());
    for (id, others) in [("alone", false), ("with-others", true)] {
        put(&lab, id, 1, Second::Compare);
        let worker = lab.enlist(&format!("{id}-worker"), 1);
        lab.sql("update lab.workers set seen_at = clock_timestamp() - interval '1 hour'");
        if others {
            lab.enlist("other", 1);
            lab.sql("update lab.workers set seen_at = clock_timestamp() where name = 'other'");
        }
        let request = request();
        lab.runtime.block_on(async {
            let lease = lab.work.lease(&worker, &request).await.expect("known");
            let token = lease.expect("work").token;
            let back = lab.work.give_back(&worker, &token, Some("no compiler"));
            back.await.expect("a reason is accepted");
        });
        let sql = format!("select state || ': ' || reason from lab.jobs where id = '{id}'");
        let expected = if others {
            "running: worker with-others-worker cannot do it: no compiler"
        } else {
            "flagged: no compiler"
        };
        assert_eq!(lab.sql(&sql), expected);
    }
}

/// A late worker has done the whole chunk, and the part of the one that has it now is forgotten.
#[test]
fn who_cannot_finish_a_chunk_any_more_keeps_nobody_waiting() {
    let lab = Lab::new(immediate());
    let job = Job {
        id: "job".into(),
        kind: KIND.into(),
        body: String::new(),
        units: 3,
        second: Second::Compare,
        again_every: NonZeroU64::new(1),
    };
    let body = String::new;
    let unit = |key| Unit { key, body: body() };
    let units = (0..3).map(unit).collect();
    lab.put(&job, &mut [Chunk { units }].into_iter())
        .expect("a new job");
    for name in ["late", "next", "third"] {
        lab.enlist(name, 1);
    }
    let hour = Duration::from_hours(1);
    let lease = |name, time| lab.lease(name, &[KIND], time).expect("known");
    let result = |key| UnitResult {
        key,
        value: "1".into(),
    };
    let all = [0, 1, 2].map(result);
    let late = lease("late", Duration::ZERO).expect("work");
    let next = lease("next", hour).expect("work");
    lab.complete(&next, &all[..1]).expect("possible");
    let before = lab.results("job", 0, 9).expect("a job");
    // A call whose answer was lost is made again.
    for _ in 0..2 {
        lab.complete(&late, &all).expect("possible");
    }
    let standing = lab.heartbeat(&next, hour).expect("asked");
    assert_eq!(standing, Standing::Lost);
    // Who has read the first result, which is the same, does not read it again.
    let after = lab.results("job", 0, 9).expect("a job");
    assert_eq!((before.len(), after.len()), (1, 3));
    assert_eq!(before[0].number, after[0].number);
    assert!(after.iter().all(|result| result.worker == "late"));
    let check = lease("third", hour).expect("it is checked");
    lab.complete(&check, &all).expect("possible");
    assert_eq!(lab.progress("job").expect("a job").compared, 3);
    super::liars::check_counters(&lab, "job");
}

/// Verdicts are made of the pairs before the first that is missing.
#[test]
fn what_is_done_anew_comes_first() {
    let lab = Lab::new(immediate());
    put(&lab, "job", 3, Second::Ignore);
    for name in ["liar", "honest"] {
        lab.enlist(name, 1);
    }
    let lease = |name| {
        let leased = lab.lease(name, &[KIND], Duration::from_hours(1));
        leased.expect("known").expect("work")
    };
    let first = lease("liar");
    assert_eq!(first.chunk, 0);
    let result = UnitResult {
        key: 0,
        value: "1".to_owned(),
    };
    lab.complete(&first, &[result]).expect("possible");
    lab.discard("job", "liar").expect("known");
    assert_eq!(lease("honest").chunk, 0);
}
