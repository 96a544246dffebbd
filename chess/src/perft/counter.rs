//! The door: how to count, and counting on one thread or many.

use std::sync::atomic::AtomicBool;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::kernel::{Job, Kernel};
use super::walk::walk;
use super::{CountError, Table, add, check_depth};
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

/// A subtree of less depth is not cut further: splitting would cost more than it gains.
const LEAST_SPLIT_DEPTH: u32 = 3;
/// As many subtrees keep a few threads busy to the end, even where one is much larger than others.
const ENOUGH_SUBTREES: usize = 1000;

impl Default for Counter<'_> {
    fn default() -> Self {
        Self {
            bulk: true,
            kernel: Kernel::fastest(),
            table: None,
            cancel: &NEVER,
        }
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
        self.kernel = if kernel.is_available() {
            kernel
        } else {
            Kernel::fastest()
        };
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
    /// When the depth is larger than [`super::MAX_DEPTH`], the count does not fit 64 bits, or counting
    /// is cancelled.
    pub fn count(&self, position: &Position, depth: u32) -> Result<u64, CountError> {
        check_depth(depth)?;
        if self.bulk {
            let job = Job {
                table: self.table,
                cancel: self.cancel,
            };
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
        check_depth(depth)?;
        let Some(below) = depth.checked_sub(1) else {
            return Ok(Vec::new());
        };
        let moves = position.legal_moves().into_iter();
        moves
            .map(|m| Ok((m, self.count(&position.play_unchecked(m), below)?)))
            .collect()
    }

    /// [`Counter::count`] on all threads of the current rayon pool, with the same result.
    ///
    /// # Errors
    ///
    /// As [`Counter::count`].
    pub fn count_parallel(&self, position: &Position, depth: u32) -> Result<u64, CountError> {
        if depth <= LEAST_SPLIT_DEPTH {
            return self.count(position, depth);
        }
        let divide = self.divide_parallel(position, depth)?;
        divide
            .into_iter()
            .try_fold(0, |sum, (_, count)| add(sum, count))
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
        self.divide_observed(position, depth, |_| {})
    }

    /// [`Counter::divide_parallel`], telling of every subtree that has been counted. The subtrees
    /// are always the same ones; the order in which they are told of is not.
    ///
    /// # Errors
    ///
    /// As [`Counter::count`].
    pub fn divide_observed(
        &self,
        position: &Position,
        depth: u32,
        observe: impl Fn(SubtreeCount) + Sync,
    ) -> Result<Vec<(Move, u64)>, CountError> {
        check_depth(depth)?;
        let Some(below) = depth.checked_sub(1) else {
            return Ok(Vec::new());
        };
        let moves = position.legal_moves();
        let (subtrees, below) = split(position, below);
        let counts: Vec<u64> = subtrees
            .par_iter()
            .map(|subtree| {
                let count = self.count(&subtree.position, below)?;
                observe(SubtreeCount {
                    root_move: moves[subtree.root_move],
                    count,
                    total: subtrees.len(),
                    siblings: subtree.siblings,
                });
                Ok(count)
            })
            .collect::<Result<_, _>>()?;
        let mut divide: Vec<(Move, u64)> = moves.iter().map(|&m| (m, 0)).collect();
        for (subtree, count) in subtrees.iter().zip(counts) {
            let sum = &mut divide[subtree.root_move].1;
            *sum = add(*sum, count)?;
        }
        Ok(divide)
    }
}

/// A part of the tree that has been counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubtreeCount {
    /// The root move it lies below.
    pub root_move: Move,
    /// Its leaf nodes.
    pub count: u64,
    /// How many subtrees the whole tree is cut into.
    pub total: usize,
    /// How many of them lie below this root move.
    pub siblings: usize,
}

/// A part of the tree that one thread counts.
struct Subtree {
    /// The index of the root move it lies below.
    root_move: usize,
    /// How many subtrees lie below that move.
    siblings: usize,
    position: Position,
}

/// Cuts the tree below each root move into subtrees, all of the same remaining depth, in a fixed
/// order. `below` is the depth that remains after the root moves.
fn split(position: &Position, mut below: u32) -> (Vec<Subtree>, u32) {
    let mut roots: Vec<Vec<Position>> = position
        .legal_moves()
        .into_iter()
        .map(|m| vec![position.play_unchecked(m)])
        .collect();
    while below >= LEAST_SPLIT_DEPTH
        && (1..ENOUGH_SUBTREES).contains(&roots.iter().map(Vec::len).sum())
    {
        roots = roots
            .iter()
            .map(|positions| positions.iter().flat_map(expand).collect())
            .collect();
        below -= 1;
    }
    let subtrees = roots
        .into_iter()
        .enumerate()
        .flat_map(|(root_move, positions)| {
            let siblings = positions.len();
            positions.into_iter().map(move |position| Subtree {
                root_move,
                siblings,
                position,
            })
        });
    (subtrees.collect(), below)
}

fn expand(parent: &Position) -> impl Iterator<Item = Position> + use<> {
    let parent = *parent;
    parent
        .legal_moves()
        .into_iter()
        .map(move |m| parent.play_unchecked(m))
}
