//! Why the goal of a record cannot be read.

use std::num::NonZeroU32;

use engine::notation::san::ParseSanError;

/// A goal that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{opcode}: {reason}")]
pub struct GoalError {
    /// The opcode at fault.
    pub opcode: &'static str,
    /// What is wrong.
    #[source]
    pub reason: GoalReason,
}

/// Why a goal cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GoalReason {
    /// An opcode without an operand.
    #[error("no operand")]
    NoOperand,
    /// A move that cannot be read.
    #[error(transparent)]
    Move(#[from] ParseSanError),
    /// Not a number of moves to a mate.
    #[error("'{found}' is no number of moves to mate, expected 1 or more")]
    NotAMate {
        /// The operand.
        found: String,
    },
    /// Two different mates.
    #[error("mate in {first} and mate in {second} are both asked for")]
    TwoMates {
        /// One.
        first: NonZeroU32,
        /// The other.
        second: NonZeroU32,
    },
    /// A move that is best and to be avoided.
    #[error("{m} is to be avoided, but a best move too")]
    Contradiction {
        /// The move.
        m: String,
    },
    /// Not a number of points.
    #[error("'{found}' is no number of points")]
    NotPoints {
        /// The text.
        found: String,
    },
    /// As many points as moves there must be.
    #[error("{points} numbers of points for the {moves} moves of c9")]
    PointsForMoves {
        /// How many points there are.
        points: usize,
        /// How many moves there are.
        moves: usize,
    },
    /// A move with points given twice.
    #[error("{m} has points twice")]
    PointsTwice {
        /// The move.
        m: String,
    },
    /// A limit that is no number.
    #[error("'{found}' is no limit, expected one number without sign")]
    NotALimit {
        /// The operation.
        found: String,
    },
    /// `c0` says one thing, `c8` and `c9` another.
    #[error("other points than those of c8 and c9")]
    PointsDisagree,
}
