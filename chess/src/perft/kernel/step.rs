//! A move as the kernels make it, and the sinks that receive generated moves.

use arrayvec::ArrayVec;

use crate::rules::{Bitboard, MAX_MOVES, Square};

/// The moving piece, as bits: a queen is both sliders.
pub(super) const PAWN: u8 = 1;
pub(super) const KNIGHT: u8 = 2;
pub(super) const DIAGONAL: u8 = 4;
pub(super) const STRAIGHT: u8 = 8;
pub(super) const KING: u8 = 16;
/// A pawn's double step, combined with [`PAWN`].
pub(super) const DOUBLE_STEP: u8 = 32;

/// The moving piece and the kind of move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepKind {
    Pawn,
    DoubleStep,
    EnPassant,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
    PromoteKnight,
    PromoteBishop,
    PromoteRook,
    PromoteQueen,
    /// King takes rook.
    Castle,
}

/// A move of `us`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) kind: StepKind,
}

pub(super) type StepList = ArrayVec<Step, MAX_MOVES>;

pub(super) const PROMOTIONS: [StepKind; 4] = [
    StepKind::PromoteKnight,
    StepKind::PromoteBishop,
    StepKind::PromoteRook,
    StepKind::PromoteQueen,
];

/// Receives generated steps, many at once.
pub(super) trait Sink {
    /// Steps of one piece to each of the targets.
    fn piece(&mut self, kind: StepKind, from: Square, targets: Bitboard);

    /// Steps of pawns to each of the targets, each from the square whose index is `back` less.
    fn pawns(&mut self, kind: StepKind, targets: Bitboard, back: u8);

    /// As [`Sink::pawns`], but to the last rank: four steps for each target.
    fn promotions(&mut self, targets: Bitboard, back: u8);
}

/// A sink that passes on each step individually.
pub(super) struct Each<F>(pub(super) F);

impl<F: FnMut(Step)> Sink for Each<F> {
    #[inline(always)]
    fn piece(&mut self, kind: StepKind, from: Square, targets: Bitboard) {
        for to in targets {
            (self.0)(Step { from, to, kind });
        }
    }

    #[inline(always)]
    fn pawns(&mut self, kind: StepKind, targets: Bitboard, back: u8) {
        for to in targets {
            (self.0)(Step {
                from: behind(to, back),
                to,
                kind,
            });
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, back: u8) {
        for to in targets {
            for kind in PROMOTIONS {
                (self.0)(Step {
                    from: behind(to, back),
                    to,
                    kind,
                });
            }
        }
    }
}

/// The square whose index is `back` less.
#[inline(always)]
pub(super) fn behind(to: Square, back: u8) -> Square {
    Square::from_low_bits(to as u32 - u32::from(back))
}
