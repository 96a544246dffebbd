//! Which faults the counts of suites catch.

use std::sync::atomic::{AtomicBool, Ordering};

use chess::rules::Position;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::fault::FaultSet;
use super::shown::Shown;
use crate::suite::check::plan::CheckPlan;

/// One count of a suite.
struct DueCount {
    position: Position,
    depth: u32,
    nodes: u64,
}

/// Deeper counts are asked only for the faults that the others miss.
const SHALLOW: u32 = 2;
/// So many deeper counts are made before the faults that they show are taken off.
const BATCH: usize = 16;

/// What the counts of each suite of a plan catch of these faults, on all threads of the current pool, or a
/// part of it if `cancel` was set. `observe` is called after each count.
pub(crate) fn caught(
    plan: &CheckPlan,
    wanted: &FaultSet,
    cancel: &AtomicBool,
    observe: impl Fn() + Sync,
) -> Vec<FaultSet> {
    let of_suite = |suite: usize| {
        let counts = plan.counts().filter(|one| one.record.suite() == suite);
        let counts = counts.map(|one| DueCount {
            position: one.record.position(),
            depth: one.depth,
            nodes: one.expected,
        });
        let (shallow, mut deep): (Vec<DueCount>, Vec<DueCount>) = counts
            // A count of depth 0 is 1, whatever is wrong.
            .filter(|one| one.depth > 0)
            .partition(|one| one.depth <= SHALLOW);
        // Cheap counts come first: what they show need not be looked for in the expensive ones.
        deep.sort_by_key(|one| one.nodes);
        let show = |counts: &[DueCount], open: &FaultSet| {
            counts
                .par_iter()
                // It has an entry for every fault, and is not made anew for each count.
                .map_init(Shown::default, |shown, one| {
                    let mut set = FaultSet::default();
                    if !cancel.load(Ordering::Relaxed) && !open.is_empty() {
                        let all = shown.differences(&one.position, one.depth, Some(open));
                        set = all.into_iter().map(|(fault, _)| fault).collect();
                    }
                    observe();
                    set
                })
                .reduce(FaultSet::default, |mut one, other| {
                    one.add(&other);
                    one
                })
        };
        let mut caught = show(&shallow, wanted);
        for batch in deep.chunks(BATCH) {
            let open = wanted.without(&caught);
            caught.add(&show(batch, &open));
        }
        caught
    };
    (0..plan.suites.len()).map(of_suite).collect()
}
