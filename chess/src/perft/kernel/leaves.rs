//! The last plies: enters the chosen kernel, compiled for this CPU, once per node of depth 3.

use std::marker::PhantomData;

use super::analysis::Analysis;
use super::board::Board;
use super::lanes::{self, Lanes};
use super::name::Kernel;
use super::scratch::Scratch;
use super::step::{Each, StepList};
use super::{batch, movegen, scalar};
use crate::rules::attacks::{Pext, Sliders, Subtraction};
use crate::rules::cpu::{self, Multiversioned};

/// The chosen kernel, with the proof that this CPU can run it.
#[derive(Clone, Copy)]
pub(super) enum Leaves {
    Plain,
    #[cfg(feature = "portable")]
    Portable,
    Pext(Pext),
    #[cfg(target_arch = "x86_64")]
    Avx2(cpu::Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx2Gfni(cpu::Avx2Gfni, Pext),
    #[cfg(target_arch = "x86_64")]
    Avx512(cpu::Avx512, Pext),
    #[cfg(target_arch = "aarch64")]
    Neon(cpu::Neon),
}

impl Leaves {
    /// The kernel, or `None` if this CPU cannot run it, or this build does not have it.
    pub(super) fn new(kernel: Kernel) -> Option<Self> {
        Some(match kernel {
            Kernel::Plain => Self::Plain,
            #[cfg(feature = "portable")]
            Kernel::Portable => Self::Portable,
            #[cfg(not(feature = "portable"))]
            Kernel::Portable => return None,
            Kernel::Pext => Self::Pext(Pext::detect()?),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => Self::Avx2(cpu::Avx2::detect()?),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2Gfni => Self::Avx2Gfni(cpu::Avx2Gfni::detect()?, Pext::detect()?),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => Self::Avx512(cpu::Avx512::detect()?, Pext::detect()?),
            #[cfg(not(target_arch = "x86_64"))]
            Kernel::Avx2 | Kernel::Avx2Gfni | Kernel::Avx512 => return None,
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon => Self::Neon(cpu::Neon::detect()?),
            #[cfg(not(target_arch = "aarch64"))]
            Kernel::Neon => return None,
        })
    }

    /// Counts one to three plies, so few that no count can overflow.
    pub(super) fn count(self, board: &Board, depth: u32, scratch: &mut Scratch) -> u64 {
        match depth {
            1 => cpu::with_sliders(OnePly(board)),
            // Only a whole count of two plies gets here, so that no kernel has code for it.
            2 => {
                let children = Self::steps(board).into_iter();
                let children = children.map(|step| board.after(step).turned());
                children.map(|child| self.count(&child, 1, scratch)).sum()
            }
            _ => self.count_three_plies(board, scratch),
        }
    }

    fn count_three_plies(self, board: &Board, scratch: &mut Scratch) -> u64 {
        // The kernels are tested from outside (`tests/it`): the unit tests do not compile them a second
        // time, which takes longer than the rest of the crate.
        if cfg!(test) {
            return Scalar(board, scratch).run(Subtraction);
        }
        match self {
            Self::Plain => Scalar(board, scratch).run(Subtraction),
            Self::Pext(pext) => cpu::with_pext(Scalar(board, scratch), pext),
            #[cfg(feature = "portable")]
            Self::Portable => Batched::<lanes::Portable>::new(board, scratch).run(Subtraction),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(proof) => proof.run(Batched::<lanes::Avx2Lanes<false>>::new(board, scratch)),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Gfni(proof, pext) => {
                proof.run(Batched::<lanes::Avx2Lanes<true>>::new(board, scratch), pext)
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(proof, pext) => {
                proof.run(Batched::<lanes::Avx512Lanes>::new(board, scratch), pext)
            }
            #[cfg(target_arch = "aarch64")]
            Self::Neon(proof) => proof.run(Batched::<lanes::NeonLanes>::new(board, scratch)),
        }
    }

    pub(super) fn steps(board: &Board) -> StepList {
        cpu::with_sliders(Steps(board))
    }
}

struct OnePly<'a>(&'a Board);

impl Multiversioned for OnePly<'_> {
    type Output = u64;
    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> u64 {
        scalar::count_moves::<true, S>(self.0, sliders)
    }
}

struct Steps<'a>(&'a Board);

impl Multiversioned for Steps<'_> {
    type Output = StepList;
    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> StepList {
        let mut list = StepList::new();
        let analysis = Analysis::new(self.0, sliders);
        movegen::generate(
            self.0,
            &analysis,
            sliders,
            &mut Each(|step| list.push(step)),
        );
        list
    }
}

/// Counts three plies, one board at a time.
struct Scalar<'a>(&'a Board, &'a mut Scratch);

impl Multiversioned for Scalar<'_> {
    type Output = u64;
    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> u64 {
        let Self(board, scratch) = self;
        scalar::count_leaves(board, sliders, scratch)
    }
}

/// Counts three plies in lanes of type `V`.
struct Batched<'a, V> {
    board: &'a Board,
    scratch: &'a mut Scratch,
    lanes: PhantomData<V>,
}

impl<'a, V> Batched<'a, V> {
    fn new(board: &'a Board, scratch: &'a mut Scratch) -> Self {
        Self {
            board,
            scratch,
            lanes: PhantomData,
        }
    }
}

impl<V: Lanes> Multiversioned for Batched<'_, V> {
    type Output = u64;
    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> u64 {
        batch::count_leaves::<V, S>(self.board, sliders, self.scratch)
    }
}
