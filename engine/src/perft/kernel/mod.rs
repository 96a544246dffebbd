//! The kernels: how leaf nodes are counted fast.
//!
//! A [`Board`] is turned so that the side to move always plays up the board; the same code serves
//! both colours, and a position and its colour-mirrored twin are one.

mod board;
mod scalar;
mod steps;
mod threats;

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{CountError, Table, add};
use crate::cpu::{self, SliderTask};
use crate::rules::Position;
use crate::rules::attacks::{Pext, Sliders, Subtraction};
use board::Board;
use steps::StepList;

index_enum! {
    /// A way to count.
    pub enum Kernel {
        /// One board at a time, sliding attacks by subtraction: on every CPU.
        Plain,
        /// One board at a time, sliding attacks by PEXT look-up.
        Pext,
    }
}

/// Text that names no kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a kernel, expected plain or pext")]
pub struct ParseKernelError {
    /// The text.
    pub text: String,
}

impl Kernel {
    /// Whether this CPU can run the kernel.
    pub fn is_available(self) -> bool {
        match self {
            Self::Plain => true,
            Self::Pext => Pext::detect().is_some(),
        }
    }

    /// The fastest kernel that this CPU can run.
    pub fn fastest() -> Self {
        let available = Self::ALL.into_iter().rev().find(|kernel| kernel.is_available());
        available.unwrap_or(Self::Plain)
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
        let leaves = match (self, Pext::detect()) {
            (Self::Pext, Some(pext)) => Leaves::Pext(pext),
            _ => Leaves::Plain,
        };
        job.descend(leaves, &Board::from(position), depth)
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Plain => "plain",
            Self::Pext => "pext",
        })
    }
}

impl FromStr for Kernel {
    type Err = ParseKernelError;

    fn from_str(text: &str) -> Result<Self, ParseKernelError> {
        let named = Self::ALL.into_iter().find(|kernel| kernel.to_string() == text);
        named.ok_or_else(|| ParseKernelError { text: text.to_owned() })
    }
}

/// What all nodes of a count share.
pub(super) struct Job<'a> {
    pub(super) table: Option<&'a Table>,
    pub(super) cancel: &'a AtomicBool,
}

/// The least depth at which a count is kept in the table; below, counting is as fast as looking.
const LEAST_TABLE_DEPTH: u32 = 3;

impl Job<'_> {
    /// Counts `depth` plies below `board`, at least 1: the last two by the kernel, those above one
    /// by one and by the table.
    fn descend(&self, leaves: Leaves, board: &Board, depth: u32) -> Result<u64, CountError> {
        if depth <= 2 {
            return Ok(leaves.count(board, depth));
        }
        if self.cancel.load(Ordering::Relaxed) {
            return Err(CountError::Cancelled);
        }
        let slot = self.table.filter(|_| depth >= LEAST_TABLE_DEPTH);
        let slot = slot.map(|table| (table, board.key(depth)));
        if let Some(count) = slot.as_ref().and_then(|(table, key)| table.get(key)) {
            return Ok(count);
        }
        let mut sum = 0;
        for m in leaves.moves(board) {
            let next = board.after(m).turned();
            sum = add(sum, self.descend(leaves, &next, depth - 1)?)?;
        }
        if let Some((table, key)) = slot {
            table.put(&key, sum);
        }
        Ok(sum)
    }
}

/// The chosen kernel, with the proof that this CPU can run it.
#[derive(Clone, Copy)]
enum Leaves {
    Plain,
    Pext(Pext),
}

impl Leaves {
    fn run<T: SliderTask>(self, task: T) -> T::Output {
        match self {
            Self::Plain => task.run(Subtraction),
            Self::Pext(pext) => cpu::with_pext(task, pext),
        }
    }

    /// Counts one or two plies.
    fn count(self, board: &Board, depth: u32) -> u64 {
        struct Count<'a>(&'a Board, u32);
        impl SliderTask for Count<'_> {
            type Output = u64;
            #[inline(always)]
            fn run<S: Sliders>(self, sliders: S) -> u64 {
                let Self(board, depth) = self;
                if depth == 1 {
                    scalar::count_moves::<true, S>(board, sliders)
                } else {
                    scalar::count_two_plies(board, sliders)
                }
            }
        }
        self.run(Count(board, depth))
    }

    fn moves(self, board: &Board) -> StepList {
        struct List<'a>(&'a Board);
        impl SliderTask for List<'_> {
            type Output = StepList;
            #[inline(always)]
            fn run<S: Sliders>(self, sliders: S) -> StepList {
                let mut list = StepList::new();
                steps::generate(self.0, sliders, |step| list.push(step));
                list
            }
        }
        self.run(List(board))
    }
}
