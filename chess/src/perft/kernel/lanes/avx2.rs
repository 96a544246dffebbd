//! Four lanes in one 256-bit register.
#![expect(unsafe_code, reason = "intrinsics; see the safety note on the type")]

use std::arch::x86_64::{
    __m256i, _mm_cvtsi32_si128, _mm256_add_epi8, _mm256_add_epi64, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_castsi256_pd, _mm256_cmpeq_epi64, _mm256_cvtepu8_epi64,
    _mm256_gf2p8affine_epi64_epi8, _mm256_loadu_si256, _mm256_movemask_pd, _mm256_mul_epu32,
    _mm256_or_si256, _mm256_sad_epu8, _mm256_set1_epi8, _mm256_set1_epi64x, _mm256_setr_epi8,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_sll_epi64, _mm256_slli_epi64,
    _mm256_sllv_epi64, _mm256_srl_epi64, _mm256_srli_epi64, _mm256_storeu_si256, _mm256_sub_epi8,
    _mm256_sub_epi64, _mm256_testz_si256, _mm256_xor_si256,
};
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::{Lanes, MIRROR, TURN};

/// Four lanes, with GFNI or without.
///
/// Safety: every method is inlined into code that runs only behind the proof
/// [`crate::rules::cpu::Avx2`], which detects AVX2, and GFNI if `GFNI` is set. Methods access
/// memory only through the references they are given.
#[derive(Clone, Copy)]
pub(in super::super) struct Avx2Lanes<const GFNI: bool>(__m256i);

impl<const GFNI: bool> BitAnd for Avx2Lanes<GFNI> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm256_and_si256(self.0, other.0) })
    }
}

impl<const GFNI: bool> BitOr for Avx2Lanes<GFNI> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }
}

impl<const GFNI: bool> BitXor for Avx2Lanes<GFNI> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }
}

impl<const GFNI: bool> Not for Avx2Lanes<GFNI> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        self ^ Self::splat(!0)
    }
}

/// Each nibble with its bits reversed.
const TURNED: [i8; 16] = [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15];

/// Looks up each nibble of each byte in `table`: low nibbles in the first result, high ones in the
/// second.
///
/// # Safety
///
/// The CPU must have AVX2.
#[inline(always)]
unsafe fn nibbles(value: __m256i, table: [i8; 16]) -> (__m256i, __m256i) {
    let t = table;
    // SAFETY: guaranteed by the caller.
    unsafe {
        let table = _mm256_setr_epi8(
            t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], t[9], t[10], t[11], t[12], t[13],
            t[14], t[15], t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7], t[8], t[9], t[10], t[11],
            t[12], t[13], t[14], t[15],
        );
        let nibble = _mm256_set1_epi8(0x0f);
        let low = _mm256_and_si256(value, nibble);
        let high = _mm256_and_si256(_mm256_srli_epi64::<4>(value), nibble);
        (
            _mm256_shuffle_epi8(table, low),
            _mm256_shuffle_epi8(table, high),
        )
    }
}

impl<const GFNI: bool> Lanes for Avx2Lanes<GFNI> {
    const WIDTH: usize = 4;

