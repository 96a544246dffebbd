//! The kernels: fast counting of leaf nodes.
//!
//! A [`Board`] is turned so that the side to move always plays up the board: the same code serves
//! both colours, and a position and its colour-mirrored counterpart are identical.

mod batch;
mod board;
mod lanes;
mod listing;
mod movegen;
mod rays;
mod scalar;
mod step;
mod threats;

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use super::table::Key;
use super::{CountError, Table, add};
use crate::rules::Position;
use crate::rules::attacks::{Pext, Sliders, Subtraction};
use crate::rules::cpu::{self, Multiversioned};
use board::Board;
use lanes::{Lanes, Portable};
use listing::Scratch;
use movegen::Analysis;
use step::{Each, StepList};

index_enum! {
    /// A kernel implementation.
    pub enum Kernel {
        /// One board at a time, sliding attacks by subtraction; runs on every CPU.
        Plain,
        /// Eight boards at a time in plain Rust: the reference implementation of those below, for
        /// tests.
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

impl Kernel {
    /// Whether this CPU can run the kernel.
    pub fn is_available(self) -> bool {
        Leaves::new(self).is_some()
    }

    /// The fastest kernel that this CPU can run.
    pub fn fastest() -> Self {
        // They are declared from slow to fast, except for the reference implementation.
        let is_fast = |kernel: &Self| *kernel != Self::Portable && kernel.is_available();
        let mut fastest_first = Self::ALL.into_iter().rev();
        fastest_first.find(is_fast).unwrap_or(Self::Plain)
    }

    pub(super) fn count(
        self,
        position: &Position,
        depth: u32,
        job: &Job<'_>,
    ) -> Result<u64, CountError> {
        if depth == 0 {
            return Ok(1);
        }
        let leaves = Leaves::new(self).unwrap_or(Leaves::Plain);
        job.descend(
            leaves,
            &job.child(Board::from(position), depth),
            depth,
            &mut Scratch::new(),
        )
    }
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

/// Shared by all nodes of a count.
pub(super) struct Job<'a> {
    pub(super) table: Option<&'a Table>,
    pub(super) cancel: &'a AtomicBool,
}

/// The minimal depth of a table entry; below it, counting is as fast as probing.
const LEAST_TABLE_DEPTH: u32 = 3;

/// A board on the way down, with its key if it may have a table entry.
struct Child {
    board: Board,
    key: Option<Key>,
}

impl Job<'_> {
    /// Prepares a board to be counted `depth` plies down, and prefetches its table entry.
    fn child(&self, board: Board, depth: u32) -> Child {
        let table = self.table.filter(|_| depth >= LEAST_TABLE_DEPTH);
        let key = table.map(|table| {
            let key = board.key(depth);
            table.prefetch(&key);
            key
        });
        Child { board, key }
    }

    /// Counts `depth` plies below a board, at least 1: the last three by the kernel, the plies
    /// above recursively, with the table.
    fn descend(
        &self,
        leaves: Leaves,
        child: &Child,
        depth: u32,
        scratch: &mut Scratch,
    ) -> Result<u64, CountError> {
        let slot = self.table.zip(child.key.as_ref());
        if let Some(count) = slot.and_then(|(table, key)| table.get(key)) {
            return Ok(count);
        }
        let sum = if depth <= 3 {
            leaves.count(&child.board, depth, scratch)
        } else {
            self.descend_further(leaves, &child.board, depth - 1, scratch)?
        };
        if let Some((table, key)) = slot {
            table.put(key, sum);
        }
        Ok(sum)
    }

    /// Sums over the children. Each child is prepared before the previous one is counted, so that
    /// its prefetch has time to complete.
    fn descend_further(
        &self,
        leaves: Leaves,
        board: &Board,
        depth: u32,
        scratch: &mut Scratch,
    ) -> Result<u64, CountError> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(CountError::Cancelled);
        }
        let mut sum = 0;
        let mut ready = None;
        for step in Leaves::steps(board) {
            let next = self.child(board.after(step).turned(), depth);
            if let Some(child) = ready.replace(next) {
                sum = add(sum, self.descend(leaves, &child, depth, scratch)?)?;
            }
        }
        match ready {
            Some(child) => add(sum, self.descend(leaves, &child, depth, scratch)?),
            None => Ok(sum),
        }
    }
}

/// The chosen kernel, with the proof that this CPU can run it.
#[derive(Clone, Copy)]
enum Leaves {
    Plain,
    Portable,
    Pext(Pext),
    #[cfg(target_arch = "x86_64")]
    Avx2(cpu::Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx2Gfni(cpu::Avx2Gfni),
    #[cfg(target_arch = "x86_64")]
    Avx512(cpu::Avx512, Pext),
    #[cfg(target_arch = "aarch64")]
    Neon(cpu::Neon),
}

impl Leaves {
    /// The kernel, or `None` if this CPU cannot run it.
    fn new(kernel: Kernel) -> Option<Self> {
        Some(match kernel {
            Kernel::Plain => Self::Plain,
            Kernel::Portable => Self::Portable,
            Kernel::Pext => Self::Pext(Pext::detect()?),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => Self::Avx2(cpu::Avx2::detect()?),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2Gfni => Self::Avx2Gfni(cpu::Avx2Gfni::detect()?),
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
    fn count(self, board: &Board, depth: u32, scratch: &mut Scratch) -> u64 {
        if depth == 1 {
            return cpu::with_sliders(OnePly(board));
        }
        match self {
            Self::Plain => Scalar(board, depth, scratch).run(Subtraction),
            Self::Pext(pext) => cpu::with_pext(Scalar(board, depth, scratch), pext),
            Self::Portable => Batched::<Portable>::new(board, depth, scratch).run(Subtraction),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(proof) => {
                proof.run(Batched::<lanes::Avx2<false>>::new(board, depth, scratch))
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Gfni(proof) => {
                proof.run(Batched::<lanes::Avx2<true>>::new(board, depth, scratch))
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(proof, pext) => {
                proof.run(Batched::<lanes::Avx512>::new(board, depth, scratch), pext)
            }
            #[cfg(target_arch = "aarch64")]
            Self::Neon(proof) => proof.run(Batched::<lanes::Neon>::new(board, depth, scratch)),
        }
    }

    fn steps(board: &Board) -> StepList {
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
        let analysis = Analysis::of(self.0, sliders);
        movegen::generate(
            self.0,
            &analysis,
            sliders,
            &mut Each(|step| list.push(step)),
        );
        list
    }
}

/// Counts two or three plies, one board at a time.
struct Scalar<'a>(&'a Board, u32, &'a mut Scratch);

impl Multiversioned for Scalar<'_> {
    type Output = u64;
    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> u64 {
        let Self(board, depth, scratch) = self;
        scalar::count_leaves(board, depth, sliders, scratch)
    }
}

/// Counts two or three plies in lanes of type `V`.
struct Batched<'a, V> {
    board: &'a Board,
    depth: u32,
    scratch: &'a mut Scratch,
    lanes: PhantomData<V>,
}

impl<'a, V> Batched<'a, V> {
    fn new(board: &'a Board, depth: u32, scratch: &'a mut Scratch) -> Self {
        Self {
            board,
            depth,
            scratch,
            lanes: PhantomData,
        }
    }
}

impl<V: Lanes> Multiversioned for Batched<'_, V> {
    type Output = u64;
    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> u64 {
        batch::count_leaves::<V, S>(self.board, self.depth, sliders, self.scratch)
    }
}
