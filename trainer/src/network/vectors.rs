//! Computations compiled for each vector instruction set. All give the same results: operations on
//! the elements of vectors are in no other order, and none are fused.

#[cfg(target_arch = "x86_64")]
use chess::rules::cpu::{Avx2, Avx512};
use chess::rules::cpu::{Multiversioned, with_sliders};

/// Runs a task, which needs no sliders, with the widest vectors of this CPU.
pub(super) fn run(task: impl Multiversioned<Output = ()>) {
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
