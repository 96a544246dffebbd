//! The board of the kernels; the side to move plays up the board.

use super::super::table::CountKey;
use super::step::{DIAGONAL, DOUBLE_STEP, KING, KNIGHT, PAWN, STRAIGHT, Step, StepKind};
use crate::rules::cpu;
use crate::rules::{Bitboard, CastlingSide, Color, PieceType, Position, Rank, Square};

/// One side's pieces. A queen is in both sets of sliders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Army {
    pub(super) pawns: Bitboard,
    pub(super) knights: Bitboard,
    /// Bishops and queens.
    pub(super) diagonal: Bitboard,
    /// Rooks and queens.
    pub(super) straight: Bitboard,
    pub(super) king: Bitboard,
}

/// A position as seen by the kernels. `us` moves up the board, towards rank 8; if Black is to move,
/// the board is flipped, so that a8 becomes a1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) us: Army,
    pub(super) them: Army,
    /// The rooks of both sides with castling rights.
    pub(super) castling: Bitboard,
    /// The square behind a pawn that has just made a double step, if a pawn of the side to move can
    /// capture there (pseudo-legally); else empty.
    pub(super) ep: Bitboard,
}

impl Army {
    /// All squares of the army.
    #[inline(always)]
    pub(super) fn all(&self) -> Bitboard {
        self.pawns | self.knights | self.diagonal | self.straight | self.king
    }

    #[inline(always)]
    fn map(&self, f: impl Fn(Bitboard) -> Bitboard) -> Self {
        Self {
            pawns: f(self.pawns),
            knights: f(self.knights),
            diagonal: f(self.diagonal),
            straight: f(self.straight),
            king: f(self.king),
        }
    }

    fn new(position: &Position, color: Color) -> Self {
        let squares = |kind| position.pieces(color, kind);
        let queens = squares(PieceType::Queen);
        Self {
            pawns: squares(PieceType::Pawn),
            knights: squares(PieceType::Knight),
            diagonal: squares(PieceType::Bishop) | queens,
            straight: squares(PieceType::Rook) | queens,
            king: squares(PieceType::King),
        }
    }
}

impl From<&Position> for Board {
    fn from(position: &Position) -> Self {
        let us = position.side_to_move();
        let ep = position
            .ep_square()
            .filter(|&square| !position.ep_capturers(square).is_empty());
        let board = Self {
            us: Army::new(position, us),
            them: Army::new(position, !us),
            castling: position.castling_rooks(),
            ep: ep.map_or(Bitboard::EMPTY, Square::bitboard),
        };
        match us {
            Color::White => board,
            Color::Black => board.map(turn),
        }
    }
}

#[inline(always)]
fn turn(set: Bitboard) -> Bitboard {
    Bitboard(set.0.swap_bytes())
}

impl Board {
    #[inline(always)]
    fn map(&self, f: impl Fn(Bitboard) -> Bitboard + Copy) -> Self {
        Self {
            us: self.us.map(f),
            them: self.them.map(f),
            castling: f(self.castling),
            ep: f(self.ep),
        }
    }

    /// The same position seen from the other side, which now moves up the board.
    #[inline(always)]
    pub(super) fn turned(&self) -> Self {
        let turned = self.map(turn);
        Self {
            us: turned.them,
            them: turned.us,
            ..turned
        }
    }

