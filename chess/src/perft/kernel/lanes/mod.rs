//! Several boards at once: one 64-bit lane for each.
//!
//! The algorithm ([`super::batch`]) is written once, over [`Lanes`]; each width is a thin layer of
//! intrinsics. [`Portable`] is the same in plain Rust: it runs anywhere, and is the reference of the
//! others in tests.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(super) use avx512::Avx512;
pub(super) use portable::Portable;

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A matrix of bits for GFNI: bytes multiplied by it are turned round.
#[cfg(target_arch = "x86_64")]
const TURN: i64 = 0x8040_2010_0804_0201_u64.cast_signed();

/// Bytes for GFNI: multiplied by a board as the matrix, they are the board mirrored.
#[cfg(target_arch = "x86_64")]
const MIRROR: i64 = 0x0102_0408_1020_4080;

/// `WIDTH` bitboards, one in each lane; every operation is done in all lanes alike.
///
/// Code over lanes must be inlined, all of it, into a function compiled for the CPU: a function
/// that is not would be slow, and passing it vectors is not sound. So it is written with
/// `#[inline(always)]` functions and plain loops, without closures, iterators or pointers to
/// functions over lanes.
pub(super) trait Lanes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// How many lanes there are, at most 8.
    const WIDTH: usize;

    /// The same value in every lane.
    fn splat(value: u64) -> Self;

    /// The first `WIDTH` bytes, all below 64, each widened to its lane.
    fn from_bytes(bytes: [u8; 8]) -> Self;

    /// The first `count` lanes; zero beyond.
    fn first(self, count: usize) -> Self;

    /// The sum of all lanes.
    fn sum(self) -> u64;

    /// The lanes; zero beyond the last.
    fn to_array(self) -> [u64; 8];

    /// Adds, modulo 2^64.
    fn add(self, other: Self) -> Self;

    /// Adds byte by byte, modulo 256.
    fn add_bytes(self, other: Self) -> Self;

    /// Subtracts byte by byte, modulo 256.
    fn sub_bytes(self, other: Self) -> Self;

    /// Shifts left; `bits` is a constant once this is inlined, and below 64.
    fn shl(self, bits: u32) -> Self;

    /// Shifts right; `bits` is a constant once this is inlined, and below 64.
    fn shr(self, bits: u32) -> Self;

    /// A lone bit, at the index that each lane holds.
    fn bit(index: Self) -> Self;

    /// The number of bits set in all of the sets together, at most 31 sets.
    fn count<const SETS: usize>(sets: [Self; SETS]) -> Self;

    /// Bit 0 becomes bit 63: the board turned by half a circle.
    fn reversed(self) -> Self;

    /// Whether [`Lanes::mirrored`] and [`Lanes::turned_bytes`] are cheap.
    const MIRRORS: bool;

    /// The board mirrored at the diagonal a8-h1: files become ranks. Twice is the same board.
    fn mirrored(self) -> Self;

    /// Each byte's bits in reverse: the board mirrored left to right.
    fn turned_bytes(self) -> Self;

    /// Whether [`Lanes::indices`] is there.
    const LISTS: bool = false;

    /// Writes the indices of the bits set in `set`, lowest first; the bytes after them mean
    /// nothing.
    #[inline(always)]
    fn indices(_set: u64, _bytes: &mut [u8; 64]) {
        unreachable!("never asked for, see `LISTS`");
    }

    /// `value` in the lanes where `test` is not zero, else 0.
    fn when(test: Self, value: Self) -> Self;

    /// `value` in the lanes where `test` is zero, else 0.
    fn unless(test: Self, value: Self) -> Self;
}
