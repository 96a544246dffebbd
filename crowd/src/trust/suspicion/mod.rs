//! What about a list does not look like a person's own work.
//!
//! Correct lists of one position are equal as sets, so what they hold proves nothing; the order in which it came, and
//! how fast, may. A flag is a hint for a moderator and never more: nobody is set aside for one.

mod order;
mod pace;

use serde::{Deserialize, Serialize};

use super::orders::GeneratorOrder;
use crate::model::{MoveText, Timestamp};

/// A list with times, in the order in which its moves were added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedList {
    /// Whose it is.
    pub contributor: i64,
    /// When the position was given out, by the server's clock, where that is known.
    pub issued_at: Option<Timestamp>,
    /// The moves, in canonical texts, each once.
    pub moves: Vec<TimedMove>,
}

/// A move with times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedMove {
    /// The move.
    pub text: MoveText,
    /// When it was added, by the person's own clock, in milliseconds since the position was shown.
    pub at_ms: u32,
    /// When the server got it, where that is known.
    pub received_at: Option<Timestamp>,
}

/// A hint for the moderator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Flag {
    /// What was seen.
    pub kind: FlagKind,
    /// The same in a sentence, with figures.
    pub detail: String,
    /// How strong it is, from 0 to 1: only for sorting flags of one kind.
    pub score: f64,
    /// Whose list it resembles.
    pub other: Option<i64>,
}

/// What can be seen in a list.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum FlagKind {
    /// Its order is nearly that of another person's list.
    SameOrder,
    /// Its order is nearly that of a program.
    GeneratorOrder,
    /// Moves followed each other faster than hands can.
    FastMoves,
    /// All of it was there sooner than hands can.
    FastList,
    /// The times between its moves are nearly all the same.
    EvenGaps,
    /// Its clock ran longer than the server's.
    ImpossibleClock,
}

impl FlagKind {
    /// Every kind.
    pub const ALL: [Self; 6] = [
        Self::SameOrder,
        Self::GeneratorOrder,
        Self::FastMoves,
        Self::FastList,
        Self::EvenGaps,
        Self::ImpossibleClock,
    ];

    /// The word for it in texts and the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SameOrder => "same-order",
            Self::GeneratorOrder => "generator-order",
            Self::FastMoves => "fast-moves",
            Self::FastList => "fast-list",
            Self::EvenGaps => "even-gaps",
            Self::ImpossibleClock => "impossible-clock",
        }
    }
}

/// Everything that is to be told of a list: at most one flag a kind, the strongest, and one for each list that it
/// resembles.
///
/// `others` are lists of the same position; those of the same person are passed over.
pub fn flags(list: &TimedList, others: &[TimedList], orders: &[GeneratorOrder]) -> Vec<Flag> {
    let mut flags: Vec<Flag> = others
        .iter()
        .filter(|other| other.contributor != list.contributor)
        .filter_map(|other| order::like_another(list, other))
        .collect();
    flags.extend(order::like_a_program(list, orders));
    flags.extend(pace::flags(list));
    flags
}

#[cfg(test)]
mod tests;
