//! Heartbeats of many workers that come at the same time, and leases that are counted.

use std::time::Duration;

use fleet::store::work::{Work, WorkTuning};
use queue::wire::LeaseRequest;
use queue::{Broker, Chunk, Job, Jobs, Second, Standing, Unit, UnitResult};
use tokio::task::JoinSet;

use super::bench::{Lab, immediate};

const WORKERS: usize = 90;

/// A job of so many chunks, whose kind is its name.
fn put(lab: &Lab, id: &str, chunks: u64) {
    let job = Job {
        id: id.into(),
        kind: format!("{id}/1"),
        body: String::new(),
        units: chunks,
        second: Second::Ignore,
        again_every: None,
    };
    let body = String::new;
    let chunk = |key| Chunk {
        units: vec![Unit { key, body: body() }],
    };
    lab.put(&job, &mut (0..chunks).map(chunk))
        .expect("a new job");
}

#[test]
fn each_of_many_heartbeats_has_its_own_answer() {
    let lab = Lab::new(immediate());
    let hour = Duration::from_hours(1);
    for id in ["runs", "stopped", "removed"] {
        put(&lab, id, WORKERS as u64 / 3 + 10);
    }
    let mut leases = Vec::new();
    for worker in 0..WORKERS {
        let name = format!("worker {worker}");
        lab.enlist(&name, 1);
        let kind = ["runs/1", "stopped/1", "removed/1"][worker % 3];
        let lease = lab.lease(&name, &[kind], hour).expect("known");
        leases.push(lease.expect("work"));
    }
    lab.stop("stopped", "enough").expect("a job");
    lab.runtime
        .block_on(lab.work.remove("removed"))
        .expect("a job");
    let mut expected = Vec::new();
    for (number, lease) in leases.iter().enumerate() {
        expected.push(match number % 9 {
            0 => {
                let (key, value) = (lease.units[0].key, String::new());
                lab.complete(lease, &[UnitResult { key, value }])
                    .expect("right");
                Standing::Lost
            }
            3 => {
                lab.heartbeat(lease, Duration::ZERO).expect("asked");
                Standing::Lost
            }
            6 => Standing::Held,
            1 | 4 | 7 => Standing::Stopped("enough".into()),
            _ => Standing::Lost,
        });
    }
    // Twice: who is held stays held.
    for _ in 0..2 {
        let mut asked = JoinSet::new();
        for (number, lease) in leases.iter().enumerate() {
            let worker = lab.identity(&lease.worker).expect("known");
            let (work, token) = (lab.work.clone(), lease.token.clone());
            let beat = async move { (number, work.heartbeat(&worker, &token, 60_000).await) };
            asked.spawn_on(beat, lab.runtime.handle());
        }
        let answers = lab.runtime.block_on(asked.join_all());
        for (number, standing) in answers {
            assert_eq!(standing.expect("asked"), expected[number], "{number}");
        }
    }
    let renewed =
        "select count(*) from lab.leases where job = 1 and until > now() + interval '1 minute'";
    assert_eq!(lab.sql(renewed), "0", "all have another time now");
    let held = "select (select count(*) from lab.leases where job = 1 and until > now()),
        queue_length - queue_visible_length from pgmq.metrics('lab_1')";
    assert_eq!(
        lab.sql(held),
        "10|10",
        "messages are hidden as long as leases last"
    );
}

#[test]
fn the_time_of_a_lease_counts_once_for_each_of_its_cores() {
    let lab = Lab::new(immediate());
    put(&lab, "runs", 2);
    lab.enlist("one", 1);
    lab.sql("update lab.jobs set needs = '{\"cores\": 4}'");
    lab.sql("update lab.workers set abilities = '{\"cores\": 8}'");
    let leased = lab.lease("one", &["runs/1"], Duration::from_hours(1));
    let lease = leased.expect("known").expect("work");
    std::thread::sleep(Duration::from_millis(50));
    let (key, value) = (lease.units[0].key, String::new());
    let results = [UnitResult { key, value }];
    lab.complete(&lease, &results).expect("right");
    let core_ms = || lab.count("select core_ms from lab.records");
    let counted = core_ms();
    // The database's clock is another one.
    assert!(counted >= 4 * 40 && counted % 4 == 0, "{counted}");
    // A call whose answer was lost is made again.
    lab.complete(&lease, &results).expect("right");
    assert_eq!(core_ms(), counted);
}

#[test]
fn leases_of_an_owner_are_limited_by_all_servers_together() {
    let tuning = WorkTuning {
        leases_per_owner: Some(3),
        ..immediate()
    };
    let lab = Lab::new(tuning);
    put(&lab, "job", 10);
    let worker = lab.enlist("a", 1);
    let request = LeaseRequest {
        kinds: vec!["job/1".into()],
        visibility_ms: 3_600_000,
        known_jobs: Vec::new(),
    };
    lab.runtime.block_on(async {
        let other = Work::with(lab.database.clone(), tuning).await;
        let servers = [&lab.work, &other.expect("a queue")];
        let mut last = None;
        for server in [0, 1, 0] {
            last = servers[server]
                .lease(&worker, &request)
                .await
                .expect("known");
            assert!(last.is_some());
        }
        for server in servers {
            assert_eq!(server.lease(&worker, &request).await.expect("known"), None);
        }
        let token = last.expect("the third").token;
        let back = servers[1].give_back(&worker, &token, None).await;
        back.expect("asked");
        let next = servers[0].lease(&worker, &request).await.expect("known");
        assert!(next.is_some());
    });
}
