//! King moves: one step to a safe square, and castling.

use crate::rules::attacks::{self, Sliders};
use crate::rules::{Bitboard, CastlingSide, Color, PieceType, Position, Square};

use super::king_danger;

#[inline(always)]
pub(super) fn generate<S: Sliders>(
    position: &Position,
    sliders: S,
    checkers: Bitboard,
    emit: &mut impl FnMut(PieceType, Square, Bitboard),
) {
    let us = position.side_to_move();
    let king = position.king(us);
    let danger = king_danger(position, !us, sliders);
    let steps = attacks::king(king) & !position.by_color(us) & !danger;
    emit(PieceType::King, king, steps);
    if checkers.is_empty() {
        for rook in position.castling_rooks() & position.by_color(us) {
            if may_castle(position, us, sliders, danger, rook) {
                emit(PieceType::King, king, rook.bitboard());
            }
        }
    }
}

/// Captures by the king. Few positions have any, so the unsafe squares are computed last.
#[inline(always)]
pub(super) fn captures<S: Sliders>(
    position: &Position,
    sliders: S,
    emit: &mut impl FnMut(PieceType, Square, Bitboard),
) {
    let us = position.side_to_move();
    let king = position.king(us);
    let enemies = attacks::king(king) & position.by_color(!us);
    if !enemies.is_empty() {
        let danger = king_danger(position, !us, sliders);
        emit(PieceType::King, king, enemies & !danger);
    }
}

/// Whether a king of `us` that is not in check may castle with this rook, whichever side is to move
/// (FIDE 3.8.2, Chess960: FIDE guidelines II.3): the squares that king and rook cross and land on
/// are empty except for the two, those of the king are safe, and moving the rook uncovers no check.
pub fn may_castle<S: Sliders>(
    position: &Position,
    us: Color,
    sliders: S,
    danger: Bitboard,
    rook: Square,
) -> bool {
    let king = position.king(us);
    let side = CastlingSide::of(king, rook);
    let (king_target, rook_target) = (side.king_target(us), side.rook_target(us));
    let king_path = attacks::between(king, king_target) | king_target.bitboard();
    let rook_path = attacks::between(rook, rook_target) | rook_target.bitboard();
    let others = position.occupied() ^ king.bitboard() ^ rook.bitboard();
    if (king_path | rook_path).intersects(others) || king_path.intersects(danger) {
        return false;
    }
    let straight = position.by_type(PieceType::Rook) | position.by_type(PieceType::Queen);
    let after = others | rook_target.bitboard();
    !(sliders.rook(king_target, after) & straight).intersects(position.by_color(!us))
}
