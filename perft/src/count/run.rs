//! Counts the units missing from a journal: workers on all cores send their counts down one channel
//! to one loop that writes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chess::perft::{CountError, Counter};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use kit::{Interrupt, Progress};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use super::JournalFile;
use crate::units::Units;

/// Polling interval of the loop.
const TICK: Duration = Duration::from_millis(50);

struct UnitDone {
    unit: usize,
    nodes: Result<u64, CountError>,
}

/// Counts the units missing in `counts`, adding them to it and to the journal, until all are known
/// or an interrupt comes.
pub(crate) fn run(
    units: &Units,
    counts: &mut [Option<u64>],
    journal: &mut JournalFile,
    counter: Counter<'_>,
    (pool, interrupt, progress): (&rayon::ThreadPool, &Interrupt, &Progress),
) -> anyhow::Result<()> {
    let open: Vec<usize> = (0..counts.len())
        .filter(|&unit| counts[unit].is_none())
        .collect();
    progress.reach(counts.len() - open.len(), counts.len());
    let stop = AtomicBool::new(false);
    let counter = counter.cancel(&stop);
    let (events, inbox) = crossbeam_channel::unbounded();
    std::thread::scope(|scope| {
        let (stop, counter) = (&stop, &counter);
        scope.spawn(move || pool.install(|| count(units, open, counter, stop, &events)));
        let mut record = |done: UnitDone| {
            let nodes = done.nodes?;
            journal.append(done.unit, nodes)?;
            counts[done.unit] = Some(nodes);
            progress.advance(1);
            Ok(())
        };
        let recorded = listen(&inbox, &mut record, || {
            if interrupt.has_come() {
                stop.store(true, Ordering::Relaxed);
            }
        });
        // After an error, the workers can stop.
        stop.store(true, Ordering::Relaxed);
        recorded
    })
}

fn count(
    units: &Units,
    open: Vec<usize>,
    counter: &Counter<'_>,
    stop: &AtomicBool,
    events: &Sender<UnitDone>,
) {
    let depth = units.depth_below();
    open.into_par_iter().with_max_len(1).for_each(|unit| {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let nodes = counter.count(&units.list[unit].position, depth);
        if nodes != Err(CountError::Cancelled) {
            // After an error, nobody receives any more.
            let _ = events.send(UnitDone { unit, nodes });
        }
    });
}

/// Forwards every event until the last worker has finished, and calls `tick` often.
fn listen(
    inbox: &Receiver<UnitDone>,
    record: &mut impl FnMut(UnitDone) -> anyhow::Result<()>,
    tick: impl Fn(),
) -> anyhow::Result<()> {
    loop {
        match inbox.recv_timeout(TICK) {
            Ok(done) => record(done)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        tick();
    }
}
