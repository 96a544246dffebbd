use std::collections::{BTreeMap, BTreeSet};

use chess::rules::Square;

use super::{Flag, FlagKind, TimedList};
use crate::model::MoveText;
use crate::trust::orders::GeneratorOrder;

/// The share of moves in the same order from which on two orders are nearly the same.
const ALIKE: f64 = 0.9;

/// How surprising the order must be, in bits, before likeness tells anything.
///
/// Honest people go piece by piece. Of k pieces that is k! orders, and each piece with several moves doubles them, as
/// it can be gone through from either end. Below 2 to the 16th, with some twenty orders of programs to hit by chance,
/// likeness is no wonder: a king and two pawns have hardly more than one sensible order.
const SURPRISE_BITS: f64 = 16.0;

/// The same where two people's lists have the same moves, and each in the same place: there is one order to hit, not
/// twenty and all that are nearly the same.
const SAME_LIST_BITS: f64 = 12.0;

/// How alike two orders are, over the moves that both have.
struct Likeness {
    common: usize,
    in_order: usize,
    surprise: f64,
    /// Whether both have the same moves in the same order.
    same: bool,
}

impl Likeness {
    /// The longest common subsequence of two lists, each without repetition; over moves that only one of them has
    /// nothing is said. Nothing where they have too little in common.
    fn of(list: &[&MoveText], other: &[&MoveText]) -> Option<Self> {
        let place: BTreeMap<&MoveText, usize> = other.iter().copied().zip(0..).collect();
        let common: Vec<&MoveText> = list
            .iter()
            .copied()
            .filter(|text| place.contains_key(text))
            .collect();
        let most = list.len().max(other.len());
        if share(common.len(), most) < ALIKE {
            return None;
        }
        let places = common.iter().map(|text| place[text]);
        Some(Self {
            common: common.len(),
            in_order: longest_increasing(places),
            surprise: surprise(&common),
            same: list == other,
        })
    }

    fn share(&self) -> f64 {
        share(self.in_order, self.common)
    }

    fn flag(&self, kind: FlagKind, with: &str, other: Option<i64>) -> Option<Flag> {
        let least = if self.same && kind == FlagKind::SameOrder {
            SAME_LIST_BITS
        } else {
            SURPRISE_BITS
        };
        (self.surprise >= least && self.share() >= ALIKE).then(|| Flag {
            kind,
            detail: format!(
                "{} of {} moves come in the order of {with}",
                self.in_order, self.common
            ),
            score: self.share(),
            other,
        })
    }
}

pub(super) fn like_another(list: &TimedList, other: &TimedList) -> Option<Flag> {
    let likeness = Likeness::of(&texts(list), &texts(other))?;
    let name = format!("contributor {}'s list", other.contributor);
    likeness.flag(FlagKind::SameOrder, &name, Some(other.contributor))
}

/// The order that is most alike, where one is alike.
pub(super) fn like_a_program(list: &TimedList, orders: &[GeneratorOrder]) -> Option<Flag> {
    let texts = texts(list);
    let alike = orders.iter().filter_map(|order| {
        let moves: Vec<&MoveText> = order.moves.iter().collect();
        Likeness::of(&texts, &moves)?.flag(FlagKind::GeneratorOrder, &order.name, None)
    });
    // The first of equals: the plainest name.
    alike.reduce(|best, flag| if flag.score > best.score { flag } else { best })
}

fn texts(list: &TimedList) -> Vec<&MoveText> {
    list.moves.iter().map(|m| &m.text).collect()
}

/// The number of ways, in bits, to go through the moves piece by piece.
fn surprise(moves: &[&MoveText]) -> f64 {
    let mut pieces: BTreeMap<Square, BTreeSet<Square>> = BTreeMap::new();
    for text in moves {
        let (from, to, _) = text.parts();
        pieces.entry(from).or_default().insert(to);
    }
    let from_either_end = pieces.values().filter(|targets| targets.len() > 1);
    let directions: f64 = from_either_end.map(|_| 1.0).sum();
    let sequences: f64 = (1_u32..)
        .zip(&pieces)
        .map(|(number, _)| libm::log2(f64::from(number)))
        .sum();
    sequences + directions
}

/// The length of the longest increasing subsequence, by patience sorting.
fn longest_increasing(places: impl Iterator<Item = usize>) -> usize {
    let mut piles: Vec<usize> = Vec::new();
    for place in places {
        let pile = piles.partition_point(|&top| top < place);
        if pile == piles.len() {
            piles.push(place);
        } else {
            piles[pile] = place;
        }
    }
    piles.len()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "lists are far shorter than 2 to the 52nd"
)]
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}
