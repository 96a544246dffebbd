//! The two sides of castling, and the target squares of king and rook.

use super::{Color, File, Rank, Square};

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
    pub const fn of(king: Square, rook: Square) -> Self {
        if rook as u8 > king as u8 {
            Self::King
        } else {
            Self::Queen
        }
    }

    /// The target square of the king (FIDE 3.8.2; Chess960: FIDE guidelines II.3).
    #[inline(always)]
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::G,
            Self::Queen => File::C,
        };
        Square::new(file, Rank::R1.relative_to(color))
    }

    /// The target square of the rook.
    #[inline(always)]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::F,
            Self::Queen => File::D,
        };
        Square::new(file, Rank::R1.relative_to(color))
    }

    /// The corner of the rook in standard chess.
    pub const fn standard_rook(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::H,
            Self::Queen => File::A,
        };
        Square::new(file, Rank::R1.relative_to(color))
    }
}
