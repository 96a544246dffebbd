//! What limits the moves of `us`: checks, pins and the safe squares of the king.

use super::board::Board;
use super::threats::{Threats, castling_rooks, king_steps};
use crate::rules::Bitboard;
use crate::rules::attacks::Sliders;

/// Checks, pins and safe king squares of a board.
pub(super) struct Analysis {
    pub(super) threats: Threats,
    /// The safe squares for the king.
    pub(super) king_steps: Bitboard,
    /// The rooks with which `us` may castle.
    pub(super) castling: Bitboard,
}

impl Analysis {
    #[inline(always)]
    pub(super) fn new<S: Sliders>(board: &Board, sliders: S) -> Self {
        let (us, them) = (&board.us, &board.them);
        let threats = Threats::find::<true, S>(us, them, sliders);
        let king_steps = king_steps::<true, S>(&threats, us, them, sliders);
        let castling = if threats.checkers.is_empty() && board.castling.intersects(us.straight) {
            castling_rooks::<true, S>(&threats, board.castling, us, them, sliders)
        } else {
            Bitboard::EMPTY
        };
        Self {
            threats,
            king_steps,
            castling,
        }
    }
}
