//! A fixed-capacity list of moves.

use std::ops::Deref;

use arrayvec::ArrayVec;

use super::LAST_RANKS;
use crate::rules::{Bitboard, Move, PieceType, Square};

/// Capacity for the moves of any legal position.
///
/// No reachable position is known to have more than 218 moves
/// (`R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1`). A crude but sufficient bound for every
/// position that passes validation: eight promoted queens and the original one with at most 27
/// moves each, two rooks with 14, two bishops with 13, two knights with 8, a king with 8 and two
/// castling moves; a pawn kept instead of a queen has at most 12. That is 323.
pub const MAX_MOVES: usize = 9 * 27 + 2 * 14 + 2 * 13 + 2 * 8 + 10;

/// The moves of a position, stored inline. Dereferences to a slice of [`Move`].
#[derive(Clone, Debug, Default)]
pub struct MoveList(ArrayVec<Move, MAX_MOVES>);

impl MoveList {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self(ArrayVec::new())
    }

    /// Adds a move.
    #[inline(always)]
    pub(super) fn push(&mut self, m: Move) {
        self.0.push(m);
    }
}

/// Calls `take` with a move to each target; four times for a pawn move to the last rank.
#[inline(always)]
pub(super) fn each_move(
    kind: PieceType,
    from: Square,
    targets: Bitboard,
    mut take: impl FnMut(Move),
) {
    if kind == PieceType::Pawn && targets.intersects(LAST_RANKS) {
        for to in targets {
            for promotion in PieceType::PROMOTIONS {
                take(Move::new_promotion(from, to, promotion));
            }
        }
    } else {
        for to in targets {
            take(Move::new(from, to));
        }
    }
}

/// Calls `take` with a move to each target; once for a pawn move to the last rank, as a queen
/// promotion.
#[inline(always)]
pub(super) fn each_queening(
    kind: PieceType,
    from: Square,
    targets: Bitboard,
    mut take: impl FnMut(Move),
) {
    let promotes = kind == PieceType::Pawn && targets.intersects(LAST_RANKS);
    for to in targets {
        take(if promotes {
            Move::new_promotion(from, to, PieceType::Queen)
        } else {
            Move::new(from, to)
        });
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = arrayvec::IntoIter<Move, MAX_MOVES>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
