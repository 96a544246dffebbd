//! The edge that counts: workers on all cores send events down one channel to one loop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use chess::perft::{CountError, Counter};
use chess::rules::mailbox;
use crossbeam_channel::RecvTimeoutError;
use kit::{Interrupt, Progress};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use super::ledger::CountLedger;
use super::plan::{CheckPlan, SuiteCount};
use crate::count::run::TICK;
use crate::event::{SuiteCountDone, SuiteCountResult};

/// Size limit for a second opinion by the mailbox generator, about a second of work.
const ORACLE_MOST_NODES: u64 = 1_000_000;

/// Maximum number of results that wait for the loop: millions of counts may be faster than it is.
const EVENTS: usize = 1_000;

/// Makes all counts of a plan. The loop calls `each` for every event before receiving the next.
#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
pub(crate) fn check(
    plan: &CheckPlan,
    counter: Counter<'_>,
    pool: &rayon::ThreadPool,
    fail_fast: bool,
    interrupt: &Interrupt,
    progress: &Progress,
) -> CountLedger {
    let mut ledger = CountLedger::new(plan);
    let stop = AtomicBool::new(false);
    let counter = counter.cancel(&stop);
    let (events, inbox) = crossbeam_channel::bounded(EVENTS);
    std::thread::scope(|scope| {
        let (stop, counter) = (&stop, &counter);
        scope.spawn(move || {
            pool.install(|| {
                plan.largest_first()
                    .into_par_iter()
                    // Neighbours are of one size: a thread must not get all of the largest.
                    .with_max_len(1)
                    .for_each(|index| {
                        let index = index as usize;
                        let start = Instant::now();
                        if let Some(result) = check_count(plan.count(index), counter, stop) {
                            let time = start.elapsed();
                            let sent = events.send(SuiteCountDone {
                                index,
                                result,
                                time,
                            });
                            sent.expect("the loop listens until the last worker has gone");
                        }
                    });
            });
        });
        loop {
            match inbox.recv_timeout(TICK) {
                Ok(event) => {
                    progress.advance(plan.count(event.index).expected);
                    if fail_fast && event.result != SuiteCountResult::Agrees {
                        stop.store(true, Ordering::Relaxed);
                    }
                    ledger.record(event);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if interrupt.has_come() {
                ledger.interrupted = true;
                stop.store(true, Ordering::Relaxed);
            }
        }
    });
    ledger
}

/// Makes one count of a suite; `None` if the run was cancelled first.
fn check_count(
    count: SuiteCount<'_>,
    counter: &Counter<'_>,
    stop: &AtomicBool,
) -> Option<SuiteCountResult> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let position = count.record.position();
    // The threads that find no other count left help with the large ones.
    match counter.count_parallel(&position, count.depth) {
        Ok(counted) if counted == count.expected => Some(SuiteCountResult::Agrees),
        Ok(counted) => {
            let small = counted <= ORACLE_MOST_NODES;
            let oracle = small.then(|| mailbox::perft(&position.to_setup(), count.depth));
            Some(SuiteCountResult::Differs { counted, oracle })
        }
        Err(CountError::Cancelled) => None,
        Err(error) => Some(SuiteCountResult::Uncountable(error)),
    }
}
