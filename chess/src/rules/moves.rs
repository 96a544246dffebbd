//! A move, packed into 16 bits; the sides of castling.

use std::fmt;
use std::num::NonZeroU16;

use super::{Bitboard, Color, File, PieceType, Rank, Square, attacks};

/// A move: origin, target and promotion piece.
///
/// Castling is encoded as king takes rook (e1h1), in standard chess as in Chess960: that form is
/// never ambiguous. [`crate::notation`] converts to and from the other form.
///
/// Bits 0-5 hold the origin, 6-11 the target, 12-14 the promotion (0 for none, otherwise the kind's
/// index plus one); bit 15 is always set, so that `Option<Move>` has the same size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

const ALWAYS_SET: NonZeroU16 = NonZeroU16::new(1 << 15).expect("bit 15 is not zero");

impl Move {
    /// A move without promotion.
    #[inline(always)]
    pub fn new(from: Square, to: Square) -> Self {
        Self(ALWAYS_SET | (from as u16) | (to as u16) << 6)
    }

    /// A promotion.
    #[inline(always)]
    pub fn new_promotion(from: Square, to: Square, promotion: PieceType) -> Self {
        Self(ALWAYS_SET | (from as u16) | (to as u16) << 6 | (promotion as u16 + 1) << 12)
    }

    /// The origin.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0.get() as u32)
    }

    /// The target; for castling, the rook's square.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_low_bits((self.0.get() >> 6) as u32)
    }

    /// The promotion piece.
    #[inline(always)]
    pub const fn promotion(self) -> Option<PieceType> {
        PieceType::try_from_index(((self.0.get() >> 12 & 7) as usize).wrapping_sub(1))
    }

    /// The packed move; never 0.
    #[inline(always)]
    pub const fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// The move with this packed form; `None` for 0.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }
}

/// Writes the internal form: `e2e4`, `e7e8q`, castling as `e1h1`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(kind) => write!(f, "{}", kind.to_char().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

index_enum! {
    /// The side of the board towards which a king castles.
    pub enum CastlingSide {
        /// Towards the h-file: the king lands on g, the rook on f.
        King,
        /// Towards the a-file: the king lands on c, the rook on d.
        Queen,
    }
}

/// How castling is written in text; internally, a [`super::Move`] is always king takes rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastlingMode {
    /// By the king's two squares: `e1g1`.
    Standard,
    /// As king takes rook: `e1h1`.
    Chess960,
}

impl CastlingSide {
    /// The castling side of a rook on `rook` for a king on `king`.
    #[inline(always)]
    pub const fn new(king: Square, rook: Square) -> Self {
        if rook as u8 > king as u8 {
            Self::King
        } else {
            Self::Queen
        }
    }

    #[inline(always)]
    const fn on_first_rank(self, king_side: File, queen_side: File, color: Color) -> Square {
        let file = match self {
            Self::King => king_side,
            Self::Queen => queen_side,
        };
        Square::new(file, Rank::R1.relative_to(color))
    }

    /// The target square of the king (FIDE 3.8.2; Chess960: FIDE guidelines II.3).
    #[inline(always)]
    pub const fn king_target(self, color: Color) -> Square {
        self.on_first_rank(File::G, File::C, color)
    }

    /// The target square of the rook.
    #[inline(always)]
    pub const fn rook_target(self, color: Color) -> Square {
        self.on_first_rank(File::F, File::D, color)
    }

    /// The squares that the king on `king` and the rook on `rook` cross or reach: all must be empty
    /// but for the two.
    #[inline(always)]
    pub(crate) fn paths(king: Square, rook: Square, color: Color) -> [Bitboard; 2] {
        let side = Self::new(king, rook);
        let path = |from, to: Square| attacks::between(from, to) | to.bitboard();
        [
            path(king, side.king_target(color)),
            path(rook, side.rook_target(color)),
        ]
    }

    /// The corner of the rook in standard chess.
    pub const fn standard_rook(self, color: Color) -> Square {
        self.on_first_rank(File::H, File::A, color)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packs_and_unpacks() {
        for from in Square::ALL {
            for to in Square::ALL {
                let plain = Move::new(from, to);
                assert_eq!(
                    (plain.from(), plain.to(), plain.promotion()),
                    (from, to, None)
                );
                for kind in PieceType::ALL {
                    let m = Move::new_promotion(from, to, kind);
                    assert_eq!((m.from(), m.to(), m.promotion()), (from, to, Some(kind)));
                }
            }
        }
    }
}
