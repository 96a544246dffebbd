//! Compares the counts of a pasted divide, or its total, with our own.

use std::collections::{BTreeMap, BTreeSet};

use chess::notation::fen;
use chess::perft::Counter;
use chess::rules::{Move, Position};
use uci::perft::{MoveMeaning, PastedRow};

use super::listed::Named;
use crate::candidates::text_of;
use crate::model::MoveText;

/// Maximum number of nodes that are counted for one text, since anybody may paste one.
const NODES: u64 = 20_000_000;
const DEEPEST: u32 = 8;

/// The counts beside the moves of a divide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DivideCounts {
    /// A plain list, or a divide at depth 1.
    None,
    /// They are of a depth that would take too long to count here.
    TooDeep,
    /// They were compared with our own counts at the depth that fits best.
    Compared { depth: u32, wrong: Vec<WrongCount> },
    /// There are numbers, but no moves.
    Totals {
        /// The right number of nodes at depth 1, 2, 3 and so on.
        right: Vec<u64>,
        /// The greatest depth whose number of nodes is in the text.
        found: Option<u32>,
    },
}

/// A legal move below which other nodes were counted than there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongCount {
    pub named: Named,
    pub squares: MoveText,
    pub given: u64,
    pub right: u64,
    /// The position after the move, in which the same error is one ply nearer.
    pub after: String,
}

pub(super) fn given(rows: &[PastedRow]) -> BTreeMap<Move, u64> {
    let counts = rows.iter().filter_map(|(_, row)| match row.meaning {
        MoveMeaning::Legal(m) => Some((m, row.nodes)),
        MoveMeaning::Illegal(_) | MoveMeaning::Unreadable => None,
    });
    counts.collect()
}

/// Compares at the depth at which most counts agree; among those, at which the totals are nearest.
pub(super) fn counts(position: &Position, given: &BTreeMap<Move, u64>) -> DivideCounts {
    if given.values().all(|&nodes| nodes == 1) {
        return DivideCounts::None;
    }
    let sum = given.values().fold(0, |sum: u64, &n| sum.saturating_add(n));
    let mut best: Option<(usize, u64, DivideCounts)> = None;
    let (mut before, mut last) = (1, given.len() as u64);
    for depth in 2..=DEEPEST {
        let fits = best.as_ref().is_some_and(|(agreeing, _, _)| *agreeing > 0);
        if expected(before, last) > NODES {
            // No depth agrees with a single count, and the sum is far beyond the last total: it is
            // of a deeper one.
            if !fits && sum / 2 > last {
                return DivideCounts::TooDeep;
            }
            break;
        }
        let (wrong, total) = wrong_counts(position, depth, given);
        let agreeing = given.len() - wrong.len();
        let distance = total.abs_diff(sum);
        let is_better = best.as_ref().is_none_or(|(most, nearest, _)| {
            agreeing > *most || agreeing == *most && distance < *nearest
        });
        if is_better {
            best = Some((agreeing, distance, DivideCounts::Compared { depth, wrong }));
        }
        // Totals grow with the depth as a rule, so that a deeper one is hardly nearer.
        if total / 2 > sum {
            break;
        }
        (before, last) = (last, total);
    }
    best.map_or(DivideCounts::TooDeep, |(_, _, counts)| counts)
}

/// The moves whose counts differ at a depth, and the sum of the right ones.
fn wrong_counts(
    position: &Position,
    depth: u32,
    given: &BTreeMap<Move, u64>,
) -> (Vec<WrongCount>, u64) {
    let counter = Counter::new();
    let mut total: u64 = 0;
    let wrong = given.iter().filter_map(|(&m, &given)| {
        let after = position.play_unchecked(m);
        let right = counter.count(&after, depth - 1);
        let right = right.expect("a few million nodes are within all limits");
        total += right;
        (right != given).then(|| WrongCount {
            named: Named::new(m, position),
            squares: text_of(position, m),
            given,
            right,
            after: fen::write(&after),
        })
    });
    (wrong.collect(), total)
}

/// Finds the depth whose number of nodes a text without moves has, such as `Nodes searched: 2039`; none if it has no
/// number.
pub(super) fn totals(position: &Position, text: &str) -> Option<DivideCounts> {
    let numbers = text.split(|c: char| c.is_whitespace() || "()[]{}:;=|".contains(c));
    let numbers = numbers.filter_map(|word| {
        let word = word.trim_end_matches(['.', ',']);
        // Programs separate thousands in three ways: 2,039, 2_039 and 2'039.
        let digits: String = word.chars().filter(|c| !"_,'".contains(*c)).collect();
        digits.parse().ok()
    });
    let numbers: BTreeSet<u64> = numbers.collect();
    let greatest = *numbers.last()?;
    let counter = Counter::new();
    let mut right = Vec::new();
    let mut found = None;
    let (mut before, mut last) = (1, 1);
    for depth in 1..=DEEPEST {
        if depth > 1 && expected(before, last) > NODES {
            break;
        }
        let total = counter.count(position, depth);
        let total = total.expect("a few million nodes are within all limits");
        right.push(total);
        if numbers.contains(&total) {
            found = Some(depth);
        }
        if total > greatest {
            break;
        }
        (before, last) = (last, total);
    }
    Some(DivideCounts::Totals { right, found })
}

/// About how many nodes the next ply has: each ply has about as many moves as the one before it, if not half as many
/// more.
fn expected(before: u64, last: u64) -> u64 {
    last.saturating_mul(last / before.max(1) * 3 / 2 + 1)
}
