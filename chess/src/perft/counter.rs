//! The public interface: how to count, on one thread or many.
#![expect(
    clippy::missing_errors_doc,
    reason = "every count fails as `Counter::count` does"
)]

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::kernel::{DescentContext, Kernel};
use super::{CountError, CountTable, add, check_depth};
use crate::rules::{Move, Position};

/// Counts the leaf nodes `depth` plies below a position on this thread, with bulk counting and
/// without a table.
///
/// # Errors
///
/// If the depth exceeds [`super::MAX_DEPTH`] or the count does not fit in 64 bits.
pub fn count(position: &Position, depth: u32) -> Result<u64, CountError> {
    Counter::new().count(position, depth)
}

/// Settings of a perft count.
#[derive(Clone, Copy, Debug)]
pub struct Counter<'a> {
    bulk: bool,
    kernel: Kernel,
    table: Option<&'a CountTable>,
    cancel: &'a AtomicBool,
}

static NEVER: AtomicBool = AtomicBool::new(false);

/// Subtrees of less depth are not split further: splitting would cost more than it gains, and the kernels count three
/// plies at once.
const LEAST_SPLIT_DEPTH: u32 = 4;
/// Enough subtrees to keep all threads busy to the end, even if one is much larger than the others.
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
    /// Bulk counting with the fastest kernel of this CPU and no table.
    pub fn new() -> Self {
        Self::default()
    }

    /// Enables bulk counting: the moves of the last ply are counted without making them. If
    /// disabled, a plain walk makes every move, and neither kernel nor table is used.
    #[must_use]
    pub const fn bulk(mut self, bulk: bool) -> Self {
        self.bulk = bulk;
        self
    }

    /// Selects the kernel; one that this CPU lacks is replaced by the fastest available.
    #[must_use]
    pub fn kernel(mut self, kernel: Kernel) -> Self {
        self.kernel = if kernel.is_available() {
            kernel
        } else {
            Kernel::fastest()
        };
        self
    }

    /// Caches the counts of subtrees in `table`.
    #[must_use]
    pub const fn table(mut self, table: &'a CountTable) -> Self {
        self.table = Some(table);
        self
    }

    /// Counting fails with [`CountError::Cancelled`] soon after `cancel` becomes true.
    #[must_use]
    pub const fn cancel(mut self, cancel: &'a AtomicBool) -> Self {
        self.cancel = cancel;
        self
    }

    /// Counts the leaf nodes `depth` plies below `position` on this thread.
    ///
    /// # Errors
    ///
    /// If the depth exceeds [`super::MAX_DEPTH`], the count does not fit in 64 bits, or counting is
    /// cancelled.
    pub fn count(&self, position: &Position, depth: u32) -> Result<u64, CountError> {
        check_depth(depth)?;
        if self.bulk {
            let job = DescentContext {
                table: self.table,
                cancel: self.cancel,
            };
            self.kernel.count(position, depth, &job)
        } else {
            walk(position, depth, self.cancel)
        }
    }

    /// Counts the leaf nodes below each legal move, in the order of [`Position::legal_moves`]; no
    /// moves at depth 0.
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
    pub fn divide_parallel(
        &self,
        position: &Position,
        depth: u32,
    ) -> Result<Vec<(Move, u64)>, CountError> {
        self.divide_observed(position, depth, |_| {})
    }

    /// [`Counter::divide_parallel`] that reports every finished subtree. The subtrees are always
    /// the same; their order is not.
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

/// A finished part of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubtreeCount {
    /// The root move above it.
    pub root_move: Move,
    /// Number of leaf nodes.
    pub count: u64,
    /// Number of subtrees of the whole tree.
    pub total: usize,
    /// Number of subtrees below this root move.
    pub siblings: usize,
}

/// A part of the tree that is counted by one thread.
struct Subtree {
    /// Index of the root move above it.
    root_move: usize,
    /// Number of subtrees below that move.
    siblings: usize,
    position: Position,
}

/// Splits the tree below each root move into subtrees, all of the same remaining depth, in a fixed
/// order. `below` is the depth left after the root move.
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

/// Counts by making every move; `cancel` is polled in every node above the last two plies.
pub(super) fn walk(
    position: &Position,
    depth: u32,
    cancel: &AtomicBool,
) -> Result<u64, CountError> {
    if depth == 0 {
        return Ok(1);
    }
    if depth > 2 && cancel.load(Ordering::Relaxed) {
        return Err(CountError::Cancelled);
    }
    let mut sum = 0;
    for m in position.legal_moves() {
        sum = add(sum, walk(&position.play_unchecked(m), depth - 1, cancel)?)?;
    }
    Ok(sum)
}
