//! The kernels by name.

use std::fmt;
use std::str::FromStr;

index_enum! {
    /// A kernel implementation.
    pub enum Kernel {
        /// One board at a time, sliding attacks by subtraction; runs on every CPU.
        Plain,
        /// Eight boards at a time in plain Rust: the reference implementation of those below, for
        /// tests; only with the feature `portable`.
        Portable,
        /// One board at a time, sliding attacks by PEXT look-up.
        Pext,
        /// Four boards at a time by AVX2.
        Avx2,
        /// Four boards at a time by AVX2 and GFNI.
        Avx2Gfni,
        /// Eight boards at a time by AVX-512 (F, BW, DQ, VL, VBMI2, VPOPCNTDQ), with GFNI and BMI2.
        Avx512,
        /// Two boards at a time by NEON.
        Neon,
    }
}

/// Text that is not the name of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{text}' is not a kernel, expected plain, portable, pext, avx2, avx2-gfni, avx512 or neon"
)]
pub struct ParseKernelError {
    /// The text.
    pub text: String,
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Plain => "plain",
            Self::Portable => "portable",
            Self::Pext => "pext",
            Self::Avx2 => "avx2",
            Self::Avx2Gfni => "avx2-gfni",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
        })
    }
}

impl FromStr for Kernel {
    type Err = ParseKernelError;

    fn from_str(text: &str) -> Result<Self, ParseKernelError> {
        let named = Self::ALL
            .into_iter()
            .find(|kernel| kernel.to_string() == text);
        named.ok_or_else(|| ParseKernelError {
            text: text.to_owned(),
        })
    }
}
