//! Lanes in plain Rust.
//!
//! The operations are calls: inlined, as those of the other lanes are, they would make one function
//! of half a megabyte, a third of the time it takes to build the crate. Only tests
//! count by these lanes, as the reference for the others.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::Lanes;

/// Eight lanes on any CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Portable([u64; 8]);

impl Portable {
    #[inline(never)]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }
}

impl BitAnd for Portable {
    type Output = Self;
    #[inline(never)]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for Portable {
    type Output = Self;
    #[inline(never)]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl BitXor for Portable {
    type Output = Self;
    #[inline(never)]
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

impl Not for Portable {
    type Output = Self;
    #[inline(never)]
    fn not(self) -> Self {
        Self(self.0.map(|a| !a))
    }
}

impl Lanes for Portable {
    const WIDTH: usize = 8;

    #[inline(never)]
    fn splat(value: u64) -> Self {
        Self([value; 8])
    }

    #[inline(never)]
    fn from_bytes(bytes: [u8; 8]) -> Self {
        Self(bytes.map(u64::from))
    }

    #[inline(never)]
    fn first(self, count: usize) -> Self {
        Self(std::array::from_fn(|lane| {
            if lane < count { self.0[lane] } else { 0 }
        }))
    }

    #[inline(never)]
    fn sum(self) -> u64 {
        self.0.iter().sum()
    }

    #[inline(never)]
    fn from_array(lanes: &[u64; 8]) -> Self {
        Self(*lanes)
    }

    #[inline(never)]
    fn to_array(self) -> [u64; 8] {
        self.0
    }

    #[inline(never)]
    fn add(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_add)
    }

    #[inline(never)]
    fn less(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_sub)
    }

    #[inline(never)]
    fn times(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }

    #[inline(never)]
    fn nonzero(self) -> u32 {
        let bits = (0..8).filter(|&lane| self.0[lane] != 0);
        bits.map(|lane| 1 << lane).sum()
    }

    #[inline(never)]
    fn add_bytes(self, other: Self) -> Self {
        self.zip(other, |a, b| by_bytes(a, b, u8::wrapping_add))
    }

    #[inline(never)]
    fn sub_bytes(self, other: Self) -> Self {
        self.zip(other, |a, b| by_bytes(a, b, u8::wrapping_sub))
    }

    #[inline(never)]
    fn shl(self, bits: u32) -> Self {
        Self(self.0.map(|a| a << bits))
    }

    #[inline(never)]
    fn shr(self, bits: u32) -> Self {
        Self(self.0.map(|a| a >> bits))
    }

    #[inline(never)]
    fn bit(index: Self) -> Self {
        Self(index.0.map(|index| 1 << (index & 63)))
    }

    #[inline(never)]
    fn tally<const SETS: usize>(sets: [Self; SETS]) -> Self {
        let counts = sets.map(|set| Self(set.0.map(|a| u64::from(a.count_ones()))));
        counts.into_iter().fold(Self::splat(0), Self::add)
    }

    #[inline(never)]
    fn total(tally: Self) -> Self {
        tally
    }

    #[inline(never)]
    fn rows(sets: [Self; 8]) -> [[u64; 8]; 8] {
        super::rows(sets)
    }

    #[inline(never)]
    fn flipped(self) -> Self {
        Self(self.0.map(u64::swap_bytes))
    }

    #[inline(never)]
    fn reversed(self) -> Self {
        Self(self.0.map(u64::reverse_bits))
    }

    #[inline(never)]
    fn any(self) -> bool {
        self.0.iter().any(|&lane| lane != 0)
    }

    const ROWS: bool = true;

    const MIRRORS: bool = true;

    #[inline(never)]
    fn mirrored(self) -> Self {
        Self(self.0.map(mirror))
    }

    #[inline(never)]
    fn turned_bytes(self) -> Self {
        Self(self.0.map(|a| a.reverse_bits().swap_bytes()))
    }

    #[inline(never)]
    fn when(test: Self, value: Self) -> Self {
        test.zip(value, |test, value| if test == 0 { 0 } else { value })
    }

    #[inline(never)]
    fn unless(test: Self, value: Self) -> Self {
        test.zip(value, |test, value| if test == 0 { value } else { 0 })
    }
}

#[inline(never)]
fn by_bytes(a: u64, b: u64, f: impl Fn(u8, u8) -> u8) -> u64 {
    let (a, b) = (a.to_le_bytes(), b.to_le_bytes());
    u64::from_le_bytes(std::array::from_fn(|byte| f(a[byte], b[byte])))
}

/// Exchanges blocks of four, two and one squares beyond the diagonal a8-h1 (Knuth, The Art of
/// Computer Programming 4A, 7.1.3, "delta swap").
#[inline(never)]
fn mirror(board: u64) -> u64 {
    let swap = |board: u64, distance: u32, mask: u64| {
        let differ = (board ^ (board >> distance)) & mask;
        board ^ differ ^ (differ << distance)
    };
    let board = swap(board, 36, 0x0f0f_0f0f);
    let board = swap(board, 18, 0x0000_3333_0000_3333);
    swap(board, 9, 0x0055_0055_0055_0055)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Square;

    #[test]
    fn mirrors_at_the_diagonal_from_a8_to_h1() {
        for square in Square::ALL {
            let (file, rank) = (square.file().index(), square.rank().index());
            let expected = 1_u64 << ((7 - file) * 8 + (7 - rank));
            assert_eq!(mirror(square.bitboard().0), expected, "{square}");
        }
    }
}
