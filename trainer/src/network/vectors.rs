//! Computations compiled for each vector instruction set. All give the same results: operations on
//! the elements of vectors are in no other order, and none are fused.

#[cfg(target_arch = "x86_64")]
use chess::rules::cpu::{Avx2, Avx512};
use chess::rules::cpu::{CpuSliders, Multiversioned, with_sliders};

/// A computation on vectors.
pub(super) trait TrainTask {
    /// Runs the computation; mark it `#[inline(always)]`.
    fn run(self);
}

/// Runs a task with the widest vectors of this CPU.
pub(super) fn run(task: impl TrainTask) {
    let task = VectorsOnly(task);
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(proof) = Avx512::detect() {
            return proof.run_plain(task);
        }
        if let Some(proof) = Avx2::detect() {
            return proof.run_plain(task);
        }
    }
    with_sliders(task);
}

/// A task that needs vectors but no sliders.
struct VectorsOnly<T>(T);

impl<T: TrainTask> Multiversioned for VectorsOnly<T> {
    type Output = ();

    #[inline(always)]
    fn run<S: CpuSliders>(self, _: S) {
        self.0.run();
    }
}
