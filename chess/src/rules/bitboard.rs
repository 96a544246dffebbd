//! Sets of squares as 64-bit integers.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::{Color, File, Square};

/// A set of squares; bit 0 is a1, bit 63 is h8.
///
/// ```
/// use chess::rules::{Bitboard, Rank, Square};
///
/// let set = Rank::R4.bitboard() & !Square::E4.bitboard();
/// assert_eq!(set.count(), 7);
/// assert!(!set.contains(Square::E4));
/// assert_eq!(set.into_iter().next(), Some(Square::A4));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const ALL: Self = Self(!0);
    /// The four corners.
    pub const CORNERS: Self = Self(0x8100_0000_0000_0081);
    /// a1, c1, ... : the dark squares.
    pub const DARK: Self = Self(0xaa55_aa55_aa55_aa55);

    /// Whether the set holds no square.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of squares in the set, 0 to 64.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set holds `square`.
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & square.bitboard().0 != 0
    }

    /// Whether the two sets share a square.
    #[inline(always)]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the set holds two squares or more.
    #[inline(always)]
    pub const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The square with the lowest index.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_low_bits(self.0.trailing_zeros()))
        }
    }

    /// The square, if the set holds exactly one.
    #[inline(always)]
    pub const fn only(self) -> Option<Square> {
        if self.has_several() {
            None
        } else {
            self.first()
        }
    }

    /// Shifts every square one step ahead, as seen by `color`; squares shifted off the board are
    /// dropped.
    #[inline(always)]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::White => Self(self.0 << 8),
            Color::Black => Self(self.0 >> 8),
        }
    }

    /// Shifts every square one step towards the h-file.
    #[inline(always)]
    pub const fn east(self) -> Self {
        Self((self.0 & !File::H.bitboard().0) << 1)
    }

    /// Shifts every square one step towards the a-file.
    #[inline(always)]
    pub const fn west(self) -> Self {
        Self((self.0 & !File::A.bitboard().0) >> 1)
    }

    /// The squares that pawns of `color` on these squares attack.
    #[inline(always)]
    pub const fn pawn_attacks(self, color: Color) -> Self {
        let ahead = self.forward(color);
        Self(ahead.east().0 | ahead.west().0)
    }
}

macro_rules! set_operators {
    ($($op:tt $Trait:ident $function:ident, $Assign:ident $assign:ident;)+) => { $(
        impl $Trait for Bitboard {
            type Output = Self;
            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Self(self.0 $op other.0)
            }
        }

        impl $Assign for Bitboard {
            #[inline(always)]
            fn $assign(&mut self, other: Self) {
                *self = *self $op other;
            }
        }
    )+ };
}

set_operators! {
    | BitOr bitor, BitOrAssign bitor_assign;
    & BitAnd bitand, BitAndAssign bitand_assign;
    ^ BitXor bitxor, BitXorAssign bitxor_assign;
}

impl Not for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl From<Square> for Bitboard {
    fn from(square: Square) -> Self {
        square.bitboard()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares
            .into_iter()
            .fold(Self::EMPTY, |set, square| set | square.bitboard())
    }
}

/// The squares of a set, lowest index first.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// Draws the set as a board, rank 8 on top: `1` for a square in the set, `.` for any other.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let row: Vec<&str> = (0..8)
                .map(|file| {
                    if self.0 >> (rank * 8 + file) & 1 == 1 {
                        "1"
                    } else {
                        "."
                    }
                })
                .collect();
            writeln!(f, "{}", row.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterates_lowest_first() {
        let set: Bitboard = [Square::H8, Square::A1, Square::E4].into_iter().collect();
        let squares: Vec<Square> = set.into_iter().collect();
        assert_eq!(squares, [Square::A1, Square::E4, Square::H8]);
        assert_eq!(set.into_iter().len(), 3);
    }

    #[test]
    fn shifts_lose_what_leaves_the_board() {
        assert_eq!(Square::H4.bitboard().east(), Bitboard::EMPTY);
        assert_eq!(Square::A4.bitboard().west(), Bitboard::EMPTY);
        assert_eq!(Square::A8.bitboard().forward(Color::White), Bitboard::EMPTY);
        assert_eq!(
            Square::A2.bitboard().pawn_attacks(Color::White),
            Square::B3.bitboard()
        );
        assert_eq!(
            Square::H7.bitboard().pawn_attacks(Color::Black),
            Square::G6.bitboard()
        );
    }

    #[test]
    fn only_needs_exactly_one() {
        assert_eq!(Bitboard::EMPTY.only(), None);
        assert_eq!(Square::C3.bitboard().only(), Some(Square::C3));
        assert_eq!(Bitboard(3).only(), None);
    }
}
