//! The faults that a position shows, and the cost in nodes.

use std::sync::atomic::AtomicBool;

use chess::perft::{CountError, Counter};
use chess::rules::{CastlingMode, Position};
use kit::{Interrupt, Progress};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::suite::faults::{Fault, FaultSet, Shown};

/// Limits on the counts of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CountLimits {
    pub(crate) depth: u32,
    /// Maximum leaf nodes of one count.
    pub(crate) max_nodes: u64,
}

/// One count of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    /// Leaf nodes at this depth.
    pub(crate) nodes: u64,
    /// Leaf nodes of this count and all shallower ones.
    pub(crate) cost: u64,
    /// Wanted faults that this count shows, and no shallower one.
    pub(crate) faults: Vec<Fault>,
}

/// A position with its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Measured {
    pub(crate) position: Position,
    /// The counts from depth 1 on.
    pub(crate) levels: Vec<Level>,
}

impl Measured {
    /// Whether an engine needs Chess960 support to count this position.
    pub(crate) fn is_chess960(&self) -> bool {
        self.position.castling_mode() == CastlingMode::Chess960
    }

    /// The faults that the counts up to a depth show.
    pub(crate) fn faults(&self, depth: usize) -> impl Iterator<Item = Fault> + '_ {
        let levels = self.levels.iter().take(depth);
        levels.flat_map(|level| level.faults.iter().copied())
    }
}

/// Counts a position and finds the wanted faults that each count shows. Stops at the limits; `None` once
/// `cancel` was set.
fn measure_one(
    shown: &mut Shown,
    position: Position,
    wanted: &FaultSet,
    limits: CountLimits,
    cancel: &AtomicBool,
) -> Option<Measured> {
    let mut levels = Vec::new();
    let mut open = wanted.clone();
    let mut cost: u64 = 0;
    for depth in 1..=limits.depth {
        let nodes = match Counter::new().cancel(cancel).count(&position, depth) {
            Ok(nodes) => nodes,
            Err(CountError::Cancelled) => return None,
            // A count beyond 64 bits is beyond the limit.
            Err(_) => break,
        };
        // With no fault left to show, a deeper count would only cost.
        if nodes > limits.max_nodes || open.is_empty() {
            break;
        }
        let differences = shown.differences(&position, depth, Some(&open));
        let mut faults: Vec<Fault> = differences.into_iter().map(|(fault, _)| fault).collect();
        faults.sort_unstable();
        open = open.without(&faults.iter().copied().collect());
        cost = cost.saturating_add(nodes);
        levels.push(Level {
            nodes,
            cost,
            faults,
        });
        // Where all lines have ended, deeper counts are 0 too.
        if nodes == 0 && depth > 1 {
            break;
        }
    }
    Some(Measured { position, levels })
}

/// Measures positions, in their order; `None` if interrupted. An edge: it runs on all threads of the pool.
pub(crate) fn measure(
    positions: &[Position],
    wanted: &FaultSet,
    limits: CountLimits,
    pool: &rayon::ThreadPool,
    interrupt: &Interrupt,
    progress: &Progress,
) -> Option<Vec<Measured>> {
    let measure = |shown: &mut Shown, &position: &Position| {
        let measured = measure_one(shown, position, wanted, limits, interrupt.flag());
        progress.advance(1);
        measured
    };
    let all = || {
        positions
            .par_iter()
            // It has an entry for every fault, and is not made anew for each position.
            .map_init(Shown::default, measure)
            .collect()
    };
    pool.install(all)
}
