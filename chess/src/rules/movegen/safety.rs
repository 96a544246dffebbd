//! King safety: checkers, pinned pieces, unsafe squares.

use crate::rules::attacks::{self, Sliders};
use crate::rules::{Bitboard, Color, PieceType, Position, Square};

/// The checks on the side to move, and its pinned pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checks {
    /// The checking pieces, 0 to 2.
    pub(super) checkers: Bitboard,
    /// The side's own pieces that are the only one between their king and an enemy slider.
    pub(super) pinned: Bitboard,
}

/// Finds checkers and pins (thesis 3.8 and 3.9): enemy sliders that see the king through the side's
/// own pieces are snipers; with nothing between it is a check, with one piece a pin.
#[inline(always)]
pub(super) fn checks<S: Sliders>(position: &Position, sliders: S) -> Checks {
    let us = position.side_to_move();
    let king = position.king(us);
    let (ours, theirs) = (position.by_color(us), position.by_color(!us));
    let queens = position.by_type(PieceType::Queen);
    let snipers = theirs
        & (sliders.rook(king, theirs) & (position.by_type(PieceType::Rook) | queens)
            | sliders.bishop(king, theirs) & (position.by_type(PieceType::Bishop) | queens));
    let mut found = Checks {
        checkers: theirs
            & (attacks::knight(king) & position.by_type(PieceType::Knight)
                | attacks::pawn(us, king) & position.by_type(PieceType::Pawn)),
        pinned: Bitboard::EMPTY,
    };
    for sniper in snipers {
        let shield = attacks::between(king, sniper) & ours;
        if shield.is_empty() {
            found.checkers |= sniper.bitboard();
        } else if !shield.has_several() {
            found.pinned |= shield;
        }
    }
    found
}

/// Limits on the moves of pieces other than the king, from checks and pins.
#[derive(Clone, Copy)]
pub(super) struct MoveLimits {
    pub(super) king: Square,
    /// The pieces that must stay on their line with the king.
    pub(super) pinned: Bitboard,
    /// The squares that answer a check: the checker's and those between; all squares if there is
    /// none.
    pub(super) answers: Bitboard,
    /// The requested targets, for all pieces but pawns.
    pub(super) targets: Bitboard,
    /// The pieces whose moves are requested.
    pub(super) movers: Bitboard,
}

impl MoveLimits {
    /// The limits due to checks and pins; `None` in double check, when only the king may move.
    #[inline(always)]
    pub(super) fn new(
        position: &Position,
        checks: Checks,
        targets: Bitboard,
        movers: Bitboard,
    ) -> Option<Self> {
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
            movers,
        })
    }

    /// The allowed squares of the piece on `from`.
    #[inline(always)]
    pub(super) fn allowed(&self, from: Square) -> Bitboard {
        if self.pinned.contains(from) {
            self.answers & attacks::line(self.king, from)
        } else {
            self.answers
        }
    }
}

/// The squares attacked by `enemy` with the other side's king removed from the board: that king may
/// not go there (thesis 3.5, "Finding Safe Squares").
#[inline(always)]
pub fn king_danger<S: Sliders>(position: &Position, enemy: Color, sliders: S) -> Bitboard {
    let occupied = position.occupied() ^ position.king(!enemy).bitboard();
    let queens = position.pieces(enemy, PieceType::Queen);
    let mut danger = position.pieces(enemy, PieceType::Pawn).pawn_attacks(enemy)
        | attacks::king(position.king(enemy));
    for square in position.pieces(enemy, PieceType::Knight) {
        danger |= attacks::knight(square);
    }
    for square in position.pieces(enemy, PieceType::Bishop) | queens {
        danger |= sliders.bishop(square, occupied);
    }
    for square in position.pieces(enemy, PieceType::Rook) | queens {
        danger |= sliders.rook(square, occupied);
    }
    danger
}
