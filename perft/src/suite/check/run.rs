//! The edge that counts: workers on all cores send events down one channel to one loop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use chess::perft::{
    CountError, Counter, Frontier, SubtreeCount, UniqueCount, UniqueCounter, UniqueError,
};
use chess::rules::{Position, mailbox};
use crossbeam_channel::{RecvTimeoutError, Sender};
use kit::{Interrupt, Progress};
use rayon::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, ParallelIterator,
};

use crate::check::{Ledger, Plan, Unit};
use crate::count::{Counted, Job};
use crate::event::{UnitDone, UnitResult};
use crate::generate::{Bank, Limits, Measured};
use crate::unique::Unique;

/// Size limit for a second opinion by the mailbox generator, about a second of work.
const ORACLE_MOST_NODES: u64 = 1_000_000;
/// Polling interval of the loop.
const TICK: Duration = Duration::from_millis(50);

/// A pool of `threads` threads, by default one per core.
pub(crate) fn pool(threads: Option<usize>) -> anyhow::Result<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .build()
        .context("cannot start the threads")
}

/// Makes one count on all threads of the pool.
#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
pub(crate) fn count(
    job: &Job<'_>,
    pool: &rayon::ThreadPool,
    progress: &Progress,
) -> Result<Counted, CountError> {
    let start = Instant::now();
    let observe = |subtree: SubtreeCount| {
        progress.set_length(subtree.total as u64);
        progress.advance(1);
    };
    let mut counted = pool.install(|| job.run(observe))?;
    counted.time = start.elapsed();
    Ok(counted)
}

/// Counts the unique positions of every ply up to `unique.depth`, into `unique`. Finished plies are
/// kept even after an error.
#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
pub(crate) fn unique(
    unique: &mut Unique,
    counter: UniqueCounter<'_>,
    pool: &rayon::ThreadPool,
    progress: &Progress,
) -> Result<(), UniqueError> {
    let start = Instant::now();
    let counted = pool.install(|| count_plies(unique, counter, progress));
    unique.time = start.elapsed();
    match counted {
        Err(UniqueError::Count(CountError::Cancelled)) => {
            unique.interrupted = true;
            Ok(())
        }
        counted => counted,
    }
}

fn count_plies(
    unique: &mut Unique,
    counter: UniqueCounter<'_>,
    progress: &Progress,
) -> Result<(), UniqueError> {
    let mut frontier = Frontier::new(&unique.position);
    if unique.depth == 0 {
        unique.plies.push(UniqueCount {
            ply: 0,
            positions: 1,
            sequences: 1,
        });
    }
    while frontier.ply() < unique.depth {
        let next = counter.next(&frontier, |done, total| progress.reach(done, total))?;
        unique.plies.push(next.count);
        if next.count.ply == unique.depth {
            break;
        }
        frontier = next.frontier?;
    }
    Ok(())
}

/// Number of positions that one thread measures with one copy of the bank.
const POSITIONS_FOR_A_BANK: usize = 16;

/// Measures positions against a bank of mutants, in their order; `None` if interrupted.
pub(crate) fn measure(
    positions: &[Position],
    bank: &Bank,
    limits: Limits,
    pool: &rayon::ThreadPool,
    interrupt: &Interrupt,
    progress: &Progress,
) -> Option<Vec<Measured>> {
    let measure = |bank: &mut Bank, &position: &Position| {
        let measured = bank.measure(position, limits, interrupt.flag());
        progress.advance(1);
        measured
    };
    pool.install(|| {
        positions
            .par_iter()
            .with_min_len(POSITIONS_FOR_A_BANK)
            .map_init(|| bank.clone(), measure)
            .collect()
    })
}

/// Makes all counts of a plan. The loop calls `each` for every event before receiving the next.
#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
pub(crate) fn check(
    plan: &Plan,
    counter: Counter<'_>,
    pool: &rayon::ThreadPool,
    fail_fast: bool,
    interrupt: &Interrupt,
    progress: &Progress,
) -> Ledger {
    let mut ledger = Ledger::new(plan);
    let stop = AtomicBool::new(false);
    let counter = counter.cancel(&stop);
    let (events, inbox) = crossbeam_channel::unbounded();
    std::thread::scope(|scope| {
        let (stop, counter) = (&stop, &counter);
        scope.spawn(move || {
            pool.install(|| {
                plan.largest_first()
                    .into_par_iter()
                    .with_max_len(1)
                    .for_each(|index| {
                        let start = Instant::now();
                        if let Some(result) = check_unit(&plan.units[index], counter, stop) {
                            send(
                                &events,
                                UnitDone {
                                    unit: index,
                                    result,
                                    time: start.elapsed(),
                                },
                            );
                        }
                    });
            });
        });
        loop {
            match inbox.recv_timeout(TICK) {
                Ok(event) => {
                    progress.advance(plan.units[event.unit].expected);
                    if fail_fast && event.result != UnitResult::Agrees {
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

fn send(events: &Sender<UnitDone>, event: UnitDone) {
    events
        .send(event)
        .expect("the loop listens until the last worker has gone");
}

/// Counts one unit; `None` if the run was cancelled first.
fn check_unit(unit: &Unit, counter: &Counter<'_>, stop: &AtomicBool) -> Option<UnitResult> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    match counter.count_parallel(&unit.position, unit.depth) {
        Ok(counted) if counted == unit.expected => Some(UnitResult::Agrees),
        Ok(counted) => {
            let small = counted <= ORACLE_MOST_NODES;
            let oracle = small.then(|| mailbox::perft(&unit.position.to_setup(), unit.depth));
            Some(UnitResult::Differs { counted, oracle })
        }
        Err(CountError::Cancelled) => None,
        Err(error) => Some(UnitResult::Uncountable(error)),
    }
}
