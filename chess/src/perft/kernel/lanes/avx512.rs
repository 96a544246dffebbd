//! Eight lanes in one 512-bit register.
#![expect(unsafe_code, reason = "intrinsics; see the safety note on the type")]

use std::arch::x86_64::{
    __m512i, _mm_cvtsi32_si128, _mm_cvtsi64_si128, _mm_storeu_si128, _mm256_storeu_si256,
    _mm512_add_epi8, _mm512_add_epi64, _mm512_and_si512, _mm512_castsi512_si128,
    _mm512_castsi512_si256, _mm512_cvtepu8_epi64, _mm512_gf2p8affine_epi64_epi8, _mm512_loadu_epi8,
    _mm512_loadu_epi64, _mm512_maskz_compress_epi8, _mm512_maskz_mov_epi64, _mm512_mul_epu32,
    _mm512_or_si512, _mm512_popcnt_epi64, _mm512_reduce_add_epi64, _mm512_set1_epi64,
    _mm512_set4_epi64, _mm512_shuffle_epi8, _mm512_shuffle_i64x2, _mm512_sll_epi64,
    _mm512_sllv_epi64, _mm512_srl_epi64, _mm512_storeu_epi64, _mm512_sub_epi8, _mm512_sub_epi64,
    _mm512_test_epi64_mask, _mm512_testn_epi64_mask, _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
    _mm512_xor_si512,
};
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::{Lanes, MIRROR, TURN};

/// Eight lanes.
///
/// Safety: every method is inlined into code that runs only behind the proof
/// [`crate::rules::cpu::Avx512`], which detects each feature used here: AVX-512 F, BW, VBMI2,
/// VPOPCNTDQ, and GFNI.
#[derive(Clone, Copy)]
pub(in super::super) struct Avx512Lanes(__m512i);

impl BitAnd for Avx512Lanes {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm512_and_si512(self.0, other.0) })
    }
}

impl BitOr for Avx512Lanes {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm512_or_si512(self.0, other.0) })
    }
}

impl BitXor for Avx512Lanes {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm512_xor_si512(self.0, other.0) })
    }
}

impl Not for Avx512Lanes {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        self ^ Self::splat(!0)
    }
}

/// The numbers of all even or all odd lanes: of `a`, `b`, `a`, `b` and so on.
///
/// # Safety
///
/// The CPU must have AVX-512.
#[inline(always)]
unsafe fn pairs(a: Avx512Lanes, b: Avx512Lanes, odd: usize) -> __m512i {
    // SAFETY: guaranteed by the caller.
    unsafe {
        if odd == 0 {
            _mm512_unpacklo_epi64(a.0, b.0)
        } else {
            _mm512_unpackhi_epi64(a.0, b.0)
        }
    }
}

/// Of four pairs in each of `a` and `b`, all even or all odd ones.
///
/// # Safety
///
/// The CPU must have AVX-512.
#[inline(always)]
unsafe fn every_other(a: __m512i, b: __m512i, odd: usize) -> __m512i {
    // SAFETY: guaranteed by the caller.
    unsafe {
        if odd == 0 {
            _mm512_shuffle_i64x2::<0b10_00_10_00>(a, b)
        } else {
            _mm512_shuffle_i64x2::<0b11_01_11_01>(a, b)
        }
    }
}

impl Lanes for Avx512Lanes {
    const WIDTH: usize = 8;

