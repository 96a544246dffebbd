//! Lanes in plain Rust.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::Lanes;

/// Eight lanes, whatever the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Portable([u64; 8]);

impl Portable {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }
}

impl BitAnd for Portable {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl BitOr for Portable {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl BitXor for Portable {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

impl Not for Portable {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|a| !a))
    }
}

impl Lanes for Portable {
    const WIDTH: usize = 8;

    #[inline(always)]
    fn splat(value: u64) -> Self {
        Self([value; 8])
    }

    #[inline(always)]
    fn from_bytes(bytes: [u8; 8]) -> Self {
        Self(bytes.map(u64::from))
    }

    #[inline(always)]
    fn sum(self, count: usize) -> u64 {
        self.0.iter().take(count).sum()
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, u64::wrapping_add)
    }

    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        Self(self.0.map(|a| a << bits))
    }

    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        Self(self.0.map(|a| a >> bits))
    }

    #[inline(always)]
    fn bit(index: Self) -> Self {
        Self(index.0.map(|index| 1 << (index & 63)))
    }

    #[inline(always)]
    fn count<const SETS: usize>(sets: [Self; SETS]) -> Self {
        let counts = sets.map(|set| Self(set.0.map(|a| u64::from(a.count_ones()))));
        counts.into_iter().fold(Self::splat(0), Self::add)
    }

    #[inline(always)]
    fn reversed(self) -> Self {
        Self(self.0.map(u64::reverse_bits))
    }

    #[inline(always)]
    fn when(test: Self, value: Self) -> Self {
        test.zip(value, |test, value| if test == 0 { 0 } else { value })
    }

    #[inline(always)]
    fn unless(test: Self, value: Self) -> Self {
        test.zip(value, |test, value| if test == 0 { value } else { 0 })
    }
}
