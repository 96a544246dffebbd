//! CPU features, detected at run time. Calling code compiled for an optional feature requires
//! `unsafe`; only this module does so, behind a proof of detection.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "target features are entered here, behind a proof of detection"
    )
)]

use crate::rules::attacks::{Pext, Sliders, Subtraction};

/// The PEXT look-up, if it is fast on this CPU.
#[inline(always)]
pub(crate) fn pext() -> Option<Pext> {
    Pext::detect()
}

/// Prefetches the memory of a value; does nothing if the CPU has no such instruction.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 CPU has the instruction, which affects nothing but the caches.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// The bits of `value` selected by `mask`, packed to the low end: PEXT on any CPU.
#[inline(always)]
pub(crate) fn pack(value: u64, mask: u64) -> u64 {
    match pext() {
        Some(sliders) => sliders.pack(value, mask),
        None => pack_bit_by_bit(value, mask),
    }
}

/// The reference implementation of PEXT.
fn pack_bit_by_bit(value: u64, mask: u64) -> u64 {
    let (mut rest, mut packed, mut index) = (mask, 0, 0);
    while rest != 0 {
        packed |= u64::from(value & rest & rest.wrapping_neg() != 0) << index;
        rest &= rest - 1;
        index += 1;
    }
    packed
}

/// A computation that needs sliding attacks, compiled once for each implementation of them
/// (function multiversioning).
pub trait Multiversioned {
    /// The result of the computation.
    type Output;
    /// Runs the computation; mark it `#[inline(always)]` so that it is compiled for the CPU.
    fn run<S: CpuSliders>(self, sliders: S) -> Self::Output;
}

/// The sliders of this CPU, chosen once, for computations that enter CPU-specific code repeatedly.
pub trait CpuSliders: Sliders + Send + Sync + 'static {
    /// Runs `task` with these sliders, compiled for the CPU, in a function call of its own.
    fn enter<T: Multiversioned>(self, task: T) -> T::Output;
}

impl CpuSliders for Pext {
    #[inline(always)]
    fn enter<T: Multiversioned>(self, task: T) -> T::Output {
        with_pext(task, self)
    }
}

impl CpuSliders for Subtraction {
    #[inline(never)]
    fn enter<T: Multiversioned>(self, task: T) -> T::Output {
        task.run(self)
    }
}

/// Runs `task` with the fastest sliders of this CPU.
#[inline(always)]
pub fn with_sliders<T: Multiversioned>(task: T) -> T::Output {
    match pext() {
        Some(sliders) => sliders.enter(task),
        None => Subtraction.enter(task),
    }
}

/// Runs `task` with PEXT, compiled for a CPU that has it.
#[inline(always)]
pub(crate) fn with_pext<T: Multiversioned>(task: T, sliders: Pext) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: a `Pext` exists only where `Bmi2::detect` found every feature of `run_bmi2`.
        unsafe { x86::run_bmi2(task, sliders) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        task.run(sliders)
    }
}

/// Proof that this CPU has AVX2.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

/// Proof that this CPU has AVX2 and GFNI.
#[derive(Clone, Copy, Debug)]
pub struct Avx2Gfni(());

/// Proof that this CPU has AVX-512 F, BW, VL, DQ, VBMI2 and VPOPCNTDQ, and GFNI.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

/// Proof that this CPU has all of [`Avx512`], and VNNI.
#[derive(Clone, Copy, Debug)]
pub struct Avx512Vnni(());

/// Proof that this CPU has NEON.
#[cfg(target_arch = "aarch64")]
#[derive(Clone, Copy, Debug)]
pub struct Neon(());

#[cfg(target_arch = "aarch64")]
impl Neon {
    /// Returns the proof: NEON belongs to the baseline that everything is compiled for.
    pub fn detect() -> Option<Self> {
        cfg!(target_feature = "neon").then_some(Self(()))
    }

