//! Two lanes in one 128-bit register.
#![expect(unsafe_code, reason = "intrinsics; see the safety note on the type")]

use std::arch::aarch64::{
    uint8x16_t, uint64x2_t, vaddq_u8, vaddq_u64, vaddvq_u64, vandq_u64, vceqzq_u64, vcntq_u8,
    vcombine_u8, vcreate_u8, vdupq_n_u64, veorq_u64, vld1q_u8, vld1q_u64, vmaxvq_u32, vmovn_u64,
    vmull_u32, vmvnq_u8, vorrq_u64, vpaddlq_u8, vpaddlq_u16, vpaddlq_u32, vqtbl1q_u8, vrbitq_u8,
    vreinterpretq_s64_u64, vreinterpretq_u8_u64, vreinterpretq_u32_u64, vreinterpretq_u64_u8,
    vrev64q_u8, vsetq_lane_u64, vshlq_n_u64, vshlq_u64, vshrq_n_u64, vst1q_u64, vsubq_u8,
    vsubq_u64, vtstq_u64,
};
use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::Lanes;

/// Two lanes. Four lanes in two registers take more instructions: fewer lanes are used, and more
/// values spill.
///
/// Safety: every method uses NEON only, which this module is compiled for: it belongs to the
/// baseline of the architecture. Methods access memory only through the references they are given.
#[derive(Clone, Copy)]
pub(in super::super) struct NeonLanes(uint64x2_t);

/// The shift counts in use: the instructions want them as constants.
macro_rules! by_constant {
    ($shift:ident, $bits:expr, $value:expr) => {
        by_constant!($shift, $bits, $value, 1 2 4 6 7 8 9 10 14 15 16 17 18 28 32 36)
    };
    ($shift:ident, $bits:expr, $value:expr, $($known:literal)+) => {
        match $bits {
            $($known => $shift::<$known>($value),)+
            _ => unreachable!("a shift by a count that is not listed"),
        }
    };
}

#[inline(always)]
fn as_bytes(lanes: uint64x2_t) -> uint8x16_t {
    // SAFETY: the feature is there, see the type.
    unsafe { vreinterpretq_u8_u64(lanes) }
}

#[inline(always)]
fn as_lanes(bytes: uint8x16_t) -> uint64x2_t {
    // SAFETY: the feature is there, see the type.
    unsafe { vreinterpretq_u64_u8(bytes) }
}

impl BitAnd for NeonLanes {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { vandq_u64(self.0, other.0) })
    }
}

impl BitOr for NeonLanes {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { vorrq_u64(self.0, other.0) })
    }
}

impl BitXor for NeonLanes {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { veorq_u64(self.0, other.0) })
    }
}

impl Not for NeonLanes {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(as_lanes(unsafe { vmvnq_u8(as_bytes(self.0)) }))
    }
}

impl Lanes for NeonLanes {
    const WIDTH: usize = 2;

    #[inline(always)]
    fn splat(value: u64) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { vdupq_n_u64(value) })
    }

    #[inline(always)]
    fn from_bytes(bytes: [u8; 8]) -> Self {
        // Where the bytes of the lanes come from; what lies beyond the table is zero.
        const PLACES: [u8; 16] = {
            let mut places = [u8::MAX; 16];
            (places[0], places[8]) = (0, 1);
            places
        };
        // SAFETY: the feature is there, see the type; the load reads exactly the sixteen bytes.
        Self(as_lanes(unsafe {
            let table = vcombine_u8(vcreate_u8(u64::from_le_bytes(bytes)), vcreate_u8(0));
            vqtbl1q_u8(table, vld1q_u8(PLACES.as_ptr()))
        }))
    }

    #[inline(always)]
    fn first(self, count: usize) -> Self {
        if count >= 2 {
            return self;
        }
        // SAFETY: the feature is there, see the type.
        Self(unsafe { vsetq_lane_u64::<1>(0, self.0) })
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        // SAFETY: the feature is there, see the type.
        unsafe { vaddvq_u64(self.0) }
    }

    #[inline(always)]
    fn from_array(lanes: &[u64; 8]) -> Self {
        // SAFETY: the feature is there, see the type; the load reads the first two numbers.
        Self(unsafe { vld1q_u64(lanes.as_ptr()) })
    }

    #[inline(always)]
    fn to_array(self) -> [u64; 8] {
        let mut lanes = [0_u64; 8];
        // SAFETY: the feature is there, see the type; the store writes exactly the first two lanes.
        unsafe { vst1q_u64(lanes.as_mut_ptr(), self.0) };
        lanes
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { vaddq_u64(self.0, other.0) })
    }

    #[inline(always)]
    fn less(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { vsubq_u64(self.0, other.0) })
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { vmull_u32(vmovn_u64(self.0), vmovn_u64(other.0)) })
    }

    #[inline(always)]
    fn add_bytes(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(as_lanes(unsafe {
            vaddq_u8(as_bytes(self.0), as_bytes(other.0))
        }))
    }

    #[inline(always)]
    fn sub_bytes(self, other: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(as_lanes(unsafe {
            vsubq_u8(as_bytes(self.0), as_bytes(other.0))
        }))
    }

    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { by_constant!(vshlq_n_u64, bits, self.0) })
    }

    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { by_constant!(vshrq_n_u64, bits, self.0) })
    }

    #[inline(always)]
    fn bit(index: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { vshlq_u64(vdupq_n_u64(1), vreinterpretq_s64_u64(index.0)) })
    }

    #[expect(
        clippy::needless_range_loop,
        reason = "iterators need not be inlined, see `Lanes`"
    )]
    #[inline(always)]
    fn tally<const SETS: usize>(sets: [Self; SETS]) -> Self {
        const { assert!(SETS * 8 < 256) };
        let mut sum = Self::splat(0);
        for index in 0..SETS {
            // SAFETY: the feature is there, see the type.
            let bytes = Self(as_lanes(unsafe { vcntq_u8(as_bytes(sets[index].0)) }));
            sum = sum.add_bytes(bytes);
        }
        sum
    }

    #[inline(always)]
    fn total(tally: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(as_bytes(tally.0)))) })
    }

    #[inline(always)]
    fn rows(sets: [Self; 8]) -> [[u64; 8]; 8] {
        super::rows(sets)
    }

    #[inline(always)]
    fn flipped(self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(as_lanes(unsafe { vrev64q_u8(as_bytes(self.0)) }))
    }

    #[inline(always)]
    fn reversed(self) -> Self {
        self.turned_bytes().flipped()
    }

    #[inline(always)]
    fn nonzero(self) -> u32 {
        let lanes = self.to_array();
        u32::from(lanes[0] != 0) | u32::from(lanes[1] != 0) << 1
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: the feature is there, see the type.
        unsafe { vmaxvq_u32(vreinterpretq_u32_u64(self.0)) != 0 }
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
        Self(as_lanes(unsafe { vrbitq_u8(as_bytes(self.0)) }))
    }

    #[inline(always)]
    fn when(test: Self, value: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { vtstq_u64(test.0, test.0) }) & value
    }

    #[inline(always)]
    fn unless(test: Self, value: Self) -> Self {
        // SAFETY: the feature is there, see the type.
        Self(unsafe { vceqzq_u64(test.0) }) & value
    }
}
