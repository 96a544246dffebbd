//! Several boards at once, one per 64-bit lane.
//!
//! The algorithm ([`super::batch`]) is written once, over [`Lanes`]; each width is a thin layer of
//! intrinsics. [`Portable`] is plain Rust: it runs anywhere and is the reference implementation in
//! tests.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2Lanes;
#[cfg(target_arch = "x86_64")]
pub(super) use avx512::Avx512Lanes;
#[cfg(target_arch = "aarch64")]
pub(super) use neon::NeonLanes;
pub(super) use portable::Portable;

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A bit matrix for GFNI that reverses the bits of a byte.
#[cfg(target_arch = "x86_64")]
const TURN: i64 = 0x8040_2010_0804_0201_u64.cast_signed();

/// Bytes for GFNI: multiplied by a board as the matrix, they give the mirrored board.
#[cfg(target_arch = "x86_64")]
const MIRROR: i64 = 0x0102_0408_1020_4080;

#[inline(always)]
fn rows<V: Lanes>(sets: [V; 8]) -> [[u64; 8]; 8] {
    let mut rows = [[0; 8]; 8];
    let mut set = 0;
    while set < 8 {
        let column = sets[set].to_array();
        let mut lane = 0;
        while lane < V::WIDTH {
            rows[lane][set] = column[lane];
            lane += 1;
        }
        set += 1;
    }
    rows
}

/// `WIDTH` bitboards, one per lane; every operation applies to all lanes.
///
/// All code over lanes must be inlined into a function compiled for the CPU: a function that is not
/// inlined would be slow, and passing vectors to it is unsound. Hence only `#[inline(always)]`
/// functions and plain loops are used, without closures, iterators or function pointers over lanes.
pub(super) trait Lanes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// Number of lanes, at most 8.
    const WIDTH: usize;

    /// The same value in every lane.
    fn splat(value: u64) -> Self;

    /// The first `WIDTH` bytes, all below 64, each widened to a lane.
    fn from_bytes(bytes: [u8; 8]) -> Self;

    /// The first `count` lanes; zero beyond.
    fn first(self, count: usize) -> Self;

    /// The sum of all lanes.
    fn sum(self) -> u64;

    /// The first lanes of an array.
    fn from_array(lanes: &[u64; 8]) -> Self;

    /// The lanes; zero beyond the last.
    fn to_array(self) -> [u64; 8];

    /// Adds, modulo 2^64.
    fn add(self, other: Self) -> Self;

    /// Subtracts, modulo 2^64.
    fn less(self, other: Self) -> Self;

    /// Multiplies numbers below 2^32.
    fn times(self, other: Self) -> Self;

    /// Adds byte by byte, modulo 256.
    fn add_bytes(self, other: Self) -> Self;

    /// Subtracts byte by byte, modulo 256.
    fn sub_bytes(self, other: Self) -> Self;

    /// Shifts left; `bits` is a constant once this is inlined, and below 64.
    fn shl(self, bits: u32) -> Self;

    /// Shifts right; `bits` is a constant once this is inlined, and below 64.
    fn shr(self, bits: u32) -> Self;

    /// A single bit, at the index held by each lane.
    fn bit(index: Self) -> Self;

    /// The number of bits set in all sets (at most 31), spread over the bytes of the lane: read by
    /// [`Lanes::total`] once all tallies are added.
    fn tally<const SETS: usize>(sets: [Self; SETS]) -> Self;

    /// The number of bits in a sum of tallies, at most 255.
    fn total(tally: Self) -> Self;

    /// The rows of a square matrix of eight lanes and eight sets: one row per lane.
    fn rows(sets: [Self; 8]) -> [[u64; 8]; 8];

    /// The bytes in reverse: the board turned for the other side.
    fn flipped(self) -> Self;

    /// Bit 0 becomes bit 63: the board rotated by 180 degrees.
    fn reversed(self) -> Self;

    /// A bit for each lane that is not zero.
    fn nonzero(self) -> u32;

    /// Whether a bit is set in any lane.
    fn any(self) -> bool;

    /// Whether [`Lanes::turned_bytes`] is cheap.
    const ROWS: bool;

    /// Whether [`Lanes::mirrored`] is cheap.
    const MIRRORS: bool;

    /// The board mirrored at the diagonal a8-h1: files become ranks. Mirroring twice gives the same
    /// board.
    fn mirrored(self) -> Self;

    /// Each byte's bits in reverse: the board mirrored left to right.
    fn turned_bytes(self) -> Self;

    /// With fewer pieces than this, the replies to all moves are counted sooner than forecast.
    const FEWEST_FORECAST: u32 = 0;

    /// Whether [`Lanes::indices`] is implemented.
    const LISTS: bool = false;

    /// Writes the indices of the bits set in `set`, at most `MOST` (16 or 32), lowest first; the
    /// bytes after them are undefined.
    #[inline(always)]
    fn indices<const MOST: usize>(_set: u64, _bytes: &mut [u8; MOST]) {
        unreachable!("never asked for, see `LISTS`");
    }

    /// `value` in the lanes where `test` is not zero, 0 elsewhere.
    fn when(test: Self, value: Self) -> Self;

    /// `value` in the lanes where `test` is zero, 0 elsewhere.
    fn unless(test: Self, value: Self) -> Self;
}
