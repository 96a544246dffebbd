//! Two lanes in each of several 128-bit registers.
#![expect(unsafe_code, reason = "intrinsics; see the safety note on the type")]

use std::arch::aarch64::{
    uint8x16_t, uint64x2_t, vaddq_u8, vaddq_u64, vaddvq_u64, vandq_u64, vceqzq_u64, vcntq_u8,
    vcombine_u8, vcreate_u8, vdupq_n_u64, veorq_u64, vld1q_u8, vld1q_u64, vmaxvq_u32, vmvnq_u8,
    vorrq_u64, vpaddlq_u8, vpaddlq_u16, vpaddlq_u32, vqtbl1q_u8, vrbitq_u8, vreinterpretq_s64_u64,
    vreinterpretq_u8_u64, vreinterpretq_u32_u64, vreinterpretq_u64_u8, vrev64q_u8, vshlq_n_u64,
    vshlq_u64, vshrq_n_u64, vst1q_u64, vsubq_u8, vtstq_u64,
};
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::Lanes;

/// Twice as many lanes as there are registers, at most four of these.
///
/// Safety: every method uses NEON only, which this module is compiled for: it belongs to the
/// baseline of the architecture. Methods access memory only through the references they are given.
#[derive(Clone, Copy)]
pub(in super::super) struct Neon<const REGISTERS: usize>([uint64x2_t; REGISTERS]);

/// The shift counts in use: the instructions want them as constants.
macro_rules! by_constant {
    ($shift:ident, $bits:expr, $value:expr) => {
        by_constant!($shift, $bits, $value, 1 2 4 7 8 9 14 16 18 28 32 36)
    };
    ($shift:ident, $bits:expr, $value:expr, $($known:literal)+) => {
        match $bits {
            $($known => $shift::<$known>($value),)+
            _ => unreachable!("a shift by a count that is not listed"),
        }
    };
}

/// For each register, where the bytes of its two lanes come from; beyond the table is zero.
const SPREAD: [[u8; 16]; 4] = {
    let mut all = [[u8::MAX; 16]; 4];
    let mut byte = 0;
    while byte < 8 {
        all[byte as usize / 2][byte as usize % 2 * 8] = byte;
        byte += 1;
    }
    all
};

#[inline(always)]
fn as_bytes(lanes: uint64x2_t) -> uint8x16_t {
    // SAFETY: the feature is there, see the type `Neon`.
    unsafe { vreinterpretq_u8_u64(lanes) }
}

#[inline(always)]
fn as_lanes(bytes: uint8x16_t) -> uint64x2_t {
    // SAFETY: the feature is there, see the type `Neon`.
    unsafe { vreinterpretq_u64_u8(bytes) }
}

impl<const REGISTERS: usize> Neon<REGISTERS> {
    #[inline(always)]
    fn map(mut self, f: impl Fn(uint64x2_t) -> uint64x2_t) -> Self {
        for register in &mut self.0 {
            *register = f(*register);
        }
        self
    }

    #[inline(always)]
    fn zip(mut self, other: Self, f: impl Fn(uint64x2_t, uint64x2_t) -> uint64x2_t) -> Self {
        for index in 0..REGISTERS {
            self.0[index] = f(self.0[index], other.0[index]);
        }
        self
    }
}

impl<const REGISTERS: usize> BitAnd for Neon<REGISTERS> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        self.zip(other, |a, b| unsafe { vandq_u64(a, b) })
    }
}

impl<const REGISTERS: usize> BitOr for Neon<REGISTERS> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        self.zip(other, |a, b| unsafe { vorrq_u64(a, b) })
    }
}

impl<const REGISTERS: usize> BitXor for Neon<REGISTERS> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        self.zip(other, |a, b| unsafe { veorq_u64(a, b) })
    }
}

impl<const REGISTERS: usize> Not for Neon<REGISTERS> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: the feature is there, see the type.
        self.map(|a| unsafe { as_lanes(vmvnq_u8(as_bytes(a))) })
    }
}

impl<const REGISTERS: usize> Lanes for Neon<REGISTERS> {
    const WIDTH: usize = 2 * REGISTERS;

    #[inline(always)]
    fn splat(value: u64) -> Self {
        // SAFETY: the feature is there, see the type.
        Self([unsafe { vdupq_n_u64(value) }; REGISTERS])
    }

