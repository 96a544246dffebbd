//! The order of generation: king first, then everything that a double check does not forbid.

use super::safety::{Checks, checks};
use super::{king, pawns};
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
    /// The squares that are asked for, for all but pawns.
    targets: Bitboard,
}

impl Limits {
    /// The limits that checks and pins set; `None` in double check, where only the king may move.
    #[inline(always)]
    fn new(position: &Position, checks: Checks, targets: Bitboard) -> Option<Self> {
        let king = position.king(position.side_to_move());
        let answers = match checks.checkers.first() {
            None => Bitboard::ALL,
            Some(_) if checks.checkers.has_several() => return None,
            Some(checker) => attacks::between(king, checker) | checker.bitboard(),
        };
        Some(Self {
            king,
            pinned: checks.pinned,
            answers,
            targets,
        })
    }

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
    emit: impl FnMut(PieceType, Square, Bitboard),
) {
    let mut emit = unless_empty(emit);
    let checks = checks(position, sliders);
    king::generate(position, sliders, checks.checkers, &mut emit);
    let targets = !position.by_color(position.side_to_move());
    let Some(limits) = Limits::new(position, checks, targets) else {
        return;
    };
    pieces(position, sliders, limits, &mut emit);
    pawns::generate(position, limits, &mut emit);
    pawns::en_passant(position, sliders, &mut emit);
}

/// As [`generate`], but captures and pawns' moves to the last rank alone.
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
    let Some(limits) = Limits::new(position, checks, targets) else {
        return;
    };
    pieces(position, sliders, limits, &mut emit);
    pawns::captures(position, limits, &mut emit);
    pawns::en_passant(position, sliders, &mut emit);
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

/// Moves of knights, bishops, rooks and queens to squares of [`Limits::targets`].
#[inline(always)]
fn pieces<S: Sliders>(
    position: &Position,
    sliders: S,
    limits: Limits,
    emit: &mut impl FnMut(PieceType, Square, Bitboard),
) {
    let us = position.side_to_move();
    let occupied = position.occupied();
    for from in position.pieces(us, PieceType::Knight) & !limits.pinned {
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
    for from in position.pieces(us, PieceType::Bishop) {
        slide(PieceType::Bishop, from, sliders.bishop(from, occupied));
    }
    for from in position.pieces(us, PieceType::Rook) {
        slide(PieceType::Rook, from, sliders.rook(from, occupied));
    }
    for from in position.pieces(us, PieceType::Queen) {
        let reached = sliders.bishop(from, occupied) | sliders.rook(from, occupied);
        slide(PieceType::Queen, from, reached);
    }
}
