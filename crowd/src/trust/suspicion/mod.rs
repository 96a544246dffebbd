//! Signs that a list is not a person's own work.
//!
//! Correct lists of one position are equal as sets, so their contents prove nothing; their order
//! and speed may. A flag is a hint for a moderator: nobody is excluded because of one. A list at a
//! pace that no person has, and copies, do not count until a moderator allows them.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use chess::rules::Square;

use super::orders::GeneratorOrder;
use crate::model::{FlagKind, MoveText, Timestamp};

/// A list with timestamps, in the order in which its moves were added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedList {
    pub contributor: i64,
    /// When the position was assigned, by the server's clock, if known.
    pub issued_at: Option<Timestamp>,
    /// The moves, in canonical form, each once.
    pub moves: Vec<TimedMove>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedMove {
    pub text: MoveText,
    /// Client time in milliseconds since the position was shown.
    pub at_ms: u32,
    /// When the server received it, if known.
    pub received_at: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Flag {
    pub kind: FlagKind,
    pub detail: String,
    /// Its strength, from 0 to 1: only for sorting flags of one kind.
    pub score: f64,
    pub other: Option<i64>,
}

/// Computes the flags of a list: at most one per kind, the strongest, and one per list that it
/// resembles.
///
/// `others` are lists of the same position; those of the same contributor are ignored.
pub fn flags(list: &TimedList, others: &[TimedList], orders: &[GeneratorOrder]) -> Vec<Flag> {
    let mut flags: Vec<Flag> = others
        .iter()
        .filter(|other| other.contributor != list.contributor)
        .filter_map(|other| like_another(list, other))
        .collect();
    flags.extend(like_a_program(list, orders));
    flags.extend(pace_flags(list));
    flags
}

/// Whether no person lists moves at this pace.
pub fn is_by_program(list: &TimedList) -> bool {
    !pace_flags(list).is_empty()
}

/// Of a million honest lists, one is like so many others by chance.
const COPY_BITS: f64 = 20.0;
/// Orders with fewer bits are what comes to everybody's mind.
const FEWEST_BITS: f64 = 6.0;

/// The lists, by their index, that are the same move for move, if they are so many that chance is
/// excluded: two at least, and more if the order is likely or many lists are compared.
pub fn copies(list: &TimedList, others: &[TimedList]) -> Vec<usize> {
    let moves = texts(list);
    let is_copy =
        |other: &TimedList| other.contributor != list.contributor && texts(other) == moves;
    let same = others.iter().zip(0..).filter(|(other, _)| is_copy(other));
    let same: Vec<usize> = same.map(|(_, index)| index).collect();
    let (_, [swept, directions]) = orders_of(&moves);
    let bits = swept + directions;
    // The number of equal lists is nearly a Poisson variable of the mean m, which is k or more with a
    // probability of at most m to the k, divided by k's factorial.
    let compared = libm::log2(others.iter().map(|_| 1.0).sum());
    let chance = (1_u32..).zip(&same);
    let chance = chance.map(|(number, _)| bits - compared + libm::log2(f64::from(number)));
    let is_copied = same.len() >= 2 && bits >= FEWEST_BITS && chance.sum::<f64>() >= COPY_BITS;
    if is_copied { same } else { Vec::new() }
}

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
    fn new(list: &[&MoveText], other: &[&MoveText]) -> Option<Self> {
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
            // Moves occur once, so the longest common subsequence is the longest increasing one of
            // places.
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
    let likeness = Likeness::new(&texts(list), &texts(other))?;
    let name = format!("contributor {}'s list", other.contributor);
    likeness.flag(FlagKind::SameOrder, &name, Some(other.contributor))
}

/// The most similar program order, if one is similar enough.
pub(super) fn like_a_program(list: &TimedList, orders: &[GeneratorOrder]) -> Option<Flag> {
    let texts = texts(list);
    let alike = orders.iter().filter_map(|order| {
        let moves: Vec<&MoveText> = order.moves.iter().collect();
        Likeness::new(&texts, &moves)?.flag(FlagKind::GeneratorOrder, &order.name, None)
    });
    // Among equals the first has the plainest name.
    alike.reduce(|best, flag| if flag.score > best.score { flag } else { best })
}

fn texts(list: &TimedList) -> Vec<&MoveText> {
    list.moves.iter().map(|m| &m.text).collect()
}

/// The number of ways to go through the moves piece by piece, in bits.
fn surprise(moves: &[&MoveText]) -> f64 {
    let (sequences, [_, directions]) = orders_of(moves);
    sequences + directions
}

/// The numbers of sequences of the pieces, and then for somebody who sweeps the board: of these, and
/// of the ends from which the moves of each piece can begin; all in bits.
fn orders_of(moves: &[&MoveText]) -> (f64, [f64; 2]) {
    let mut pieces: BTreeMap<Square, BTreeSet<Square>> = BTreeMap::new();
    for text in moves {
        let (from, to, _) = text.parts();
        pieces.entry(from).or_default().insert(to);
    }
    let from_either_end = pieces.values().filter(|targets| targets.len() > 1);
    let directions: f64 = from_either_end.map(|_| 1.0).sum();
    let numbers = (1_u32..).zip(&pieces).map(|(number, _)| f64::from(number));
    let sequences: f64 = numbers.clone().map(libm::log2).sum();
    // A sweep begins at any piece and goes either way.
    let swept = numbers
        .last()
        .map_or(0.0, |pieces| libm::log2(2.0 * pieces));
    (sequences, [swept, directions])
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

/// Minimum number of moves before the pace of a list is judged.
const FEWEST: usize = 8;

/// A move takes two aimed touches or four keystrokes. In the keystroke-level model of Card, Moran
/// and Newell (1980) the best typist needs 80 ms per key, and an aimed touch takes about a second;
/// a median gap below this is not human.
const FAST_GAP_MS: u32 = 150;

/// Minimum time per move, from showing the position to the last move: as above, plus a look at the
/// board.
const FAST_LIST_MS_PER_MOVE: u64 = 250;

/// Gaps with a coefficient of variation below this are nearly constant. For people it is about 0.5
/// or more.
const EVEN: f64 = 0.15;

/// Tolerance of a client clock running ahead of the server's.
const CLOCK_SLACK_MS: u64 = 5_000;

fn pace_flags(list: &TimedList) -> Vec<Flag> {
    let clock = impossible_clock(list);
    if list.moves.len() < FEWEST {
        return clock.into_iter().collect();
    }
    let gaps = gaps(list);
    [fast_moves(&gaps), fast_list(list), even_gaps(&gaps), clock]
        .into_iter()
        .flatten()
        .collect()
}

/// The times between moves in the order they were added, even if the clock runs backwards.
fn gaps(list: &TimedList) -> Vec<u32> {
    let times: Vec<u32> = list.moves.iter().map(|m| m.at_ms).collect();
    times
        .windows(2)
        .map(|pair| pair[1].saturating_sub(pair[0]))
        .collect()
}

fn fast_moves(gaps: &[u32]) -> Option<Flag> {
    let mut sorted = gaps.to_vec();
    sorted.sort_unstable();
    let median = *sorted.get(sorted.len() / 2)?;
    (median < FAST_GAP_MS).then(|| Flag {
        kind: FlagKind::FastMoves,
        detail: format!(
            "half of the moves follow within {median} ms; a person needs at least {FAST_GAP_MS} ms"
        ),
        score: 1.0 - f64::from(median) / f64::from(FAST_GAP_MS),
        other: None,
    })
}

/// By the client's or the server's clock, whichever shows less time.
fn fast_list(list: &TimedList) -> Option<Flag> {
    let own = list.moves.iter().map(|m| u64::from(m.at_ms)).max()?;
    let spent = server_ms(list).map_or(own, |server| server.min(own));
    let moves = u32::try_from(list.moves.len()).ok()?;
    let least = u64::from(moves) * FAST_LIST_MS_PER_MOVE;
    (spent < least).then(|| Flag {
        kind: FlagKind::FastList,
        detail: format!("{moves} moves in {spent} ms; a person needs at least {least} ms"),
        score: 1.0
            - f64::from(u32::try_from(spent).unwrap_or(u32::MAX)) / (f64::from(moves) * 250.0),
        other: None,
    })
}

fn even_gaps(gaps: &[u32]) -> Option<Flag> {
    let count = f64::from(u32::try_from(gaps.len()).ok()?);
    let mean = gaps.iter().map(|&gap| f64::from(gap)).sum::<f64>() / count;
    let squares: f64 = gaps
        .iter()
        .map(|&gap| (f64::from(gap) - mean) * (f64::from(gap) - mean))
        .sum();
    let variation = libm::sqrt(squares / count) / mean;
    // Gaps that are all 0 would have a variation of 0 / 0; the flags for speed report these.
    (mean > 0.0 && variation < EVEN).then(|| Flag {
        kind: FlagKind::EvenGaps,
        detail: format!(
            "the gaps of {mean:.0} ms vary by {:.0} %; people's vary by {:.0} % at least",
            100.0 * variation,
            100.0 * EVEN
        ),
        score: 1.0 - variation / EVEN,
        other: None,
    })
}

/// The time since the position was shown, by the client's clock, cannot exceed the time since it
/// was assigned, by the server's.
fn impossible_clock(list: &TimedList) -> Option<Flag> {
    let issued_at = list.issued_at?;
    let ahead = list.moves.iter().filter_map(|m| {
        let on_server = ms_between(issued_at, m.received_at?);
        Some(u64::from(m.at_ms).saturating_sub(on_server))
    });
    let most = ahead.max()?;
    (most > CLOCK_SLACK_MS).then(|| Flag {
        kind: FlagKind::ImpossibleClock,
        detail: format!("a move is dated {most} ms later than it was received"),
        score: 1.0,
        other: None,
    })
}

/// From list to last move, by the server's clock.
fn server_ms(list: &TimedList) -> Option<u64> {
    let last = list.moves.iter().filter_map(|m| m.received_at).max()?;
    Some(ms_between(list.issued_at?, last))
}

fn ms_between(earlier: Timestamp, later: Timestamp) -> u64 {
    u64::try_from(later.since(earlier).as_millis()).unwrap_or(u64::MAX)
}