    #[inline(always)]
    fn from_bytes(bytes: [u8; 8]) -> Self {
        let mut lanes = Self::splat(0);
        // SAFETY: the feature is there, see the type; the load reads exactly sixteen bytes.
        unsafe {
            let all = vcombine_u8(vcreate_u8(u64::from_le_bytes(bytes)), vcreate_u8(0));
            for (register, places) in lanes.0.iter_mut().zip(&SPREAD) {
                *register = as_lanes(vqtbl1q_u8(all, vld1q_u8(places.as_ptr())));
            }
        }
        lanes
    }

    #[inline(always)]
    fn first(self, count: usize) -> Self {
        const ONES_THEN_ZEROS: [u64; 16] = [!0, !0, !0, !0, !0, !0, !0, !0, 0, 0, 0, 0, 0, 0, 0, 0];
        if count >= Self::WIDTH {
            return self;
        }
        let mut wanted = self;
        for (index, register) in wanted.0.iter_mut().enumerate() {
            let two = &ONES_THEN_ZEROS[8 - count + 2 * index..][..2];
            // SAFETY: the feature is there, see the type; the load reads exactly the two numbers.
            *register = unsafe { vld1q_u64(two.as_ptr()) };
        }
        self & wanted
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        let mut sum = 0;
        for register in self.0 {
            // SAFETY: the feature is there, see the type.
            sum += unsafe { vaddvq_u64(register) };
        }
        sum
    }

    #[inline(always)]
    fn to_array(self) -> [u64; 8] {
        let mut lanes = [0_u64; 8];
        for (two, register) in lanes.chunks_exact_mut(2).zip(self.0) {
            // SAFETY: the feature is there, see the type; the store writes exactly the two numbers.
            unsafe { vst1q_u64(two.as_mut_ptr(), register) };
        }
        lanes
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        self.zip(other, |a, b| unsafe { vaddq_u64(a, b) })
    }

    #[inline(always)]
    fn add_bytes(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        self.zip(other, |a, b| unsafe {
            as_lanes(vaddq_u8(as_bytes(a), as_bytes(b)))
        })
    }

    #[inline(always)]
    fn sub_bytes(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        self.zip(other, |a, b| unsafe {
            as_lanes(vsubq_u8(as_bytes(a), as_bytes(b)))
        })
    }

    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        // SAFETY: the feature is there, see the type.
        self.map(|a| unsafe { by_constant!(vshlq_n_u64, bits, a) })
    }

    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        // SAFETY: the feature is there, see the type.
        self.map(|a| unsafe { by_constant!(vshrq_n_u64, bits, a) })
    }

    #[inline(always)]
    fn bit(index: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        index.map(|index| unsafe { vshlq_u64(vdupq_n_u64(1), vreinterpretq_s64_u64(index)) })
    }

    #[inline(always)]
    fn tally<const SETS: usize>(sets: [Self; SETS]) -> Self {
        const { assert!(SETS * 8 < 256) };
        let mut sum = Self::splat(0);
        for set in sets {
            // SAFETY: the feature is there, see the type.
            let bytes = set.map(|a| unsafe { as_lanes(vcntq_u8(as_bytes(a))) });
            sum = sum.add_bytes(bytes);
        }
        sum
    }

    #[inline(always)]
    fn total(tally: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        tally.map(|a| unsafe { vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(as_bytes(a)))) })
    }

    #[inline(always)]
    fn reversed(self) -> Self {
        // SAFETY: the feature is there, see the type.
        self.turned_bytes()
            .map(|a| unsafe { as_lanes(vrev64q_u8(as_bytes(a))) })
    }

    #[inline(always)]
    fn any(self) -> bool {
        let mut all = self.0[0];
        for &register in &self.0[1..] {
            // SAFETY: the feature is there, see the type.
            all = unsafe { vorrq_u64(all, register) };
        }
        // SAFETY: the feature is there, see the type.
        unsafe { vmaxvq_u32(vreinterpretq_u32_u64(all)) != 0 }
    }

    const ROWS: bool = true;

    const MIRRORS: bool = false;

    #[inline(always)]
    fn mirrored(self) -> Self {
        unreachable!("never mirrored, see `MIRRORS`");
    }

    #[inline(always)]
    fn turned_bytes(self) -> Self {
        // SAFETY: the feature is there, see the type.
        self.map(|a| unsafe { as_lanes(vrbitq_u8(as_bytes(a))) })
    }

    #[inline(always)]
    fn when(test: Self, value: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        test.map(|a| unsafe { vtstq_u64(a, a) }) & value
    }

    #[inline(always)]
    fn unless(test: Self, value: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        test.map(|a| unsafe { vceqzq_u64(a) }) & value
    }
}