    #[inline(always)]
    fn splat(value: u64) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm512_set1_epi64(value.cast_signed()) })
    }

    #[inline(always)]
    fn from_bytes(bytes: [u8; 8]) -> Self {
        // Masking to below 64 spares a comparison where they are used as shift counts.
        let eight = i64::from_le_bytes(bytes) & 0x3f3f_3f3f_3f3f_3f3f;
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm512_cvtepu8_epi64(_mm_cvtsi64_si128(eight)) })
    }

    #[inline(always)]
    fn first(self, count: usize) -> Self {
        if count >= 8 {
            return self;
        }
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm512_maskz_mov_epi64(!(u8::MAX << count), self.0) })
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        // SAFETY: the feature is there, see the type.
        unsafe { _mm512_reduce_add_epi64(self.0) }.cast_unsigned()
    }

    #[inline(always)]
    fn from_array(lanes: &[u64; 8]) -> Self {
        // SAFETY: the feature is there, see the type; the load reads exactly the eight numbers and
        // needs no alignment.
        Self(unsafe { _mm512_loadu_epi64(lanes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn to_array(self) -> [u64; 8] {
        let mut lanes = [0_u64; 8];
        // SAFETY: the feature is there, see the type; the store writes exactly the eight lanes and
        // needs no alignment.
        unsafe { _mm512_storeu_epi64(lanes.as_mut_ptr().cast(), self.0) };
        lanes
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm512_add_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn less(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm512_sub_epi64(self.0, other.0) })
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm512_mul_epu32(self.0, other.0) })
    }

    #[inline(always)]
    fn nonzero(self) -> u32 {
        // SAFETY: the feature is there, see the type.
        u32::from(unsafe { _mm512_test_epi64_mask(self.0, self.0) })
    }

    #[inline(always)]
    fn add_bytes(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm512_add_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn sub_bytes(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm512_sub_epi8(self.0, other.0) })
    }

    // A shift by a register that holds a constant is compiled to the immediate form.
    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm512_sll_epi64(self.0, _mm_cvtsi32_si128(bits.cast_signed())) })
    }

    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm512_srl_epi64(self.0, _mm_cvtsi32_si128(bits.cast_signed())) })
    }

    #[inline(always)]
    fn bit(index: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm512_sllv_epi64(_mm512_set1_epi64(1), index.0) })
    }

    #[expect(
        clippy::needless_range_loop,
        reason = "iterators need not be inlined, see `Lanes`"
    )]
    #[inline(always)]
    fn tally<const SETS: usize>(sets: [Self; SETS]) -> Self {
        let mut sum = Self::splat(0);
        for index in 0..SETS {
            // SAFETY: the feature is there, see the type.
            sum = sum.add(Self(unsafe { _mm512_popcnt_epi64(sets[index].0) }));
        }
        sum
    }

    #[inline(always)]
    fn total(tally: Self) -> Self {
        tally
    }

    #[inline(always)]
    fn rows(sets: [Self; 8]) -> [[u64; 8]; 8] {
        let mut rows = [[0_u64; 8]; 8];
        // SAFETY: the feature is there, see the type; each store writes exactly one row and needs
        // no alignment.
        unsafe {
            // Pairs of numbers, then two pairs of two lanes, then rows.
            for odd in 0..2 {
                let ab = pairs(sets[0], sets[1], odd);
                let cd = pairs(sets[2], sets[3], odd);
                let ef = pairs(sets[4], sets[5], odd);
                let gh = pairs(sets[6], sets[7], odd);
                for half in 0..2 {
                    let (left, right) = (every_other(ab, cd, half), every_other(ef, gh, half));
                    for quarter in 0..2 {
                        let row = every_other(left, right, quarter);
                        let lane = odd + 2 * half + 4 * quarter;
                        _mm512_storeu_epi64(rows[lane].as_mut_ptr().cast(), row);
                    }
                }
            }
        }
        rows
    }

    #[inline(always)]
    fn reversed(self) -> Self {
        self.turned_bytes().flipped()
    }

    #[inline(always)]
    fn flipped(self) -> Self {
        const LOW: i64 = 0x0001_0203_0405_0607;
        const HIGH: i64 = 0x0809_0a0b_0c0d_0e0f;
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm512_shuffle_epi8(self.0, _mm512_set4_epi64(HIGH, LOW, HIGH, LOW)) })
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: the feature is there, see the type.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) != 0 }
    }

    const ROWS: bool = true;

    const MIRRORS: bool = true;

    #[inline(always)]
    fn mirrored(self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(MIRROR), self.0) })
    }

    #[inline(always)]
    fn turned_bytes(self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm512_gf2p8affine_epi64_epi8::<0>(self.0, _mm512_set1_epi64(TURN)) })
    }

    // In position 3, counting is a fifth faster than forecasting (docs/log/perft-speed.md).
    const FEWEST_FORECAST: u32 = 8;

    const LISTS: bool = true;

    #[inline(always)]
    fn indices<const MOST: usize>(set: u64, bytes: &mut [u8; MOST]) {
        const ALL: [i8; 64] = {
            let mut all = [0; 64];
            let mut index = 1;
            while index < 64 {
                all[index] = all[index - 1] + 1;
                index += 1;
            }
            all
        };
        const { assert!(MOST == 16 || MOST == 32) };
        // SAFETY: the features are there, see the type; the load reads 64 bytes, the store writes
        // `MOST`; they need no alignment.
        unsafe {
            let all = _mm512_loadu_epi8(ALL.as_ptr());
            let packed = _mm512_maskz_compress_epi8(set, all);
            if MOST == 16 {
                _mm_storeu_si128(bytes.as_mut_ptr().cast(), _mm512_castsi512_si128(packed));
            } else {
                _mm256_storeu_si256(bytes.as_mut_ptr().cast(), _mm512_castsi512_si256(packed));
            }
        }
    }

    #[inline(always)]
    fn when(test: Self, value: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm512_maskz_mov_epi64(_mm512_test_epi64_mask(test.0, test.0), value.0) })
    }

    #[inline(always)]
    fn unless(test: Self, value: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { _mm512_maskz_mov_epi64(_mm512_testn_epi64_mask(test.0, test.0), value.0) })
    }
}
