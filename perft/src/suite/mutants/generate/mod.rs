//! Pseudo-legal moves, square by square from a1 to h8, then castling.

mod castling;
mod lists;
mod pawns;
mod pieces;

use chess::rules::{PieceType, Square};

use super::attacks::Threats;
use super::board::{Kind, Mutant, Step};

impl Mutant {
    /// Appends the pseudo-legal moves of the side to move to `self.moves`.
    pub(super) fn generate(&mut self, threats: &Threats) {
        if self.is_over() {
            return;
        }
        let (us, start) = (self.us(), self.moves.len());
        let mut listed = [0; PieceType::COUNT];
        for from in Square::ALL {
            let Some(piece) = self.at(from).filter(|piece| piece.color == us) else {
                continue;
            };
            listed[piece.piece_type.index()] += 1;
            if self.is_beyond_list(piece.piece_type, listed[piece.piece_type.index()]) {
                continue;
            }
            match piece.piece_type {
                PieceType::Pawn => self.pawn_moves(from),
                PieceType::Knight => self.knight_moves(from),
                PieceType::King => self.king_moves(from),
                slider => self.slider_moves(from, slider),
            }
        }
        self.castling_moves(threats);
        self.cut_list(start);
    }

    fn add(&mut self, from: Square, to: Square, kind: Kind) {
        self.moves.push(Step { from, to, kind });
    }
}