    /// Runs `task` in a function call of its own.
    #[inline(always)]
    pub fn run<T: Multiversioned>(self, task: T) -> T::Output {
        Subtraction.enter(task)
    }
}

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// Returns the proof if this CPU has the feature.
    pub fn detect() -> Option<Self> {
        std::arch::is_x86_feature_detected!("avx2").then_some(Self(()))
    }

    /// Runs `task` compiled for AVX2, with PEXT if it is fast.
    #[inline(always)]
    pub fn run<T: Multiversioned>(self, task: T) -> T::Output {
        match pext() {
            // SAFETY: `self` proves AVX2, a `Pext` the other features.
            Some(sliders) => unsafe { x86::run_avx2_bmi2(task, sliders) },
            // SAFETY: `self` proves AVX2.
            None => unsafe { x86::run_avx2(task) },
        }
    }

    /// Runs `task`, which needs no sliding attacks, compiled for AVX2.
    #[inline(always)]
    pub fn run_plain<T: Multiversioned>(self, task: T) -> T::Output {
        // SAFETY: `self` proves AVX2.
        unsafe { x86::run_avx2(task) }
    }
}

#[cfg(target_arch = "x86_64")]
impl Avx2Gfni {
    /// Returns the proof if this CPU has the features.
    pub fn detect() -> Option<Self> {
        let present = std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("gfni");
        present.then_some(Self(()))
    }

    /// Runs `task` compiled for AVX2 and GFNI, with PEXT: it is fast on every CPU that has GFNI.
    #[inline(always)]
    pub fn run<T: Multiversioned>(self, task: T, sliders: Pext) -> T::Output {
        // SAFETY: `self` proves AVX2 and GFNI, a `Pext` the other features.
        unsafe { x86::run_avx2_gfni_bmi2(task, sliders) }
    }
}

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// Returns the proof if this CPU has the features.
    pub fn detect() -> Option<Self> {
        let present = std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512bw")
            && std::arch::is_x86_feature_detected!("avx512vl")
            && std::arch::is_x86_feature_detected!("avx512dq")
            && std::arch::is_x86_feature_detected!("avx512vbmi2")
            && std::arch::is_x86_feature_detected!("avx512vpopcntdq")
            && std::arch::is_x86_feature_detected!("gfni");
        present.then_some(Self(()))
    }

    /// Runs `task`, which needs no sliding attacks, compiled for AVX-512.
    #[inline(always)]
    pub fn run_plain<T: Multiversioned>(self, task: T) -> T::Output {
        // SAFETY: `self` proves AVX-512 and GFNI.
        unsafe { x86::run_avx512_alone(task) }
    }

    /// Runs `task` compiled for AVX-512, with PEXT.
    #[inline(always)]
    pub fn run<T: Multiversioned>(self, task: T, sliders: Pext) -> T::Output {
        // SAFETY: `self` proves AVX-512 and GFNI, a `Pext` the other features.
        unsafe { x86::run_avx512(task, sliders) }
    }
}

#[cfg(target_arch = "x86_64")]
impl Avx512Vnni {
    /// Returns the proof if this CPU has the features.
    pub fn detect() -> Option<Self> {
        let present = std::arch::is_x86_feature_detected!("avx512vnni");
        Avx512::detect().filter(|_| present).map(|_| Self(()))
    }

    /// Runs `task`, which needs no sliding attacks, compiled for AVX-512 with VNNI.
    #[inline(always)]
    pub fn run_plain<T: Multiversioned>(self, task: T) -> T::Output {
        // SAFETY: `self` proves AVX-512, GFNI and VNNI.
        unsafe { x86::run_avx512_vnni(task) }
    }
}

/// An instruction for the products of 32 numbers of 16 bits, of which neighbours are added.
#[cfg(target_arch = "x86_64")]
pub trait PairProducts: Copy {
    /// Adds the products of two neighbours to each sum; wraps around on overflow. Call it in code
    /// compiled for the CPU.
    fn add_products(self, sums: [i32; 16], a: &[i16; 32], b: &[i16; 32]) -> [i32; 16];
}

#[cfg(target_arch = "x86_64")]
impl PairProducts for Avx512 {
    #[inline(always)]
    fn add_products(self, sums: [i32; 16], a: &[i16; 32], b: &[i16; 32]) -> [i32; 16] {
        // SAFETY: `self` proves AVX-512 BW.
        unsafe { x86::multiply_add(sums, a, b) }
    }
}

#[cfg(target_arch = "x86_64")]
impl PairProducts for Avx512Vnni {
    #[inline(always)]
    fn add_products(self, sums: [i32; 16], a: &[i16; 32], b: &[i16; 32]) -> [i32; 16] {
        // SAFETY: `self` proves VNNI.
        unsafe { x86::multiply_add_vnni(sums, a, b) }
    }
}

