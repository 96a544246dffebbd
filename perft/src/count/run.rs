//! Counts on the threads of this machine. They send events down one channel to one loop, which owns
//! the result and the journal.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use chess::perft::{
    Breakdown, CountError, Counter, Frontier, SubtreeCount, UniqueCount, UniqueCounter,
    UniqueError, breakdown_parallel,
};
use chess::rules::{Move, Position};
use crossbeam_channel::{RecvTimeoutError, Sender};
use kit::{Interrupt, Progress};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

#[cfg(feature = "cli")]
use super::journal::CountJournal;
use super::result::{CompletionStatus, CountMode, CountResult, RootMoves};
use super::units::Units;

/// How often loops look for an interrupt.
pub(crate) const TICK: Duration = Duration::from_millis(50);

/// A pool of `threads` threads, by default one per core.
pub(crate) fn pool(threads: Option<usize>) -> anyhow::Result<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new()
        // For rayon, 0 means one thread per core.
        .num_threads(threads.unwrap_or(0))
        .build()
        .context("cannot start the threads")
}

/// Where a count runs, what can end it, and what shows how far it is.
#[derive(Clone, Copy)]
pub(crate) struct CountContext<'a> {
    pub(crate) pool: &'a rayon::ThreadPool,
    pub(crate) interrupt: &'a Interrupt,
    pub(crate) progress: &'a Progress,
}

/// A part of a count is finished: sent from the threads to the loop that owns the result.
#[derive(Clone, Debug)]
enum CountEvent {
    Subtree(SubtreeCount),
    /// A unit, by its index, with the leaf nodes below it.
    Unit(usize, u64),
    Ply(UniqueCount),
    Breakdown(Breakdown),
}

/// Makes the count described by `result`, into `result`. With units, only those missing from the
/// journal are counted. After an error, `result` holds what was counted before it.
#[cfg(feature = "cli")]
pub(crate) fn count(
    result: &mut CountResult,
    counter: Counter<'_>,
    units: Option<(&Units, &mut CountJournal)>,
    context: CountContext<'_>,
) -> anyhow::Result<()> {
    let CountContext {
        pool,
        interrupt,
        progress,
    } = context;
    let (units, mut journal) = units.unzip();
    let missing = journal.as_ref().map_or_else(Vec::new, |journal| {
        let counts = journal.counts.iter().enumerate();
        let missing = counts.filter(|(_, count)| count.is_none());
        missing.map(|(unit, _)| unit).collect()
    });
    if let Some(units) = units {
        progress.reach(units.list.len() - missing.len(), units.list.len());
    }
    let job = CountThreads {
        position: result.position,
        depth: result.depth,
        mode: result.mode,
        units,
        missing,
        progress,
    };
    let mut roots = RootMoves::default();
    let stop = AtomicBool::new(false);
    // The channel is unbounded, so that no worker waits for the journal's disk.
    let (events, inbox) = crossbeam_channel::unbounded();
    let (recorded, counted) = std::thread::scope(|scope| {
        let (stop, job) = (&stop, &job);
        let counting =
            scope.spawn(move || pool.install(|| job.run(counter.cancel(stop), stop, &events)));
        let mut record = |event| {
            match event {
                CountEvent::Subtree(subtree) => {
                    // Only the threads know into how many subtrees they have cut the tree.
                    progress.set_length(subtree.total as u64);
                    progress.advance(1);
                    roots.add(subtree);
                }
                CountEvent::Unit(unit, nodes) => {
                    let journal = journal.as_mut().expect("units have a journal");
                    journal.append(unit, nodes)?;
                    progress.advance(1);
                }
                CountEvent::Ply(count) => result.plies.push(count),
                CountEvent::Breakdown(breakdown) => {
                    result.nodes = breakdown.nodes.into();
                    result.breakdown = Some(breakdown.columns().map(u128::from));
                }
            }
            anyhow::Ok(())
        };
        let recorded = loop {
            match inbox.recv_timeout(TICK).map(&mut record) {
                Ok(Ok(())) | Err(RecvTimeoutError::Timeout) => {}
                Ok(Err(error)) => break Err(error),
                Err(RecvTimeoutError::Disconnected) => break Ok(()),
            }
            if interrupt.has_come() {
                stop.store(true, Ordering::Relaxed);
            }
        };
        // If the journal cannot be written, counting is in vain.
        stop.store(true, Ordering::Relaxed);
        let counted = counting.join();
        (
            recorded,
            counted.unwrap_or_else(|panic| resume_unwind(panic)),
        )
    });
    match (units, journal) {
        (Some(units), Some(journal)) => result.nodes = units.sum(&journal.counts),
        _ if matches!(result.mode, CountMode::Nodes | CountMode::Divide) => {
            // After a cancel, only root moves that were counted to the end have a number.
            let finished = counted
                .as_ref()
                .map_or_else(|_| roots.finished(), Vec::clone);
            result.set_count(finished);
        }
        _ => {}
    }
    // A journal that cannot be written ends the counting, so its error is the cause.
    recorded?;
    match counted {
        Ok(_) => result.status = CompletionStatus::Complete,
        Err(UniqueError::Count(CountError::Cancelled)) => {}
        Err(error) => {
            result.status = CompletionStatus::Incomplete;
            return Err(match error {
                UniqueError::Count(error) => error.into(),
                error @ UniqueError::Memory { .. } => error.into(),
            });
        }
    }
    Ok(())
}

/// The threads' side of a count.
struct CountThreads<'a> {
    position: Position,
    depth: u32,
    mode: CountMode,
    units: Option<&'a Units>,
    missing: Vec<usize>,
    progress: &'a Progress,
}

impl CountThreads<'_> {
    /// Returns the divide, if the whole tree is counted at once.
    fn run(
        &self,
        counter: Counter<'_>,
        stop: &AtomicBool,
        events: &Sender<CountEvent>,
    ) -> Result<Vec<(Move, u64)>, UniqueError> {
        // After an error of the journal, nobody receives any more.
        let send = |event| drop(events.send(event));
        let (position, depth) = (&self.position, self.depth);
        match (self.mode, self.units) {
            (CountMode::Breakdown, _) => {
                send(CountEvent::Breakdown(breakdown_parallel(
                    position, depth, stop,
                )?));
            }
            (CountMode::Unique { mebibytes }, _) => {
                let counter = UniqueCounter::new(mebibytes).cancel(stop);
                let mut frontier = Frontier::new(position);
                if depth == 0 {
                    send(CountEvent::Ply(UniqueCount {
                        ply: 0,
                        positions: 1,
                        sequences: 1,
                    }));
                }
                while frontier.ply() < depth {
                    let reach = |done, total| self.progress.reach(done, total);
                    let next = counter.next(&frontier, reach)?;
                    send(CountEvent::Ply(next.count));
                    // The positions of the last ply are not needed, and may not fit into memory.
                    if next.count.ply == depth {
                        break;
                    }
                    frontier = next.frontier?;
                }
            }
            (_, Some(units)) => {
                // Units differ in size: as single tasks, no thread gets several large ones at once.
                let missing = self.missing.par_iter().with_max_len(1);
                missing.try_for_each(|&unit| {
                    let nodes = counter.count(&units.list[unit].position, units.depth_below())?;
                    send(CountEvent::Unit(unit, nodes));
                    Ok::<(), CountError>(())
                })?;
            }
            (_, None) => {
                let subtree = |subtree| send(CountEvent::Subtree(subtree));
                return Ok(counter.divide_observed(position, depth, subtree)?);
            }
        }
        Ok(Vec::new())
    }
}
