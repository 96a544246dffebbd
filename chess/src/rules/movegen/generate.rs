//! The order of generation: king moves first, then everything that a double check rules out.

use super::safety::{Limits, checks};
use super::{king, pawns};
use crate::rules::attacks::{self, Sliders};
use crate::rules::{Bitboard, PieceType, Position, Square};

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
        king::generate(position, sliders, checks.checkers, &mut emit);
    }
    let targets = !position.by_color(us);
    let Some(limits) = Limits::new(position, checks, targets, movers) else {
        return;
    };
    pieces(position, sliders, limits, &mut emit);
    pawns::generate(position, limits, &mut emit);
    pawns::en_passant(position, sliders, movers, &mut emit);
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
    king::captures(position, sliders, &mut emit);
    let targets = position.by_color(!position.side_to_move());
    let Some(limits) = Limits::new(position, checks, targets, Bitboard::ALL) else {
        return;
    };
    pieces(position, sliders, limits, &mut emit);
    pawns::captures(position, limits, &mut emit);
    pawns::en_passant(position, sliders, Bitboard::ALL, &mut emit);
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

/// Moves of knights, bishops, rooks and queens among [`Limits::movers`] to squares of [`Limits::targets`].
#[inline(always)]
fn pieces<S: Sliders>(
    position: &Position,
    sliders: S,
    limits: Limits,
    emit: &mut impl FnMut(PieceType, Square, Bitboard),
) {
    let ours = |kind| position.pieces(position.side_to_move(), kind) & limits.movers;
    let occupied = position.occupied();
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
