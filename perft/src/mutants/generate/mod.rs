//! Pseudo-legal moves, square by square from a1 to h8, then castling.

mod castling;
mod pawns;
mod pieces;

use engine::rules::{PieceType, Square};

use super::attacks::Threats;
use super::board::{Kind, Mutant, Step};

impl Mutant {
    /// Adds the pseudo-legal moves of the side to move at the end of `self.moves`.
    pub(super) fn generate(&mut self, threats: &Threats) {
        let us = self.us();
        for from in Square::ALL {
            let Some(piece) = self.at(from).filter(|piece| piece.color == us) else {
                continue;
            };
            match piece.piece_type {
                PieceType::Pawn => self.pawn_moves(from),
                PieceType::Knight => self.knight_moves(from),
                PieceType::King => self.king_moves(from),
                slider => self.slider_moves(from, slider),
            }
        }
        self.castling_moves(threats);
    }

    fn add(&mut self, from: Square, to: Square, kind: Kind) {
        self.moves.push(Step { from, to, kind });
    }
}
