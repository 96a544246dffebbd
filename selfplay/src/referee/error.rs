//! Errors of openings.

use chess::notation::fen::{self, ParseFenError};
use chess::notation::uci_move::ParseUciMoveError;
use chess::rules::{CastlingMode, Position};

use crate::model::Opening;

/// Why an opening cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// The FEN is invalid.
    #[error("opening '{label}': {source}")]
    Fen {
        /// The label of the opening.
        label: String,
        /// The reason.
        source: ParseFenError,
    },
    /// The castling rights of the position exist only in Chess960.
    #[error("opening '{label}': castling in {fen} can be written in Chess960 only")]
    NeedsChess960 {
        /// The label of the opening.
        label: String,
        /// The FEN of the position.
        fen: String,
    },
    /// A move cannot be parsed or is illegal.
    #[error("opening '{label}', move {number}: {source}")]
    Move {
        /// The label of the opening.
        label: String,
        /// The number of the move in the opening, from 1.
        number: usize,
        /// The reason.
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
