//! The door: how to count, and counting on one thread or many.

use std::sync::atomic::AtomicBool;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::kernel::{Job, Kernel};
use super::walk::walk;
use super::{CountError, Table, add};
use crate::rules::{Move, Position};

/// Counts the leaf nodes `depth` plies below a position, on this thread, in bulk, without a table.
///
/// # Errors
///
/// When the count does not fit 64 bits.
pub fn count(position: &Position, depth: u32) -> Result<u64, CountError> {
    Counter::new().count(position, depth)
}

/// How to count.
#[derive(Clone, Copy, Debug)]
pub struct Counter<'a> {
    bulk: bool,
    kernel: Kernel,
    table: Option<&'a Table>,
    cancel: &'a AtomicBool,
}

static NEVER: AtomicBool = AtomicBool::new(false);

/// Below this depth splitting costs more than it gains.
const LEAST_SPLIT_DEPTH: u32 = 4;
/// As many subtrees keep a few threads busy to the end, even where one is much larger than others.
const ENOUGH_SUBTREES: usize = 1000;

impl Default for Counter<'_> {
    fn default() -> Self {
        Self { bulk: true, kernel: Kernel::fastest(), table: None, cancel: &NEVER }
    }
}

impl<'a> Counter<'a> {
    /// In bulk, by the fastest kernel of this CPU, without a table.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the moves of the last ply are counted without being made. When not, every move is
    /// made by the plain walk, and kernel and table are not used.
    #[must_use]
    pub const fn bulk(mut self, bulk: bool) -> Self {
        self.bulk = bulk;
        self
    }

    /// Which kernel counts; one this CPU lacks is replaced by the fastest it has.
    #[must_use]
    pub fn kernel(mut self, kernel: Kernel) -> Self {
        self.kernel = if kernel.is_available() { kernel } else { Kernel::fastest() };
        self
    }

    /// Counts of subtrees are kept in `table` and taken from it.
    #[must_use]
    pub const fn table(mut self, table: &'a Table) -> Self {
        self.table = Some(table);
        self
    }

    /// Counting ends with [`CountError::Cancelled`] soon after `cancel` becomes true.
    #[must_use]
    pub const fn cancel(mut self, cancel: &'a AtomicBool) -> Self {
        self.cancel = cancel;
        self
    }

    /// Counts the leaf nodes `depth` plies below `position` on this thread.
    ///
    /// # Errors
    ///
    /// When the count does not fit 64 bits, or counting is called off.
    pub fn count(&self, position: &Position, depth: u32) -> Result<u64, CountError> {
        if self.bulk {
            let job = Job { table: self.table, cancel: self.cancel };
            self.kernel.count(position, depth, &job)
        } else {
            walk(position, depth, self.cancel)
        }
    }

    /// Counts below each legal move, in the order of [`Position::legal_moves`]; the counts add up
    /// to that of `position`. At depth 0 there is no move to divide by, and the list is empty.
    ///
    /// # Errors
    ///
    /// As [`Counter::count`].
    pub fn divide(&self, position: &Position, depth: u32) -> Result<Vec<(Move, u64)>, CountError> {
        let Some(below) = depth.checked_sub(1) else { return Ok(Vec::new()) };
        let moves = position.legal_moves().into_iter();
        moves.map(|m| Ok((m, self.count(&position.play_unchecked(m), below)?))).collect()
    }

    /// [`Counter::count`] on all threads of the current rayon pool, with the same result.
    ///
    /// # Errors
    ///
    /// As [`Counter::count`].
    pub fn count_parallel(&self, position: &Position, depth: u32) -> Result<u64, CountError> {
        if depth < LEAST_SPLIT_DEPTH {
            return self.count(position, depth);
        }
        let divide = self.divide_parallel(position, depth)?;
        divide.into_iter().try_fold(0, |sum, (_, count)| add(sum, count))
    }

    /// [`Counter::divide`] on all threads of the current rayon pool, with the same result.
    ///
    /// # Errors
    ///
    /// As [`Counter::count`].
    pub fn divide_parallel(
        &self,
        position: &Position,
        depth: u32,
    ) -> Result<Vec<(Move, u64)>, CountError> {
        if depth < LEAST_SPLIT_DEPTH {
            return self.divide(position, depth);
        }
        let (subtrees, below) = split(position, depth);
        let counts: Vec<u64> = subtrees
            .par_iter()
            .map(|subtree| self.count(&subtree.position, below))
            .collect::<Result<_, _>>()?;
        let mut divide: Vec<(Move, u64)> =
            position.legal_moves().into_iter().map(|m| (m, 0)).collect();
        for (subtree, count) in subtrees.iter().zip(counts) {
            let sum = &mut divide[subtree.root_move].1;
            *sum = add(*sum, count)?;
        }
        Ok(divide)
    }
}

/// A part of the tree that one thread counts.
struct Subtree {
    /// The index of the root move it lies below.
    root_move: usize,
    position: Position,
}

/// Cuts the tree into subtrees, all of the same remaining depth, in a fixed order.
fn split(position: &Position, depth: u32) -> (Vec<Subtree>, u32) {
    let roots = position.legal_moves().into_iter().enumerate();
    let mut subtrees: Vec<Subtree> = roots
        .map(|(root_move, m)| Subtree { root_move, position: position.play_unchecked(m) })
        .collect();
    let mut below = depth - 1;
    while below + 1 >= LEAST_SPLIT_DEPTH && subtrees.len() < ENOUGH_SUBTREES && !subtrees.is_empty()
    {
        subtrees = subtrees.iter().flat_map(expand).collect();
        below -= 1;
    }
    (subtrees, below)
}

fn expand(parent: &Subtree) -> impl Iterator<Item = Subtree> {
    let Subtree { root_move, position } = *parent;
    let moves = position.legal_moves().into_iter();
    moves.map(move |m| Subtree { root_move, position: position.play_unchecked(m) })
}
