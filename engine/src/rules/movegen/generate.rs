//! The order of generation: king first, then everything that a double check does not forbid.

use super::{checks, king, pawns};
use crate::rules::attacks::{self, Sliders};
use crate::rules::{Bitboard, PieceType, Position, Square};

/// Where the pieces other than the king may go, as far as checks and pins are concerned.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Where the king stands.
    pub(super) king: Square,
    /// The pieces that must stay on their line with the king.
    pub(super) pinned: Bitboard,
    /// The squares that answer a check: the checker's and those between; all when there is none.
    pub(super) answers: Bitboard,
}

impl Limits {
    /// The squares allowed to the piece on `from`.
    #[inline(always)]
    pub(super) fn allowed(&self, from: Square) -> Bitboard {
        if self.pinned.contains(from) {
            self.answers & attacks::line(self.king, from)
        } else {
            self.answers
        }
    }
}

/// Calls `emit` with each piece that can move, its kind and its legal targets, which are never
/// empty. A castling king's target is its rook's square. Targets of one piece may come in parts.
#[inline(always)]
pub(super) fn generate<S: Sliders>(
    position: &Position,
    sliders: S,
    mut emit: impl FnMut(PieceType, Square, Bitboard),
) {
    let us = position.side_to_move();
    let checks = checks(position, sliders);
    let mut emit = |kind, from, targets: Bitboard| {
        if !targets.is_empty() {
            emit(kind, from, targets);
        }
    };
    king::generate(position, sliders, checks.checkers, &mut emit);
    let king = position.king(us);
    let answers = match checks.checkers.first() {
        None => Bitboard::ALL,
        Some(_) if checks.checkers.has_several() => return,
        Some(checker) => attacks::between(king, checker) | checker.bitboard(),
    };
    let limits = Limits {
        king,
        pinned: checks.pinned,
        answers,
    };
    let targets = !position.by_color(us);
    let occupied = position.occupied();
    for from in position.pieces(us, PieceType::Knight) & !limits.pinned {
        emit(
            PieceType::Knight,
            from,
            attacks::knight(from) & targets & answers,
        );
    }
    for from in position.pieces(us, PieceType::Bishop) {
        let reached = sliders.bishop(from, occupied);
        emit(
            PieceType::Bishop,
            from,
            reached & targets & limits.allowed(from),
        );
    }
    for from in position.pieces(us, PieceType::Rook) {
        let reached = sliders.rook(from, occupied);
        emit(
            PieceType::Rook,
            from,
            reached & targets & limits.allowed(from),
        );
    }
    for from in position.pieces(us, PieceType::Queen) {
        let reached = sliders.bishop(from, occupied) | sliders.rook(from, occupied);
        emit(
            PieceType::Queen,
            from,
            reached & targets & limits.allowed(from),
        );
    }
    pawns::generate(position, limits, &mut emit);
    pawns::en_passant(position, sliders, &mut emit);
}