    /// The board after a step of `us`, not turned: `them`, now to move, still play down.
    #[inline(always)]
    pub(super) fn after(&self, step: Step) -> Self {
        let (from, to) = (step.from.bitboard(), step.to.bitboard());
        let mut next = *self;
        next.ep = Bitboard::EMPTY;
        if step.kind == StepKind::Castle {
            return next.after_castling(step);
        }
        let us = &mut next.us;
        let moved = from | to;
        match step.kind {
            StepKind::Pawn => us.pawns ^= moved,
            StepKind::DoubleStep => {
                us.pawns ^= moved;
                // Otherwise equal boards would have different keys in the table.
                if (to.east() | to.west()).intersects(self.them.pawns) {
                    next.ep = Bitboard(to.0 >> 8);
                }
            }
            StepKind::EnPassant => {
                us.pawns ^= moved;
                next.them.pawns ^= Bitboard(to.0 >> 8);
            }
            StepKind::Knight => us.knights ^= moved,
            StepKind::Bishop => us.diagonal ^= moved,
            StepKind::Rook => us.straight ^= moved,
            StepKind::Queen => {
                us.diagonal ^= moved;
                us.straight ^= moved;
            }
            StepKind::King => {
                us.king = to;
                next.castling &= !Rank::R1.bitboard();
            }
            StepKind::PromoteKnight => {
                us.pawns ^= from;
                us.knights ^= to;
            }
            StepKind::PromoteBishop => {
                us.pawns ^= from;
                us.diagonal ^= to;
            }
            StepKind::PromoteRook => {
                us.pawns ^= from;
                us.straight ^= to;
            }
            StepKind::PromoteQueen => {
                us.pawns ^= from;
                us.diagonal ^= to;
                us.straight ^= to;
            }
            StepKind::Castle => {}
        }
        next.them = next.them.map(|set| set & !to);
        next.castling &= !moved;
        next
    }

    /// Branch-free [`Board::after`] on bits, for a plain step or, with `PROMOTE`, a promotion.
    #[inline(always)]
    pub(super) fn after_bits<const PROMOTE: bool>(
        &self,
        from: Square,
        to: Square,
        kind: u8,
    ) -> Self {
        let (from, to) = (from.bitboard(), to.bitboard());
        let moved = from | to;
        // A promoting pawn leaves as a pawn and arrives as the promotion piece.
        let moving = if PROMOTE { to } else { moved };
        let when = |bits: u8, set: Bitboard| {
            if kind & bits == 0 {
                Bitboard::EMPTY
            } else {
                set
            }
        };
        let mut next = *self;
        next.us.pawns ^= if PROMOTE { from } else { when(PAWN, moving) };
        next.us.knights ^= when(KNIGHT, moving);
        next.us.diagonal ^= when(DIAGONAL, moving);
        next.us.straight ^= when(STRAIGHT, moving);
        if !PROMOTE {
            next.us.king ^= when(KING, moving);
        }
        next.them = next.them.map(|set| set & !to);
        next.castling &= !(moved | when(KING, Rank::R1.bitboard()));
        next.ep = Bitboard::EMPTY;
        if kind & DOUBLE_STEP != 0 && (to.east() | to.west()).intersects(self.them.pawns) {
            next.ep = Bitboard(to.0 >> 8);
        }
        next
    }

    fn after_castling(mut self, step: Step) -> Self {
        let side = CastlingSide::new(step.from, step.to);
        self.us.king = side.king_target(Color::White).bitboard();
        self.us.straight ^= step.to.bitboard();
        self.us.straight |= side.rook_target(Color::White).bitboard();
        self.castling &= !Rank::R1.bitboard();
        self
    }

    /// The position and the depth, packed without loss. Four bits encode the 15 possible contents
    /// of an occupied square: the six pieces of each side, a rook with castling rights of each
    /// side, and a pawn of `them` that can be taken en passant.
    pub(super) fn key(&self, depth: u32) -> CountKey {
        let (us, them) = (&self.us, &self.them);
        let occupied = us.all() | them.all();
        let pawns = us.pawns | them.pawns & !Bitboard(self.ep.0 >> 8);
        let knights = us.knights | them.knights;
        let (diagonal, straight) = (us.diagonal | them.diagonal, us.straight | them.straight);
        let king = us.king | them.king;
        // Pawn 1, knight 2, bishop 3, rook 4, queen 5, king 6, castling rook 7, en passant pawn 0.
        let planes = [
            pawns | diagonal | self.castling,
            knights | diagonal & !straight | king | self.castling,
            straight | king,
            them.all(),
        ];
        debug_assert!(occupied.count() <= 32);
        let packed = planes.map(|plane| cpu::pack(plane.0, occupied.0));
        CountKey {
            words: [
                occupied.0,
                packed[0] | packed[1] << 32,
                packed[2] | packed[3] << 32,
            ],
            depth,
        }
    }
}
