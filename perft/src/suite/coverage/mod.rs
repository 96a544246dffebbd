//! How much of what move generators can get wrong a suite looks at.
//!
//! A [`Signature`] is a kind of move under given conditions: what moves and what it takes, which check
//! it answers, how it relates to a pin, why it is illegal, what it brings about. A suite *reaches* a
//! signature when the trees of its counts have such a move deep enough for a fault to show. Which
//! signatures are possible was found by search: `positions.epd` has a position that shows each.

mod cover;
mod moves;
mod set;
mod signature;

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use chess::rules::{Move, Position};
use epd::Suite;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

pub use cover::cover;
pub use set::SignatureSet;
pub use signature::Signature;
pub(crate) use signature::VIEWS;

use super::check::plan::CheckPlan;

/// The signatures of the moves of one position, legal or not, that show in a count of this depth,
/// without those of the moves below.
pub fn each_signature(position: &Position, depth: u32, mut take: impl FnMut(Signature)) {
    moves::each_signature(position, depth, |signature, _| take(signature));
}

/// The signatures that a count reaches. The walk visits as many positions as the count has inner nodes.
pub fn reached(position: &Position, depth: u32) -> SignatureSet {
    let mut set = SignatureSet::default();
    walk(position, depth, &AtomicBool::new(false), &mut set);
    set
}

fn walk(position: &Position, depth: u32, cancel: &AtomicBool, set: &mut SignatureSet) {
    if depth == 0 || cancel.load(Ordering::Relaxed) {
        return;
    }
    each_signature(position, depth, |signature| {
        set.insert(signature);
    });
    if depth > 1 {
        for m in position.legal_moves() {
            walk(&position.play_unchecked(m), depth - 1, cancel, set);
        }
    }
}

/// What the counts of each suite of a plan reach of what is possible in standard chess, on all threads of
/// the current pool, or a part of it if `cancel` was set. `observe` is called after each count.
pub(crate) fn measure(
    plan: &CheckPlan,
    cancel: &AtomicBool,
    observe: impl Fn() + Sync,
) -> Vec<SignatureSet> {
    let suites = 0..plan.suites.len();
    let of_suite = |suite: usize| {
        let counts = plan.counts();
        let counts: Vec<_> = counts.filter(|one| one.record.suite() == suite).collect();
        counts
            .par_iter()
            .map(|count| {
                let mut set = SignatureSet::default();
                walk(&count.record.position(), count.depth, cancel, &mut set);
                observe();
                set
            })
            .reduce(SignatureSet::default, SignatureSet::union)
            .intersection(possible())
    };
    suites.map(of_suite).collect()
}

/// Positions that show every signature that was found, each at the root; those of few pieces come first,
/// since they explain most.
static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    let suite = Suite::parse("positions.epd", include_bytes!("positions.epd"));
    assert!(suite.diagnostics.is_empty(), "{:?}", suite.diagnostics);
    let entries = suite.entries.iter();
    let mut positions: Vec<Position> = entries.map(|entry| *entry.record.position()).collect();
    positions.sort_by_key(|position| position.occupied().count());
    positions
});

/// A depth in which all views show.
const ALL_VIEWS: u32 = 3;

/// Every signature that is possible in standard chess, as far as the search found them.
pub(crate) fn possible() -> &'static SignatureSet {
    static POSSIBLE: LazyLock<SignatureSet> = LazyLock::new(|| {
        let mut all = SignatureSet::default();
        for position in POSITIONS.iter() {
            each_signature(position, ALL_VIEWS, |one| {
                all.insert(one);
            });
        }
        all
    });
    &POSSIBLE
}

/// A position that shows a signature, and the move in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Example {
    pub(crate) signature: Signature,
    pub(crate) position: Position,
    pub(crate) m: Move,
}

/// An example of each of these signatures that is possible, in their order.
pub(crate) fn examples(wanted: &SignatureSet) -> Vec<Example> {
    let mut open = wanted.clone();
    let mut found = Vec::new();
    for &position in POSITIONS.iter() {
        moves::each_signature(&position, ALL_VIEWS, |signature, m| {
            if open.remove(signature) {
                found.push(Example {
                    signature,
                    position,
                    m,
                });
            }
        });
    }
    found.sort_by_key(|one| one.signature);
    found
}

/// Positions that show all of these signatures, each with the depth of the count that does.
pub(crate) fn filling(missing: &SignatureSet) -> Vec<(Position, u32)> {
    let shown: Vec<Vec<Signature>> = POSITIONS
        .iter()
        .map(|position| signatures_at(position, ALL_VIEWS))
        .collect();
    let chosen = cover(missing, &shown).into_iter();
    let depth = |index: usize| {
        let missing = shown[index].iter().filter(|&&one| missing.contains(one));
        missing.map(|one| one.depth()).max().unwrap_or(1)
    };
    chosen
        .map(|index| (POSITIONS[index], depth(index)))
        .collect()
}

/// The signatures of [`each_signature`], sorted, without duplicates.
pub fn signatures_at(position: &Position, depth: u32) -> Vec<Signature> {
    let mut all = Vec::new();
    each_signature(position, depth, |signature| all.push(signature));
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests;
