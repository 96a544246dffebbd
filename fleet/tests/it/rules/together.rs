//! Many at once.

use std::collections::BTreeMap;
use std::time::Duration;

use fleet::Broker;

use super::{LONG, Names, put, right, twice};

const UNITS: u64 = 600;

/// Threads work, each at times as if it had died, while one reads results as they come.
pub(crate) fn threads_together(broker: &dyn Broker) {
    let names = Names("threads_together");
    let job = twice(names.new_job(UNITS), 5);
    put(broker, &job, 6);
    let workers = ["a", "b", "c", "d"].map(|name| names.worker(broker, name));
    let mut seen = BTreeMap::new();
    std::thread::scope(|scope| {
        for worker in &workers {
            scope.spawn(|| work(broker, worker, &names));
        }
        let mut after = 0;
        loop {
            let is_complete = broker.progress(&job.id).expect("a job").is_complete();
            for result in broker.results(&job.id, after, 50).expect("a job") {
                after = result.number;
                let twice = seen.insert(result.key, result.value);
                assert_eq!(twice, None, "unit {}", result.key);
            }
            if is_complete && broker.results(&job.id, after, 1).expect("a job").is_empty() {
                break;
            }
        }
    });
    assert_eq!(seen.len() as u64, UNITS);
    assert!(
        seen.iter()
            .all(|(key, value)| *value == format!("right {key}"))
    );
    let progress = broker.progress(&job.id).expect("a job");
    assert!(progress.compared >= progress.to_compare);
    assert_eq!((progress.to_compare, progress.alarms), (120, 0));
}

fn is_over(broker: &dyn Broker, names: &Names) -> bool {
    let progress = broker.progress(&names.job(1)).expect("a job");
    progress.is_complete() && progress.compared >= progress.to_compare
}

fn work(broker: &dyn Broker, worker: &str, names: &Names) {
    let kind = names.kind();
    let mut lives = 0_u32;
    while !is_over(broker, names) {
        lives += 1;
        let visibility = if lives.is_multiple_of(7) {
            Duration::ZERO
        } else {
            LONG
        };
        let Some(held) = broker.lease(worker, &[&kind], visibility).expect("known") else {
            continue;
        };
        match lives % 5 {
            0 => broker.give_back(&held).expect("asked"),
            1 => {
                let all = right(&held);
                broker.complete(&held, &all[..2]).expect("a part");
                broker.complete(&held, &all[2..]).expect("the rest");
            }
            _ => drop(broker.complete(&held, &right(&held)).expect("known")),
        }
    }
}
