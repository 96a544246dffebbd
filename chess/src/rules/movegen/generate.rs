//! Generation: king moves first, then everything that a double check rules out.

use super::safety::{MoveLimits, checks};
use super::{LAST_RANKS, king_danger};
use crate::rules::attacks::Sliders;
use crate::rules::{Bitboard, CastlingSide, Color, PieceType, Position, Rank, Square, attacks};

/// Calls `emit` with each of the `movers` that can move, its kind and its legal targets, which are
/// never empty. The target of a castling king is its rook's square. The targets of one piece may be
/// split over several calls.
#[inline(always)]
pub(super) fn generate<S: Sliders>(
    position: &Position,
    sliders: S,
    movers: Bitboard,
    emit: impl FnMut(PieceType, Square, Bitboard),
) {
    let mut emit = unless_empty(emit);
    let checks = checks(position, sliders);
    let us = position.side_to_move();
    if movers.contains(position.king(us)) {
        king_moves(position, sliders, checks.checkers, &mut emit);
    }
    let targets = !position.by_color(us);
    let Some(limits) = MoveLimits::new(position, checks, targets, movers) else {
        return;
    };
    pieces(position, sliders, limits, &mut emit);
    pawn_moves(position, limits, &mut emit);
    en_passant(position, sliders, movers, &mut emit);
}

/// As [`generate`], but only captures and pawn moves to the last rank.
#[inline(always)]
pub(super) fn generate_captures<S: Sliders>(
    position: &Position,
    sliders: S,
    emit: impl FnMut(PieceType, Square, Bitboard),
) {
    let mut emit = unless_empty(emit);
    let checks = checks(position, sliders);
    king_captures(position, sliders, &mut emit);
    let targets = position.by_color(!position.side_to_move());
    let Some(limits) = MoveLimits::new(position, checks, targets, Bitboard::ALL) else {
        return;
    };
    pieces(position, sliders, limits, &mut emit);
    pawn_captures(position, limits, &mut emit);
    en_passant(position, sliders, Bitboard::ALL, &mut emit);
}

#[inline(always)]
fn unless_empty(
    mut emit: impl FnMut(PieceType, Square, Bitboard),
) -> impl FnMut(PieceType, Square, Bitboard) {
    move |kind, from, targets: Bitboard| {
        if !targets.is_empty() {
            emit(kind, from, targets);
        }
    }
}

/// Moves of knights, bishops, rooks and queens among [`MoveLimits::movers`] to squares of [`MoveLimits::targets`].
#[inline(always)]
fn pieces<S: Sliders>(
    position: &Position,
    sliders: S,
    limits: MoveLimits,
    emit: &mut impl FnMut(PieceType, Square, Bitboard),
) {
    let ours = |kind| position.pieces(position.side_to_move(), kind) & limits.movers;
    let occupied = position.occupied();
    // A pinned knight cannot stay on the line of the pin.
    for from in ours(PieceType::Knight) & !limits.pinned {
        let reached = attacks::knight(from);
        emit(
            PieceType::Knight,
            from,
            reached & limits.targets & limits.answers,
        );
    }
    let mut slide = |kind, from, reached: Bitboard| {
        emit(kind, from, reached & limits.targets & limits.allowed(from));
    };
    for from in ours(PieceType::Bishop) {
        slide(PieceType::Bishop, from, sliders.bishop(from, occupied));
    }
    for from in ours(PieceType::Rook) {
        slide(PieceType::Rook, from, sliders.rook(from, occupied));
    }
    for from in ours(PieceType::Queen) {
        let reached = sliders.bishop(from, occupied) | sliders.rook(from, occupied);
        slide(PieceType::Queen, from, reached);
    }
}

#[inline(always)]
fn king_moves<S: Sliders>(
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
    // The king may not castle out of check (FIDE 3.8.2).
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
fn king_captures<S: Sliders>(
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
    let side = CastlingSide::new(king, rook);
    let (king_target, rook_target) = (side.king_target(us), side.rook_target(us));
    let [king_path, rook_path] = CastlingSide::paths(king, rook, us);
    let others = position.occupied() ^ king.bitboard() ^ rook.bitboard();
    if (king_path | rook_path).intersects(others) || king_path.intersects(danger) {
        return false;
    }
    // Only in Chess960 can the rook's leaving uncover an attack on the king's target.
    let straight = position.by_type(PieceType::Rook) | position.by_type(PieceType::Queen);
    let after = others | rook_target.bitboard();
    !(sliders.rook(king_target, after) & straight).intersects(position.by_color(!us))
}

/// Pushes and ordinary captures, including promotions.
#[inline(always)]
fn pawn_moves(
    position: &Position,
    limits: MoveLimits,
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
fn pawn_captures(
    position: &Position,
    limits: MoveLimits,
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
fn en_passant<S: Sliders>(
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
        // Checks from before the move are found here, too: `limits` know nothing of en passant.
        let attackers = position.attackers_to(king, after, sliders);
        let remaining = position.by_color(!us) & !victim.bitboard();
        if !attackers.intersects(remaining) {
            emit(PieceType::Pawn, from, target.bitboard());
        }
    }
}
