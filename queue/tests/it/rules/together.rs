//! Many at once.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{Bed, LONG, right, twice};

const UNITS: u64 = 600;

/// Threads work, each at times as if it had died, while one reads results as they come.
pub(crate) fn threads_together(bed: &Bed<'_>) {
    let job = twice(bed.new_job(UNITS), 5);
    bed.put(&job, 6);
    let workers = bed.workers(["a", "b", "c", "d"]);
    let mut seen = BTreeMap::new();
    std::thread::scope(|scope| {
        for worker in &workers {
            scope.spawn(|| work(bed, worker));
        }
        let mut after = 0;
        loop {
            let is_complete = bed.progress(&job).is_complete();
            for result in bed.broker.results(&job.id, after, 50).expect("a job") {
                after = result.number;
                let twice = seen.insert(result.key, result.value);
                assert_eq!(twice, None, "unit {}", result.key);
            }
            if is_complete
                && bed
                    .broker
                    .results(&job.id, after, 1)
                    .expect("a job")
                    .is_empty()
            {
                break;
            }
        }
    });
    assert_eq!(seen.len() as u64, UNITS);
    assert!(
        seen.iter()
            .all(|(key, value)| *value == format!("right {key}"))
    );
    let progress = bed.progress(&job);
    assert!(progress.compared >= progress.to_compare);
    // A broker may check more than the job demands.
    assert!(progress.to_compare >= UNITS / 5);
    assert_eq!(progress.alarms, 0);
}

fn is_over(bed: &Bed<'_>) -> bool {
    let progress = bed.broker.progress(&bed.job(1)).expect("a job");
    progress.is_complete() && progress.compared >= progress.to_compare
}

fn work(bed: &Bed<'_>, worker: &str) {
    let kind = bed.kind();
    let mut lives = 0_u32;
    while !is_over(bed) {
        lives += 1;
        // Two of them: three that fall silent over a chunk flag the job.
        let is_mortal = worker.ends_with("-a") || worker.ends_with("-b");
        let visibility = if is_mortal && lives.is_multiple_of(4) {
            Duration::ZERO
        } else {
            LONG
        };
        let Some(held) = bed
            .broker
            .lease(worker, &[&kind], visibility)
            .expect("known")
        else {
            continue;
        };
        match lives % 5 {
            0 => bed.broker.give_back(&held, None).expect("asked"),
            1 => {
                let all = right(&held);
                bed.complete(&held, &all[..2]);
                bed.complete(&held, &all[2..]);
            }
            _ => bed.done(&held),
        }
    }
}
