//! Strictly legal move generation on bitboards (thesis, chapter 3).
//!
//! Checkers and pins are found first; every piece's targets are then masked, so that no move needs
//! to be tried: the squares that answer a check, the line of a pin, the squares that are safe for
//! the king. Only castling and en passant are tested one by one.
//!
//! This is the generator for play. [`super::mailbox`] is its oracle and shares only the types with
//! it.

mod generate;
mod list;
mod safety;

pub use generate::may_castle;
use generate::{generate, generate_captures};
pub use list::{MAX_MOVES, MoveList};
use list::{each_move, each_queening};
pub use safety::king_danger;

use super::attacks::Sliders;
use super::cpu::{self, CpuSliders, Multiversioned};
use super::{Bitboard, Move, PieceType, Position, Rank, Square};

/// The ranks on which pawns promote.
const LAST_RANKS: Bitboard = Bitboard(Rank::R1.bitboard().0 | Rank::R8.bitboard().0);

impl Position {
    /// All legal moves, without duplicates, in no particular order.
    pub fn legal_moves(&self) -> MoveList {
        struct List<'a>(&'a Position);
        impl Multiversioned for List<'_> {
            type Output = MoveList;
            #[inline(always)]
            fn run<S: Sliders>(self, sliders: S) -> MoveList {
                let mut moves = MoveList::new();
                self.0.each_legal_move(sliders, |_, m| moves.push(m));
                moves
            }
        }
        cpu::with_sliders(List(self))
    }

    /// The legal captures, including en passant, and the queen promotions, capturing or not,
    /// without duplicates, in no particular order. Underpromotions are excluded.
    pub fn legal_captures(&self) -> MoveList {
        struct Captures<'a>(&'a Position);
        impl Multiversioned for Captures<'_> {
            type Output = MoveList;
            #[inline(always)]
            fn run<S: Sliders>(self, sliders: S) -> MoveList {
                let mut moves = MoveList::new();
                self.0.each_legal_capture(sliders, |_, m| moves.push(m));
                moves
            }
        }
        cpu::with_sliders(Captures(self))
    }

    /// Calls `take` with each of [`Position::legal_moves`] in the same order, and the kind of the
    /// moving piece.
    #[inline(always)]
    pub fn each_legal_move<S: Sliders>(&self, sliders: S, mut take: impl FnMut(PieceType, Move)) {
        generate(self, sliders, Bitboard::ALL, |kind, from, targets| {
            each_move(kind, from, targets, |m| take(kind, m));
        });
    }

    /// Calls `take` with each of [`Position::legal_captures`] in the same order, and the kind of
    /// the moving piece.
    #[inline(always)]
    pub fn each_legal_capture<S: Sliders>(
        &self,
        sliders: S,
        mut take: impl FnMut(PieceType, Move),
    ) {
        generate_captures(self, sliders, |kind, from, targets| {
            each_queening(kind, from, targets, |m| take(kind, m));
        });
    }

    /// Number of legal moves.
    pub fn legal_move_count(&self) -> u32 {
        struct Count<'a>(&'a Position);
        impl Multiversioned for Count<'_> {
            type Output = u32;
            #[inline(always)]
            fn run<S: Sliders>(self, sliders: S) -> u32 {
                let mut count = 0;
                generate(self.0, sliders, Bitboard::ALL, |kind, _, targets| {
                    count += targets.count();
                    // Each piece to promote to makes a move of its own.
                    if kind == PieceType::Pawn {
                        count += 3 * (targets & LAST_RANKS).count();
                    }
                });
                count
            }
        }
        cpu::with_sliders(Count(self))
    }

    /// Whether a move is legal. Any move is accepted.
    pub fn is_legal(&self, m: Move) -> bool {
        cpu::with_sliders(IsLegal(self, m))
    }

    /// [`Position::is_legal`], for callers that have already chosen their sliders.
    #[inline(always)]
    pub fn is_legal_by<S: CpuSliders>(&self, m: Move, sliders: S) -> bool {
        sliders.enter(IsLegal(self, m))
    }

    #[inline(always)]
    fn is_legal_with<S: Sliders>(&self, m: Move, sliders: S) -> bool {
        let targets = self.legal_targets_with(m.from(), sliders);
        let promotes =
            self.by_type(PieceType::Pawn).contains(m.from()) && LAST_RANKS.contains(m.to());
        let promotion_fits = match m.promotion() {
            Some(kind) => promotes && PieceType::PROMOTIONS.contains(&kind),
            None => !promotes,
        };
        promotion_fits && targets.contains(m.to())
    }

    /// The legal target squares of the piece on `from`; for castling, the rook's square.
    pub fn legal_targets(&self, from: Square) -> Bitboard {
        struct Targets<'a>(&'a Position, Square);
        impl Multiversioned for Targets<'_> {
            type Output = Bitboard;
            #[inline(always)]
            fn run<S: Sliders>(self, sliders: S) -> Bitboard {
                self.0.legal_targets_with(self.1, sliders)
            }
        }
        cpu::with_sliders(Targets(self, from))
    }

    #[inline(always)]
    fn legal_targets_with<S: Sliders>(&self, from: Square, sliders: S) -> Bitboard {
        let mut found = Bitboard::EMPTY;
        generate(self, sliders, from.bitboard(), |_, _, targets| {
            found |= targets;
        });
        found
    }
}

/// The arguments of a call: is the move legal?
struct IsLegal<'a>(&'a Position, Move);

impl Multiversioned for IsLegal<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> bool {
        let Self(position, m) = self;
        position.is_legal_with(m, sliders)
    }
}
