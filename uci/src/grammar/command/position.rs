//! The `position` command.

use std::fmt;

use crate::grammar::FenText;
use chess::notation::uci_move::UciMove;

/// A start position and the moves played from it. The moves are well-formed text; whether they are
/// legal is checked by whoever plays them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionCommand {
    /// Where the game begins.
    pub start: StartPosition,
    /// The moves played since.
    pub moves: Vec<UciMove>,
}

/// Where a game begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartPosition {
    /// `startpos`: the first position of standard chess.
    Startpos,
    /// `fen …`: any other position. Boxed because it is much larger than the rest.
    Fen(Box<FenText>),
}

impl fmt::Display for PositionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            StartPosition::Startpos => f.write_str("startpos")?,
            StartPosition::Fen(fen) => write!(f, "fen {fen}")?,
        }
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
        }
        self.moves.iter().try_for_each(|m| write!(f, " {m}"))
    }
}

impl From<FenText> for PositionCommand {
    /// The position, before any move.
    fn from(fen: FenText) -> Self {
        Self {
            start: StartPosition::Fen(Box::new(fen)),
            moves: Vec::new(),
        }
    }
}
