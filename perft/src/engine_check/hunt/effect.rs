//! A move as a cause, and what it leaves behind wrong.

use chess::rules::{CastlingSide, Color, Move, Piece, Position, Square};

use crate::count::subject::Route;

/// A move, and what is wrong after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause {
    /// Index of the move in the route of the question that is shown; that after the last is a move of the
    /// position itself.
    pub index: usize,
    /// The move.
    pub m: Move,
    /// What is wrong after it.
    pub effect: StateEffect,
}

/// What a move leaves behind wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateEffect {
    /// A castling right is still there, though the move has ended it.
    RightKept(Color, CastlingSide),
    /// A castling right is lost, though the move does not end it.
    RightLost(Color, CastlingSide),
    /// The en passant square of the move before is still there.
    EpKept(Square),
    /// The double step leaves no en passant square.
    EpNotSet(Square),
    /// The check that the move gives is not seen.
    CheckUnseen,
    /// The square holds this piece, or none.
    Holds(Square, Option<Piece>),
    /// A rook was moved that stays, or stays though it castles: it is here, not there.
    RookMisplaced {
        /// Where the engine has it.
        here: Square,
        /// Where it is.
        there: Square,
    },
    /// Taking the move back does not restore the position, or that of a move counted after it, up to this
    /// one.
    Unmake(Option<Move>),
}

impl StateEffect {
    /// A stable word, the same for all sides and squares.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RightKept(..) => "right-kept",
            Self::RightLost(..) => "right-lost",
            Self::EpKept(_) => "ep-square-kept",
            Self::EpNotSet(_) => "ep-square-not-set",
            Self::CheckUnseen => "check-not-seen",
            Self::Holds(..) => "wrong-piece",
            Self::RookMisplaced { .. } => "rook-misplaced",
            Self::Unmake(_) => "unmake",
        }
    }

    /// Whether the kind of the move belongs to the cause; rights are lost by moves of every kind.
    pub(super) const fn is_of_move(self) -> bool {
        !matches!(self, Self::RightKept(..) | Self::RightLost(..))
    }
}

impl Cause {
    /// The position before the move.
    pub fn position(&self, route: &Route) -> Position {
        let played = route.moves().iter().take(self.index);
        played.fold(*route.root(), |position, &m| position.play_unchecked(m))
    }
}