    #[inline(always)]
    fn splat(value: u64) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm256_set1_epi64x(value.cast_signed()) })
    }

    #[inline(always)]
    fn from_bytes(bytes: [u8; 8]) -> Self {
        let [a, b, c, d, ..] = bytes;
        let four = i32::from_le_bytes([a, b, c, d]);
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(four)) })
    }

    #[inline(always)]
    fn first(self, count: usize) -> Self {
        const ONES_THEN_ZEROS: [u64; 8] = [!0, !0, !0, !0, 0, 0, 0, 0];
        if count >= 4 {
            return self;
        }
        // SAFETY: the feature is there, see the type; the four numbers lie within the array, since
        // `count` is below 4, and need no alignment.
        let wanted = unsafe { _mm256_loadu_si256(ONES_THEN_ZEROS.as_ptr().add(4 - count).cast()) };
        self & Self(wanted)
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        self.to_array().iter().sum()
    }

    #[inline(always)]
    fn from_array(lanes: &[u64; 8]) -> Self {
        // SAFETY: the feature is there, see the type; the load reads the first four numbers and
        // needs no alignment.
        Self(unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn to_array(self) -> [u64; 8] {
        let mut lanes = [0_u64; 8];
        // SAFETY: the feature is there, see the type; the store writes the first four lanes and
        // needs no alignment.
        unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), self.0) };
        lanes
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm256_add_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn less(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm256_sub_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm256_mul_epu32(self.0, other.0) })
    }

    #[inline(always)]
    fn nonzero(self) -> u32 {
        // SAFETY: the feature is there, see the type.
        let zero = unsafe {
            let zero = _mm256_cmpeq_epi64(self.0, _mm256_setzero_si256());
            _mm256_movemask_pd(_mm256_castsi256_pd(zero))
        };
        !zero.cast_unsigned() & 0xf
    }

    #[inline(always)]
    fn add_bytes(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm256_add_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn sub_bytes(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm256_sub_epi8(self.0, other.0) })
    }

    // A shift by a register that holds a constant is compiled to the immediate form.
    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(bits.cast_signed())) })
    }

    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(bits.cast_signed())) })
    }

    #[inline(always)]
    fn bit(index: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm256_sllv_epi64(_mm256_set1_epi64x(1), index.0) })
    }

    /// By nibbles (Mula, Kurz and Lemire, "Faster population counts using AVX2 instructions"):
    /// summed bytewise, at most 8 per byte and set.
    #[expect(
        clippy::needless_range_loop,
        reason = "iterators need not be inlined, see `Lanes`"
    )]
    #[inline(always)]
    fn tally<const SETS: usize>(sets: [Self; SETS]) -> Self {
        const { assert!(SETS * 8 < 256) };
        // SAFETY: the feature is there, see the type.
        Self(unsafe {
            let mut bytes = _mm256_setzero_si256();
            for index in 0..SETS {
                let (low, high) = nibbles(
                    sets[index].0,
                    [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4],
                );
                bytes = _mm256_add_epi8(bytes, _mm256_add_epi8(low, high));
            }
            bytes
        })
    }

    #[inline(always)]
    fn total(tally: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm256_sad_epu8(tally.0, _mm256_setzero_si256()) })
    }

    #[inline(always)]
    fn rows(sets: [Self; 8]) -> [[u64; 8]; 8] {
        super::rows(sets)
    }

    #[inline(always)]
    fn reversed(self) -> Self {
        self.turned_bytes().flipped()
    }

    #[inline(always)]
    fn flipped(self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe {
            let swap = _mm256_setr_epi8(
                7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 15,
                14, 13, 12, 11, 10, 9, 8,
            );
            _mm256_shuffle_epi8(self.0, swap)
        })
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: the feature is there, see the type.
        unsafe { _mm256_testz_si256(self.0, self.0) == 0 }
    }

    const ROWS: bool = GFNI;

    const MIRRORS: bool = GFNI;

    #[inline(always)]
    fn mirrored(self) -> Self {
        if !GFNI {
            unreachable!("never mirrored without GFNI, see `MIRRORS`");
        }
        // SAFETY: the features are there, see the type.
        Self(unsafe { _mm256_gf2p8affine_epi64_epi8::<0>(_mm256_set1_epi64x(MIRROR), self.0) })
    }

    #[inline(always)]
    fn turned_bytes(self) -> Self {
        if GFNI {
            // SAFETY: the features are there, see the type.
            return Self(unsafe {
                _mm256_gf2p8affine_epi64_epi8::<0>(self.0, _mm256_set1_epi64x(TURN))
            });
        }
        // SAFETY: the feature is there, see the type.
        Self(unsafe {
            let (low, high) = nibbles(self.0, TURNED);
            _mm256_or_si256(_mm256_slli_epi64::<4>(low), high)
        })
    }

    #[inline(always)]
    fn when(test: Self, value: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe {
            let zero = _mm256_cmpeq_epi64(test.0, _mm256_setzero_si256());
            _mm256_andnot_si256(zero, value.0)
        })
    }

    #[inline(always)]
    fn unless(test: Self, value: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe {
            let zero = _mm256_cmpeq_epi64(test.0, _mm256_setzero_si256());
            _mm256_and_si256(zero, value.0)
        })
    }
}
