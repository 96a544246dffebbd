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
    /// Not a valid number of moves to mate.
    #[error("'{found}' is no number of moves to mate, expected 1 or more, or -1 or less")]
    NotAMate {
        /// The operand.
        found: String,
    },
    /// Two different mates are asked for.
    #[error("{first} and {second} are both asked for")]
    TwoMates {
        /// The first one.
        first: MateGoal,
        /// The second one.
        second: MateGoal,
    },
    /// A move is both best and to be avoided.
    #[error("{m} is to be avoided, but a best move too")]
    Contradiction {
        /// The move.
        m: String,
    },
    /// Not a valid number of points.
    #[error("'{found}' is no number of points")]
    NotPoints {
        /// The text.
        found: String,
    },
    /// The number of points differs from the number of moves.
    #[error("{points} numbers of points for the {moves} moves of c9")]
    PointsForMoves {
        /// Number of points.
        points: usize,
        /// Number of moves.
        moves: usize,
    },
    /// A move has points twice; the first ones count.
    #[error("{m} has points twice, {first} and {second}; the first count")]
    PointsTwice {
        /// The move.
        m: String,
        /// Its first points.
        first: u32,
        /// Its other points.
        second: u32,
    },
    /// A limit that is not a number.
    #[error("'{found}' is no limit, expected one number without sign")]
    NotALimit {
        /// The operation.
        found: String,
    },
    /// `c0` disagrees with `c8` and `c9`; the latter count.
    #[error("other points than those of c8 and c9, which count")]
    PointsDisagree,
    /// `c8` and `c9` are unreadable, but `c0` is readable.
    #[error("{reason}; the points of c0 count")]
    PointsOfC0 {
        /// Why they are unreadable.
        reason: Box<GoalReason>,
    },
}
