//! What an engine says a position is worth.

use std::fmt;

use chess::rules::Color;

/// A value from White's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Score {
    /// In centipawns.
    Cp(i32),
    /// A mate in so many moves, positive when White gives it; 0 is a mate on the board.
    Mate(i32),
    /// The engine says that it has none, as Stockfish does in check.
    None,
}

impl Score {
    /// White's view of what is told from the view of `side`.
    pub(crate) const fn as_seen_by_white(self, side: Color) -> Self {
        match side {
            Color::White => self,
            Color::Black => self.negated(),
        }
    }

    /// The same for the other side.
    pub(crate) const fn negated(self) -> Self {
        match self {
            Self::Cp(value) => Self::Cp(value.saturating_neg()),
            Self::Mate(moves) => Self::Mate(moves.saturating_neg()),
            Self::None => Self::None,
        }
    }

    /// The centipawns.
    pub(crate) const fn cp(self) -> Option<i32> {
        match self {
            Self::Cp(value) => Some(value),
            Self::Mate(_) | Self::None => None,
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(value) => write!(f, "{value:+} cp"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
            Self::None => f.write_str("none"),
        }
    }
}

/// A value and the words in which it was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Evaluation {
    /// The value.
    pub(crate) score: Score,
    /// What the engine wrote.
    pub(crate) raw: String,
}
