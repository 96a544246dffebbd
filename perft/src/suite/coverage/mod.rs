//! How much of what move generators can get wrong a suite looks at.
//!
//! A [`Signature`] is a kind of move under given conditions: what moves and what it takes, which check
//! it answers, how it relates to a pin, why it is illegal, what it brings about; or a state of a position,
//! such as the length of its list. A suite *reaches* a signature when the trees of its counts have it deep
//! enough for a fault to show. Which signatures are possible was found by search: `positions.epd` has a
//! position that shows each, `chess960.epd` those that need Chess960.

mod cover;
pub(crate) mod faults;
#[cfg(test)]
mod impossible;
mod moves;
mod set;
mod signature;
mod state;

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use chess::perft::Counter;
use chess::rules::{CastlingMode, Move, Position};
use epd::Suite;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

pub use cover::{Cover, Offer, cover};
pub use set::SignatureSet;
pub use signature::Signature;
pub(crate) use signature::VIEWS;

use super::check::plan::CheckPlan;

/// The signatures of one position and of its moves, legal or not, that show in a count of this depth,
/// without those of the positions below.
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

/// What the counts of each suite of a plan reach of these signatures, on all threads of the current pool,
/// or a part of it if `cancel` was set. `observe` is called after each count.
pub(crate) fn measure(
    plan: &CheckPlan,
    wanted: &SignatureSet,
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
            .intersection(wanted)
    };
    suites.map(of_suite).collect()
}

/// Positions that show every signature that was found, each at the root: those of standard chess, and
/// those that need Chess960. Those of few pieces come first, since they explain most.
static POSITIONS: LazyLock<[Vec<Position>; 2]> = LazyLock::new(|| {
    [
        include_bytes!("positions.epd").as_slice(),
        include_bytes!("chess960.epd"),
    ]
    .map(|text| {
        let suite = Suite::parse("positions", text);
        assert!(suite.diagnostics.is_empty(), "{:?}", suite.diagnostics);
        let entries = suite.entries.iter();
        let mut positions: Vec<Position> = entries.map(|entry| *entry.record.position()).collect();
        positions.sort_by_key(|position| position.occupied().count());
        positions
    })
});

/// A depth in which all views show.
pub const ALL_VIEWS: u32 = 5;

/// Every signature that is possible in a game with this kind of castling, as far as the search found them;
/// Chess960 has those of standard chess too.
pub fn possible(mode: CastlingMode) -> &'static SignatureSet {
    static POSSIBLE: LazyLock<[SignatureSet; 2]> = LazyLock::new(|| {
        let [standard, chess960] = [0, 1].map(|file: usize| {
            let mut all = SignatureSet::default();
            for position in &POSITIONS[file] {
                each_signature(position, ALL_VIEWS, |one| {
                    all.insert(one);
                });
            }
            all
        });
        [standard.clone(), standard.union(chess960)]
    });
    &POSSIBLE[usize::from(mode == CastlingMode::Chess960)]
}

/// A position that shows a signature, and the move in question if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Example {
    pub(crate) signature: Signature,
    pub(crate) position: Position,
    pub(crate) m: Option<Move>,
}

/// An example of each of these signatures that is possible, in their order.
pub(crate) fn examples(wanted: &SignatureSet) -> Vec<Example> {
    let mut open = wanted.clone();
    let mut found = Vec::new();
    for &position in POSITIONS.iter().flatten() {
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

/// The leaf nodes that cost an engine about as much as setting up one more position.
pub const NODES_OF_A_POSITION: u64 = 1_000;
/// The cost of a position whose counts have so many leaf nodes, in positions.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub(crate) fn cost_of(nodes: u64) -> f64 {
    1.0 + nodes as f64 / NODES_OF_A_POSITION as f64
}

/// Every signature that was found shows in some count of at most so many leaf nodes.
pub const MAX_NODES: u64 = 10_000;

/// What the counts of a position up to each depth reach of these signatures, and what they cost, in
/// positions; without counts of more than [`MAX_NODES`].
pub fn levels(position: &Position, wanted: &SignatureSet) -> Vec<Offer> {
    let mut cost = 0;
    let level = |(depth, nodes)| {
        cost += nodes;
        let reached = reached(position, depth).intersection(wanted);
        Offer {
            cost: cost_of(cost),
            elements: reached.iter().map(Signature::number).collect(),
        }
    };
    counts(position).into_iter().map(level).collect()
}

/// The counts of a position of at most [`MAX_NODES`] leaf nodes that a signature can need, with their depths.
fn counts(position: &Position) -> Vec<(u32, u64)> {
    let mut counts: Vec<(u32, u64)> = Vec::new();
    for depth in 1..=ALL_VIEWS {
        match Counter::new().count(position, depth) {
            Ok(nodes @ ..=MAX_NODES) => counts.push((depth, nodes)),
            _ => break,
        }
        if counts.last().is_some_and(|&(_, nodes)| nodes == 0) {
            break;
        }
    }
    counts
}

/// The signatures of a position and its moves that show in a count of at most [`MAX_NODES`] leaf nodes.
pub fn shown(position: &Position) -> Vec<Signature> {
    let depth = counts(position).last().map_or(0, |&(depth, _)| depth);
    signatures_at(position, depth)
}

/// The cheapest positions that show all of these signatures, each with the depth of the count that does.
pub(crate) fn filling(missing: &SignatureSet) -> Vec<(Position, u32)> {
    let of_one = |position: &'static Position| {
        let levels = (1..).zip(levels(position, missing));
        levels.map(|(depth, offer)| ((*position, depth), offer))
    };
    let positions = POSITIONS.par_iter().flatten();
    let (choices, offers): (Vec<(Position, u32)>, Vec<Offer>) =
        positions.flat_map_iter(of_one).unzip();
    let chosen = cover(&offers).chosen.into_iter();
    chosen.map(|index| choices[index]).collect()
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
