//! Moves of pawns.

use super::LAST_RANKS;
use super::safety::Limits;
use crate::rules::attacks::{self, Sliders};
use crate::rules::{Bitboard, PieceType, Position, Rank, Square};

/// Pushes and ordinary captures, including promotions.
#[inline(always)]
pub(super) fn generate(
    position: &Position,
    limits: Limits,
    emit: &mut impl FnMut(PieceType, Square, Bitboard),
) {
    let us = position.side_to_move();
    let (empty, enemies) = (!position.occupied(), position.by_color(!us));
    let third_rank = Rank::R3.relative_to(us).bitboard();
    for from in position.pieces(us, PieceType::Pawn) & limits.movers {
        let step = from.bitboard().forward(us) & empty;
        let double_step = (step & third_rank).forward(us) & empty;
        let captures = attacks::pawn(us, from) & enemies;
        let targets = (step | double_step | captures) & limits.allowed(from);
        emit(PieceType::Pawn, from, targets);
    }
}

/// Ordinary captures, and pushes to the last rank.
#[inline(always)]
pub(super) fn captures(
    position: &Position,
    limits: Limits,
    emit: &mut impl FnMut(PieceType, Square, Bitboard),
) {
    let us = position.side_to_move();
    let (empty, enemies) = (!position.occupied(), position.by_color(!us));
    let last_steps = empty & LAST_RANKS;
    let able = enemies.pawn_attacks(!us) | last_steps.forward(!us);
    for from in position.pieces(us, PieceType::Pawn) & able {
        let steps = from.bitboard().forward(us) & last_steps;
        let targets = (steps | attacks::pawn(us, from) & enemies) & limits.allowed(from);
        emit(PieceType::Pawn, from, targets);
    }
}

/// En passant captures (FIDE 3.7.3.1). Two pawns leave their squares at once, which can uncover a
/// check on any line, even along the rank; so each capture is tested on the resulting board.
#[inline(always)]
pub(super) fn en_passant<S: Sliders>(
    position: &Position,
    sliders: S,
    movers: Bitboard,
    emit: &mut impl FnMut(PieceType, Square, Bitboard),
) {
    let Some(target) = position.ep_square() else {
        return;
    };
    let us = position.side_to_move();
    let king = position.king(us);
    let victim = Position::ep_victim(target);
    for from in position.ep_capturers(target) & movers {
        let after = position.occupied() ^ from.bitboard() ^ victim.bitboard() ^ target.bitboard();
        let attackers = position.attackers_to(king, after, sliders);
        let remaining = position.by_color(!us) & !victim.bitboard();
        if !attackers.intersects(remaining) {
            emit(PieceType::Pawn, from, target.bitboard());
        }
    }
}
