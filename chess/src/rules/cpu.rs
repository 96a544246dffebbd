//! What the CPU can do, found at run time. Calling code compiled for a feature that not every CPU has
//! takes `unsafe`; it is called here alone, behind a proof of detection.
#![expect(
    unsafe_code,
    reason = "target features are entered here, behind a proof of detection"
)]

use crate::rules::attacks::{Pext, Sliders, Subtraction};

/// The PEXT look-up, where it pays.
#[inline(always)]
pub fn pext() -> Option<Pext> {
    Pext::detect()
}

/// Brings the memory of a value closer, for a read soon after; or does nothing.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 CPU has the instruction, and it changes nothing but caches.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// The bits of `value` that `mask` selects, packed to the low end: PEXT, on every CPU.
#[inline(always)]
pub fn pack(value: u64, mask: u64) -> u64 {
    if let Some(sliders) = pext() {
        return sliders.pack(value, mask);
    }
    let (mut rest, mut packed, mut index) = (mask, 0, 0);
    while rest != 0 {
        packed |= u64::from(value & rest & rest.wrapping_neg() != 0) << index;
        rest &= rest - 1;
        index += 1;
    }
    packed
}

/// Work that needs sliding attacks and is to be compiled once for each way of computing them.
pub trait SliderTask {
    /// What the work yields.
    type Output;
    /// Does the work; to be marked `#[inline(always)]`, so that it is compiled for the CPU.
    fn run<S: Chosen>(self, sliders: S) -> Self::Output;
}

/// Sliders that were chosen once, for work that enters compiled code time and again.
pub trait Chosen: Sliders + Send + Sync + 'static {
    /// Runs `task` with these sliders, compiled for the CPU, in a call of its own.
    fn enter<T: SliderTask>(self, task: T) -> T::Output;
}

impl Chosen for Pext {
    #[inline(always)]
    fn enter<T: SliderTask>(self, task: T) -> T::Output {
        with_pext(task, self)
    }
}

impl Chosen for Subtraction {
    #[inline(never)]
    fn enter<T: SliderTask>(self, task: T) -> T::Output {
        task.run(self)
    }
}

/// Runs `task` with the fastest sliders this CPU has.
#[inline(always)]
pub fn with_sliders<T: SliderTask>(task: T) -> T::Output {
    match pext() {
        Some(sliders) => sliders.enter(task),
        None => Subtraction.enter(task),
    }
}

/// Runs `task` with PEXT, compiled for a CPU that has it.
#[inline(always)]
pub fn with_pext<T: SliderTask>(task: T, sliders: Pext) -> T::Output {
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

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// The proof, where this CPU has the feature.
    pub fn detect() -> Option<Self> {
        std::arch::is_x86_feature_detected!("avx2").then_some(Self(()))
    }

    /// Runs `task` compiled for AVX2, with PEXT where that pays.
    #[inline(always)]
    pub fn run<T: SliderTask>(self, task: T) -> T::Output {
        match pext() {
            // SAFETY: `self` proves AVX2, a `Pext` the other features.
            Some(sliders) => unsafe { x86::run_avx2_bmi2(task, sliders) },
            // SAFETY: `self` proves AVX2.
            None => unsafe { x86::run_avx2(task) },
        }
    }

    /// Runs `task`, which asks for no sliding attacks, compiled for AVX2.
    #[inline(always)]
    pub fn run_plain<T: SliderTask>(self, task: T) -> T::Output {
        // SAFETY: `self` proves AVX2.
        unsafe { x86::run_avx2(task) }
    }
}

#[cfg(target_arch = "x86_64")]
impl Avx2Gfni {
    /// The proof, where this CPU has the features.
    pub fn detect() -> Option<Self> {
        let present = std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("gfni");
        present.then_some(Self(()))
    }

    /// Runs `task` compiled for AVX2 and GFNI, with PEXT where that pays.
    #[inline(always)]
    pub fn run<T: SliderTask>(self, task: T) -> T::Output {
        match pext() {
            // SAFETY: `self` proves AVX2 and GFNI, a `Pext` the other features.
            Some(sliders) => unsafe { x86::run_avx2_gfni_bmi2(task, sliders) },
            // SAFETY: `self` proves AVX2 and GFNI.
            None => unsafe { x86::run_avx2_gfni(task) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// The proof, where this CPU has the features.
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

    /// Runs `task`, which asks for no sliding attacks, compiled for AVX-512.
    #[inline(always)]
    pub fn run_plain<T: SliderTask>(self, task: T) -> T::Output {
        // SAFETY: `self` proves AVX-512 and GFNI.
        unsafe { x86::run_avx512_alone(task) }
    }

    /// Runs `task` compiled for AVX-512, with PEXT.
    #[inline(always)]
    pub fn run<T: SliderTask>(self, task: T, sliders: Pext) -> T::Output {
        // SAFETY: `self` proves AVX-512 and GFNI, a `Pext` the other features.
        unsafe { x86::run_avx512(task, sliders) }
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Avx2 {
    /// The proof, where this CPU has the feature: never.
    pub fn detect() -> Option<Self> {
        None
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Avx2Gfni {
    /// The proof, where this CPU has the features: never.
    pub fn detect() -> Option<Self> {
        None
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Avx512 {
    /// The proof, where this CPU has the features: never.
    pub fn detect() -> Option<Self> {
        None
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::SliderTask;
    use crate::rules::attacks::{Pext, Subtraction};

    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn run_bmi2<T: SliderTask>(task: T, sliders: Pext) -> T::Output {
        task.run(sliders)
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn run_avx2<T: SliderTask>(task: T) -> T::Output {
        task.run(Subtraction)
    }

    #[target_feature(enable = "avx2,gfni")]
    pub(super) fn run_avx2_gfni<T: SliderTask>(task: T) -> T::Output {
        task.run(Subtraction)
    }

    #[target_feature(enable = "avx2,gfni,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn run_avx2_gfni_bmi2<T: SliderTask>(task: T, sliders: Pext) -> T::Output {
        task.run(sliders)
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn run_avx2_bmi2<T: SliderTask>(task: T, sliders: Pext) -> T::Output {
        task.run(sliders)
    }

    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi2,avx512vpopcntdq,gfni,bmi1,bmi2,lzcnt,popcnt"
    )]
    pub(super) fn run_avx512<T: SliderTask>(task: T, sliders: Pext) -> T::Output {
        task.run(sliders)
    }

    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi2,avx512vpopcntdq,gfni"
    )]
    pub(super) fn run_avx512_alone<T: SliderTask>(task: T) -> T::Output {
        task.run(Subtraction)
    }
}
