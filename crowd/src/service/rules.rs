//! The rules of a position in the database, and its answers.

use chess::notation::{fen, san};
use chess::rules::Position;

use crate::candidates::move_of;
use crate::model::MoveText;
use crate::store::StoreError;
use crate::store::entity::position;

/// Reads the position of a row.
pub(super) fn position_of(row: &position::Model) -> Result<Position, StoreError> {
    fen::parse(&row.fen).map_err(|_| StoreError::Value {
        what: "the FEN of a position",
        found: format!("'{}'", row.fen),
    })
}

/// A legal move in SAN.
pub(super) fn in_san(position: &Position, mv: &MoveText) -> String {
    san::write(move_of(position, mv), position)
}