#[cfg(not(target_arch = "x86_64"))]
macro_rules! never_detected {
    ($($Proof:ident)+) => { $(impl $Proof {
        /// Always `None` on this architecture.
        pub fn detect() -> Option<Self> {
            None
        }
    })+ };
}
#[cfg(not(target_arch = "x86_64"))]
never_detected!(Avx2 Avx2Gfni Avx512 Avx512Vnni);

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__m512i, _mm512_add_epi32, _mm512_dpwssd_epi32, _mm512_madd_epi16};
    use std::mem::transmute;

    use super::Multiversioned;
    use crate::rules::attacks::{Pext, Subtraction};

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn multiply_add(sums: [i32; 16], a: &[i16; 32], b: &[i16; 32]) -> [i32; 16] {
        let products = _mm512_madd_epi16(vector(*a), vector(*b));
        // SAFETY: both are 512 bits, of which all values are valid.
        let sums = unsafe { transmute::<[i32; 16], __m512i>(sums) };
        // SAFETY: as above.
        unsafe { transmute(_mm512_add_epi32(sums, products)) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    pub(super) fn multiply_add_vnni(sums: [i32; 16], a: &[i16; 32], b: &[i16; 32]) -> [i32; 16] {
        // SAFETY: both are 512 bits, of which all values are valid.
        let sums = unsafe { transmute::<[i32; 16], __m512i>(sums) };
        // SAFETY: as above.
        unsafe { transmute(_mm512_dpwssd_epi32(sums, vector(*a), vector(*b))) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn vector(numbers: [i16; 32]) -> __m512i {
        // SAFETY: both are 512 bits, of which all values are valid.
        unsafe { transmute::<[i16; 32], __m512i>(numbers) }
    }

    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn run_bmi2<T: Multiversioned>(task: T, sliders: Pext) -> T::Output {
        task.run(sliders)
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn run_avx2<T: Multiversioned>(task: T) -> T::Output {
        task.run(Subtraction)
    }

    #[target_feature(enable = "avx2,gfni,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn run_avx2_gfni_bmi2<T: Multiversioned>(task: T, sliders: Pext) -> T::Output {
        task.run(sliders)
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn run_avx2_bmi2<T: Multiversioned>(task: T, sliders: Pext) -> T::Output {
        task.run(sliders)
    }

    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi2,avx512vpopcntdq,gfni,bmi1,bmi2,lzcnt,popcnt"
    )]
    pub(super) fn run_avx512<T: Multiversioned>(task: T, sliders: Pext) -> T::Output {
        task.run(sliders)
    }

    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi2,avx512vpopcntdq,gfni"
    )]
    pub(super) fn run_avx512_alone<T: Multiversioned>(task: T) -> T::Output {
        task.run(Subtraction)
    }

    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi2,avx512vpopcntdq,avx512vnni,gfni"
    )]
    pub(super) fn run_avx512_vnni<T: Multiversioned>(task: T) -> T::Output {
        task.run(Subtraction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn products_of_pairs_are_the_same_on_every_cpu() {
        fn check(proof: impl PairProducts, name: &str) {
            let mut state = 0x9e37_79b9_7f4a_7c15_u64;
            let mut next = || {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                state.to_le_bytes()
            };
            for _ in 0..200 {
                let mut number = || i16::from_le_bytes([next()[6], next()[7]]);
                let [a, b] = std::array::from_fn(|_| std::array::from_fn(|_| number()));
                let sums = std::array::from_fn(|_| i32::from(number()) << 8);
                let expected = std::array::from_fn(|index| {
                    let product = |at: usize| i32::from(a[at]) * i32::from(b[at]);
                    let sum = product(2 * index).wrapping_add(product(2 * index + 1));
                    sum.wrapping_add(sums[index])
                });
                assert_eq!(proof.add_products(sums, &a, &b), expected, "{name}");
            }
        }
        if let Some(proof) = Avx512::detect() {
            check(proof, "AVX-512");
        }
        if let Some(proof) = Avx512Vnni::detect() {
            check(proof, "VNNI");
        }
    }

    #[test]
    fn packing_is_the_same_on_every_cpu() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..2000 {
            let (value, mask) = (state.rotate_left(29), state & state.rotate_left(13));
            assert_eq!(pack(value, mask), pack_bit_by_bit(value, mask));
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
        }
        assert_eq!(pack_bit_by_bit(0b1010_0110, 0b1100_0110), 0b1011);
    }
}
