//! Vector instruction sets: code is compiled for each one, and chosen once.

use chess::rules::cpu::{Avx2, Avx512, CpuSliders, Multiversioned};

/// A computation that is compiled for each vector instruction set.
pub(super) trait Task {
    /// Runs the computation; mark it `#[inline(always)]`.
    fn run(self) -> i32;
}

/// A vector instruction set of this CPU.
#[derive(Clone, Copy, Debug)]
pub(super) enum Vectors {
    /// The baseline of the architecture.
    Portable,
    /// 256-bit vectors.
    Avx2(Avx2),
    /// 512-bit vectors.
    Avx512(Avx512),
}

impl Vectors {
    /// All available on this CPU, the widest last.
    pub(super) fn all() -> Vec<Self> {
        let mut all = vec![Self::Portable];
        all.extend(Avx2::detect().map(Self::Avx2));
        all.extend(Avx512::detect().map(Self::Avx512));
        all
    }

    /// The widest available on this CPU.
    pub(super) fn best() -> Self {
        *Self::all().last().expect("every CPU has some")
    }

    #[inline(always)]
    pub(super) fn run<T: Task>(self, task: T) -> i32 {
        match self {
            Self::Portable => portable(task),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(proof) => proof.run_plain(Vectored(task)),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(proof) => proof.run_plain(Vectored(task)),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2(_) | Self::Avx512(_) => unreachable!("nothing proves what is not there"),
        }
    }
}

#[inline(never)]
fn portable<T: Task>(task: T) -> i32 {
    task.run()
}

/// A task that needs vectors but no sliders.
struct Vectored<T>(T);

impl<T: Task> Multiversioned for Vectored<T> {
    type Output = i32;

    #[inline(always)]
    fn run<S: CpuSliders>(self, _: S) -> i32 {
        self.0.run()
    }
}
