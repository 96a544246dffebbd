//! Squares, files and ranks. a1 is 0, b1 is 1, h8 is 63.

use std::fmt;
use std::str::FromStr;

use super::{Bitboard, Color};

index_enum! {
    /// A file, a to h.
    #[expect(missing_docs, reason = "the name is the meaning")]
    pub enum File { A, B, C, D, E, F, G, H }
}

index_enum! {
    /// A rank, 1 to 8.
    #[expect(missing_docs, reason = "the name is the meaning")]
    pub enum Rank { R1, R2, R3, R4, R5, R6, R7, R8 }
}

index_enum! {
    /// One of the 64 squares, in the order a1, b1, ... h1, a2, ... h8.
    #[expect(missing_docs, reason = "the name is the meaning")]
    pub enum Square {
        A1, B1, C1, D1, E1, F1, G1, H1,
        A2, B2, C2, D2, E2, F2, G2, H2,
        A3, B3, C3, D3, E3, F3, G3, H3,
        A4, B4, C4, D4, E4, F4, G4, H4,
        A5, B5, C5, D5, E5, F5, G5, H5,
        A6, B6, C6, D6, E6, F6, G6, H6,
        A7, B7, C7, D7, E7, F7, G7, H7,
        A8, B8, C8, D8, E8, F8, G8, H8,
    }
}

impl File {
    /// The file's letter, `a` to `h`.
    pub const fn to_char(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file with this lower-case letter, `a` to `h`.
    pub const fn from_char(letter: char) -> Option<Self> {
        match letter {
            'a'..='h' => Self::try_from_index(letter as usize - 'a' as usize),
            _ => None,
        }
    }

    /// All eight squares of the file.
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << self as u32)
    }
}

impl Rank {
    /// The rank's digit, `1` to `8`.
    pub const fn to_char(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank with this digit, `1` to `8`.
    pub const fn from_char(digit: char) -> Option<Self> {
        match digit {
            '1'..='8' => Self::try_from_index(digit as usize - '1' as usize),
            _ => None,
        }
    }

    /// The rank as seen by `color`: White's first rank is rank 1, Black's is rank 8.
    #[inline(always)]
    pub const fn relative_to(self, color: Color) -> Self {
        match color {
            Color::White => self,
            Color::Black => match Self::try_from_index(7 - self as usize) {
                Some(rank) => rank,
                None => unreachable!(),
            },
        }
    }

    /// All eight squares of the rank.
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0xff << (8 * self as u32))
    }
}

impl Square {
    /// The square on this file and rank.
    #[inline(always)]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::from_low_bits(rank as u32 * 8 + file as u32)
    }

    /// The square whose index is the low six bits of `bits`.
    #[inline(always)]
    pub(crate) const fn from_low_bits(bits: u32) -> Self {
        match Self::try_from_index((bits & 63) as usize) {
            Some(square) => square,
            None => unreachable!(),
        }
    }

    /// The square's file.
    #[inline(always)]
    pub const fn file(self) -> File {
        match File::try_from_index(self as usize & 7) {
            Some(file) => file,
            None => unreachable!(),
        }
    }

    /// The square's rank.
    #[inline(always)]
    pub const fn rank(self) -> Rank {
        match Rank::try_from_index(self as usize >> 3) {
            Some(rank) => rank,
            None => unreachable!(),
        }
    }

    /// The set of only this square.
    #[inline(always)]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self as u32)
    }

    /// The square `files` to the right and `ranks` up, or `None` if it is off the board.
    #[expect(clippy::cast_sign_loss, reason = "checked to be from 0 to 7")]
    pub const fn offset(self, files: i32, ranks: i32) -> Option<Self> {
        let file = (self as i32 & 7) + files;
        let rank = (self as i32 >> 3) + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Self::try_from_index((rank * 8 + file) as usize)
    }

    /// The square mirrored vertically: a1 becomes a8.
    #[inline(always)]
    pub const fn flip_rank(self) -> Self {
        Self::from_low_bits(self as u32 ^ 0b11_1000)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = [self.file().to_char() as u8, self.rank().to_char() as u8];
        f.pad(std::str::from_utf8(&name).map_err(|_| fmt::Error)?)
    }
}

/// Text that is not a square name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a square, expected a file a-h and a rank 1-8 such as e4")]
pub struct ParseSquareError {
    /// The rejected text.
    pub text: String,
}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        let mut letters = text.chars();
        let file = letters.next().and_then(File::from_char);
        let rank = letters.next().and_then(Rank::from_char);
        match (file, rank, letters.next()) {
            (Some(file), Some(rank), None) => Ok(Self::new(file, rank)),
            _ => Err(ParseSquareError {
                text: text.to_owned(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for square in Square::ALL {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
            assert_eq!(Square::try_from_index(square.index()), Some(square));
        }
        assert_eq!(Square::try_from_index(64), None);
    }

    #[test]
    fn bad_names_are_rejected() {
        for text in ["", "e", "e9", "i1", "E4", "e44", "4e", " e4", "é4"] {
            assert_eq!(
                text.parse::<Square>(),
                Err(ParseSquareError {
                    text: text.to_owned()
                })
            );
        }
    }

    #[test]
    fn offsets_stop_at_the_edge() {
        assert_eq!(Square::E4.offset(1, 2), Some(Square::F6));
        assert_eq!(Square::A1.offset(-1, 0), None);
        assert_eq!(Square::H8.offset(0, 1), None);
        assert_eq!(Square::H1.offset(1, 0), None);
    }

    #[test]
    fn flipping_and_relative_ranks() {
        assert_eq!(Square::B2.flip_rank(), Square::B7);
        assert_eq!(Rank::R2.relative_to(Color::Black), Rank::R7);
        assert_eq!(Rank::R2.relative_to(Color::White), Rank::R2);
    }
}
