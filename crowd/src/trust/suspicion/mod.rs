//! Signs that a list is not a person's own work.
//!
//! Correct lists of one position are equal as sets, so their contents prove nothing; their order
//! and speed may. A flag is only a hint for a moderator: nobody is excluded because of one.

mod order;
mod pace;

use serde::{Deserialize, Serialize};

use super::orders::GeneratorOrder;
use crate::model::{MoveText, Timestamp};

/// A list with timestamps, in the order in which its moves were added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedList {
    /// The contributor.
    pub contributor: i64,
    /// When the position was assigned, by the server's clock, if known.
    pub issued_at: Option<Timestamp>,
    /// The moves, in canonical form, each once.
    pub moves: Vec<TimedMove>,
}

/// A move with timestamps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedMove {
    /// The move.
    pub text: MoveText,
    /// Client time in milliseconds since the position was shown.
    pub at_ms: u32,
    /// When the server received it, if known.
    pub received_at: Option<Timestamp>,
}

/// A hint for moderators.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Flag {
    /// The kind of evidence.
    pub kind: FlagKind,
    /// A description with figures.
    pub detail: String,
    /// Its strength, from 0 to 1: only for sorting flags of one kind.
    pub score: f64,
    /// The contributor whose list it resembles.
    pub other: Option<i64>,
}

/// Kinds of evidence.
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
    /// The order is nearly that of another contributor's list.
    SameOrder,
    /// The order is nearly that of a program.
    GeneratorOrder,
    /// Moves followed each other faster than is humanly possible.
    FastMoves,
    /// The whole list was completed faster than is humanly possible.
    FastList,
    /// The times between moves are nearly constant.
    EvenGaps,
    /// The client clock ran longer than the server's.
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

    /// Its name in texts and in the database.
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

/// Computes the flags of a list: at most one per kind, the strongest, and one per list that it
/// resembles.
///
/// `others` are lists of the same position; those of the same contributor are ignored.
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
