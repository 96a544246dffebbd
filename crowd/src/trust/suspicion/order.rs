use std::collections::{BTreeMap, BTreeSet};

use chess::rules::Square;

use super::{Flag, FlagKind, TimedList};
use crate::model::MoveText;
use crate::trust::orders::GeneratorOrder;

/// Minimum share of moves in the same order for two orders to count as nearly the same.
const ALIKE: f64 = 0.9;

/// Minimum surprise of an order, in bits, before similarity is evidence.
///
/// Honest contributors go piece by piece. For k pieces there are k! orders, doubled for each piece
/// with several moves, which can be traversed from either end. Below 2 to the 16th, with some
/// twenty program orders to match by chance, similarity is unsurprising: a king and two pawns have
/// hardly more than one sensible order.
const SURPRISE_BITS: f64 = 16.0;

/// The threshold for two contributors' lists with the same moves in identical order: there is one
/// order to match, instead of twenty and everything close to them.
const SAME_LIST_BITS: f64 = 12.0;

/// Similarity of two orders, over the moves that both have.
struct Likeness {
    common: usize,
    in_order: usize,
    surprise: f64,
    /// Whether both have the same moves in the same order.
    same: bool,
}

impl Likeness {
    /// From the longest common subsequence of two lists, each without repetition; moves on only one
    /// of them are ignored. `None` if they have too little in common.
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

/// The most similar program order, if one is similar enough.
pub(super) fn like_a_program(list: &TimedList, orders: &[GeneratorOrder]) -> Option<Flag> {
    let texts = texts(list);
    let alike = orders.iter().filter_map(|order| {
        let moves: Vec<&MoveText> = order.moves.iter().collect();
        Likeness::of(&texts, &moves)?.flag(FlagKind::GeneratorOrder, &order.name, None)
    });
    // Among equals the first has the plainest name.
    alike.reduce(|best, flag| if flag.score > best.score { flag } else { best })
}

fn texts(list: &TimedList) -> Vec<&MoveText> {
    list.moves.iter().map(|m| &m.text).collect()
}

/// The number of ways to go through the moves piece by piece, in bits.
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
