//! Openings that cannot be played.

use chess::notation::fen::{self, ParseFenError};
use chess::notation::uci_move::ParseUciMoveError;
use chess::rules::{CastlingMode, Position};

use crate::model::Opening;

/// Why an opening cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// Its position cannot be read.
    #[error("opening '{label}': {source}")]
    Fen {
        /// What the book calls it.
        label: String,
        /// Why not.
        source: ParseFenError,
    },
    /// King or rook may castle from a place that only Chess960 knows.
    #[error("opening '{label}': castling in {fen} can be written in Chess960 only")]
    NeedsChess960 {
        /// What the book calls it.
        label: String,
        /// The position.
        fen: String,
    },
    /// One of its moves cannot be read or is not legal.
    #[error("opening '{label}', move {number}: {source}")]
    Move {
        /// What the book calls it.
        label: String,
        /// Which move of the list, from 1.
        number: usize,
        /// Why not.
        source: ParseUciMoveError,
    },
}

pub(super) fn read_start(opening: &Opening) -> Result<Position, OpeningError> {
    let label = || opening.label.clone();
    let start = fen::parse(&opening.fen).map_err(|source| OpeningError::Fen {
        label: label(),
        source,
    })?;
    if !opening.chess960 && start.castling_mode() == CastlingMode::Chess960 {
        return Err(OpeningError::NeedsChess960 {
            label: label(),
            fen: opening.fen.clone(),
        });
    }
    Ok(start)
}

pub(super) fn bad_move(opening: &Opening, index: usize, source: ParseUciMoveError) -> OpeningError {
    OpeningError::Move {
        label: opening.label.clone(),
        number: index + 1,
        source,
    }
}
