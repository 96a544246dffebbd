//! Every unit once, whatever dies: workers that fall silent, and the database killed under load.

use std::collections::BTreeMap;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fleet::store::work::WorkTuning;
use kit::Interrupt;
use queue::{Broker, Chunk, Job, Jobs, RetryPolicy, Second, Unit, UnitResult};

use super::bench::{Lab, immediate};
use crate::common::{Server, pause};

const KIND: &str = "crash/1";

#[test]
fn a_killed_database_loses_nothing_and_doubles_nothing() {
    let tuning = WorkTuning {
        jobs_for: Duration::from_millis(50),
        ..immediate()
    };
    let crashes = testkit::scale(1, 4);
    let all = crashes * 450;
    let lab = Lab::on(Server::safe(), tuning, 10);
    let unit = |key| Unit {
        key,
        body: String::new(),
    };
    let chunk = |first: u64| Chunk {
        units: (first..first + 3).map(unit).collect(),
    };
    for (id, second) in [("compared", Second::Compare), ("games", Second::Ignore)] {
        let job = Job {
            id: id.into(),
            kind: KIND.into(),
            body: String::new(),
            units: all,
            second,
            again_every: None,
        };
        lab.put(&job, &mut (0..all).step_by(3).map(chunk))
            .expect("a new job");
    }
    let names: Vec<String> = (0..8).map(|worker| format!("worker {worker}")).collect();
    for (owner, name) in (0..).zip(&names) {
        lab.enlist(name, 1 + owner % 2);
    }
    let leases = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for (worker, name) in names.iter().enumerate() {
            // Two of them die: three that fall silent over a chunk flag its job.
            let (lab, leases, is_mortal) = (&lab, &leases, worker < 2);
            scope.spawn(move || work(lab, name, is_mortal, leases));
        }
        for crash in 1..=crashes {
            // In the middle of the work, at a time that nobody chose.
            while leases.load(Ordering::Relaxed) < crash * 130 {
                pause(5);
            }
            let mut own = lab.own.lock().unwrap_or_else(PoisonError::into_inner);
            own.server().crash_and_restart();
        }
    });
    for job in ["compared", "games"] {
        let results = lab.results(job, 0, u32::MAX).expect("a job");
        let by_key: BTreeMap<u64, &str> = results
            .iter()
            .map(|result| (result.key, &*result.value))
            .collect();
        assert_eq!(
            (results.len() as u64, by_key.len() as u64),
            (all, all),
            "{job}"
        );
        assert!(
            by_key.iter().all(|(key, value)| **value == key.to_string()),
            "{job}"
        );
        let progress = lab.progress(job).expect("a job");
        assert_eq!((progress.done, progress.alarms), (all, 0), "{job}");
        super::liars::check_counters(&lab, job);
    }
}

/// Works until both jobs are complete. One lease in three of a mortal worker is dropped.
fn work(lab: &Lab, name: &str, is_mortal: bool, leases: &AtomicU64) {
    let interrupt = Interrupt::default();
    let retry = RetryPolicy {
        most: Duration::from_mins(5),
        interrupt: &interrupt,
        report: &|_| (),
    };
    let is_over = || {
        ["compared", "games"].iter().all(|job| {
            let progress = retry.ask(|| lab.progress(job));
            progress.expect("the database comes back").is_complete()
        })
    };
    while !is_over() {
        let nth = leases.fetch_add(1, Ordering::Relaxed);
        let is_dead = is_mortal && nth % 3 == 2;
        let visibility = Duration::from_millis(if is_dead { 1 } else { 60_000 });
        let lease = retry.ask(|| lab.lease(name, &[KIND], visibility));
        let Some(lease) = lease.expect("the database comes back") else {
            pause(5);
            continue;
        };
        if is_dead {
            continue;
        }
        let result = |unit: &Unit| UnitResult {
            key: unit.key,
            value: unit.key.to_string(),
        };
        let results: Vec<UnitResult> = lease.units.iter().map(result).collect();
        let cut = usize::from(nth.is_multiple_of(4));
        for part in [&results[..cut], &results[cut..]] {
            let completed = retry.ask(|| lab.complete(&lease, part));
            completed.expect("the database comes back");
        }
    }
}
