//! Evaluations reported by an engine.

use std::fmt;

use chess::rules::Color;

/// A score from White's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Score {
    /// In centipawns.
    Cp(i32),
    /// Mate in this many moves, positive if White gives it; 0 is checkmate on the board.
    Mate(i32),
    /// The engine reports no evaluation, as Stockfish does in check.
    None,
}

impl Score {
    /// Converts a score from the view of `side` to White's.
    pub(crate) const fn as_seen_by_white(self, side: Color) -> Self {
        match side {
            Color::White => self,
            Color::Black => self.negated(),
        }
    }

    /// The score from the other side's view.
    pub(crate) const fn negated(self) -> Self {
        match self {
            Self::Cp(value) => Self::Cp(value.saturating_neg()),
            Self::Mate(moves) => Self::Mate(moves.saturating_neg()),
            Self::None => Self::None,
        }
    }

    /// The centipawns; `None` for a mate or none.
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

/// A score and the text it was parsed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Evaluation {
    pub(crate) score: Score,
    /// The engine's output.
    pub(crate) raw: String,
}
