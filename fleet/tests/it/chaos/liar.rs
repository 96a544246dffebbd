//! Workers that lie, each with a plan: honest work whose results are changed before they are sent.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kit::Interrupt;
use perft::task::CountTask;
use queue::work::{CannotRun, Submit, Task, Timing, WorkerLoop};
use queue::{Lease, RetryPolicy, UnitResult, Worker};

/// When a worker lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// About one of a hundred units.
    Sometimes,
    /// About units that it takes for unchecked: after it was honest for long, those of chunks that
    /// it sees for the first time.
    Unchecked,
    /// About the same tenth of units as its friend, with the same value.
    Together,
}

struct Liar {
    honest: CountTask,
    plan: Plan,
    /// The chunks that it has had.
    seen: Mutex<BTreeSet<u64>>,
    lies: AtomicU64,
}

impl Liar {
    fn lies(&self, unit: u64, chunk: u64) -> bool {
        // The same for each liar, and spread over all units.
        let drawn = unit.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        match self.plan {
            Plan::Sometimes => drawn.is_multiple_of(100),
            Plan::Together => drawn.is_multiple_of(10),
            Plan::Unchecked => {
                let seen = self.seen.lock().expect("nobody panics");
                seen.len() > 8 && !seen.contains(&chunk) && drawn.is_multiple_of(4)
            }
        }
    }
}

impl Task for Liar {
    fn kinds(&self) -> Vec<&'static str> {
        self.honest.kinds()
    }

    fn work(
        &self,
        lane: usize,
        lease: &Lease,
        stop: &Arc<AtomicBool>,
        submit: Submit<'_>,
    ) -> Result<(), CannotRun> {
        let changed = |results: &[UnitResult]| {
            let lie = |result: &UnitResult| {
                let count: u64 = result.value.parse().expect("a count");
                let is_lie = self.lies(result.key, lease.chunk);
                self.lies.fetch_add(u64::from(is_lie), Ordering::Relaxed);
                UnitResult {
                    key: result.key,
                    value: (count + u64::from(is_lie)).to_string(),
                }
            };
            submit(&results.iter().map(lie).collect::<Vec<_>>());
        };
        let worked = self.honest.work(lane, lease, stop, &changed);
        self.seen.lock().expect("nobody panics").insert(lease.chunk);
        worked
    }
}

/// Works by a plan until it is quarantined or asked to end. Returns the number of its lies.
pub(crate) fn work(url: &str, token: &str, name: &str, plan: Plan, interrupt: &Interrupt) -> u64 {
    let client = queue::connect(url, token).expect("a good URL");
    let liar = Liar {
        honest: CountTask::new(None, 1).expect("any CPU counts"),
        plan,
        seen: Mutex::default(),
        lies: AtomicU64::new(0),
    };
    let workplace = WorkerLoop {
        broker: &client,
        worker: &Worker {
            name: name.to_owned(),
            about: String::new(),
        },
        tasks: &[&liar],
        lanes: 1,
        pace: Timing {
            visibility: Duration::from_secs(3),
            poll: Duration::from_millis(100),
            idle_exit: None,
        },
        retry: RetryPolicy {
            most: Duration::from_mins(5),
            interrupt,
            report: &|_| {},
        },
    };
    // In the end it is quarantined, or the test is over.
    let _ = workplace.run();
    liar.lies.load(Ordering::Relaxed)
}
