//! Why the goal of a record cannot be read.

use chess::notation::san::ParseSanError;

use super::MateGoal;

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
    #[error("'{found}' is no number of moves to mate, expected 1 or more, or -1 or less")]
    NotAMate {
        /// The operand.
        found: String,
    },
    /// Two different mates.
    #[error("{first} and {second} are both asked for")]
    TwoMates {
        /// One.
        first: MateGoal,
        /// The other.
        second: MateGoal,
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
    /// A move with points given twice; the first of them count.
    #[error("{m} has points twice, {first} and {second}; the first count")]
    PointsTwice {
        /// The move.
        m: String,
        /// Its first points.
        first: u32,
        /// Its other points.
        second: u32,
    },
    /// A limit that is no number.
    #[error("'{found}' is no limit, expected one number without sign")]
    NotALimit {
        /// The operation.
        found: String,
    },
    /// `c0` says one thing, `c8` and `c9` another; these count.
    #[error("other points than those of c8 and c9, which count")]
    PointsDisagree,
    /// `c8` and `c9` cannot be read, but `c0` can.
    #[error("{reason}; the points of c0 count")]
    PointsOfC0 {
        /// Why not.
        reason: Box<GoalReason>,
    },
}
