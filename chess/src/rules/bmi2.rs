//! The PEXT instruction: detection and execution.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "the instruction is executed here, behind a proof of detection"
    )
)]

/// Proof that this CPU has BMI1, BMI2, LZCNT and POPCNT, and runs PEXT in hardware.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bmi2(());

impl Bmi2 {
    /// Returns the proof if this CPU has the features.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn detect() -> Option<Self> {
        let present = std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("popcnt");
        (present && !x86::pext_is_microcoded()).then_some(Self(()))
    }

    /// Returns the proof if this CPU has the features.
    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) fn detect() -> Option<Self> {
        None
    }

    /// The bits of `value` selected by `mask`, packed to the low end.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    #[expect(clippy::unused_self, reason = "the proof is needed")]
    pub(crate) fn pext(self, value: u64, mask: u64) -> u64 {
        // SAFETY: `self` exists only where BMI2 was detected.
        unsafe { x86::pext(value, mask) }
    }

    /// The bits of `value` selected by `mask`, packed to the low end.
    #[cfg(not(target_arch = "x86_64"))]
    #[expect(clippy::unused_self, reason = "the proof is needed")]
    pub(crate) fn pext(self, _value: u64, _mask: u64) -> u64 {
        unreachable!("no value of this type exists on this CPU")
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__cpuid, _pext_u64};

    #[inline]
    #[target_feature(enable = "bmi2")]
    pub(super) fn pext(value: u64, mask: u64) -> u64 {
        _pext_u64(value, mask)
    }

    /// Whether PEXT is microcoded: AMD families before 19h (Zen 3), see Agner Fog's instruction
    /// tables.
    pub(super) fn pext_is_microcoded() -> bool {
        let vendor = __cpuid(0);
        let amd = vendor.ebx.to_le_bytes() == *b"Auth" && vendor.ecx.to_le_bytes() == *b"cAMD";
        let version = __cpuid(1).eax;
        let family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
        amd && family < 0x19
    }
}
