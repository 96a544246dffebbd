//! Several servers on one database: what one leases, another may hear of.

use fleet::store::Database;
use fleet::store::work::{Work, WorkError};
use queue::wire::LeaseRequest;
use queue::{Chunk, Job, Jobs, Second, Standing, Unit, UnitResult};

use super::bench::{Lab, immediate};

const KIND: &str = "servers/1";

#[test]
fn servers_have_no_state_of_their_own() {
    let lab = Lab::new(immediate());
    let url = lab.own.lock().expect("no panic").url();
    let job = Job {
        id: "job".into(),
        kind: KIND.into(),
        body: "body".into(),
        units: 2,
        second: Second::Compare,
        again_every: None,
    };
    let body = String::new;
    let chunk = |key| Chunk {
        units: vec![Unit { key, body: body() }],
    };
    lab.put(&job, &mut (0..2).map(chunk)).expect("a new job");
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
    let job = Job {
        id: "job".into(),
        kind: KIND.into(),
        body: "body".into(),
        units: 1,
        second: Second::Compare,
        again_every: None,
    };
    let (key, body) = (0, String::new());
    let units = vec![Unit { key, body }];
    lab.put(&job, &mut [Chunk { units }].into_iter())
        .expect("a new job");
    let request = LeaseRequest {
        kinds: vec![KIND.into()],
        visibility_ms: 3_600_000,
        known_jobs: Vec::new(),
    };
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
    }
    assert_eq!(cannot("honest", 2), "flagged");
}
