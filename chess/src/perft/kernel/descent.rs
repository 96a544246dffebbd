//! The plies above the last three: one board at a time, with the table of subtree counts.

use std::sync::atomic::{AtomicBool, Ordering};

use super::board::Board;
use super::leaves::Leaves;
use super::scratch::Scratch;
use crate::perft::table::CountKey;
use crate::perft::{CountError, CountTable, add};

/// Shared by all nodes of a count.
pub(in crate::perft) struct DescentContext<'a> {
    pub(in crate::perft) table: Option<&'a CountTable>,
    pub(in crate::perft) cancel: &'a AtomicBool,
}

/// The minimal depth of a table entry; below it, counting is as fast as probing.
const LEAST_TABLE_DEPTH: u32 = 3;

/// A board on the way down, with its key if it may have a table entry.
pub(super) struct Child {
    board: Board,
    key: Option<CountKey>,
}

impl DescentContext<'_> {
    /// Prepares a board to be counted `depth` plies down, and prefetches its table entry.
    pub(super) fn child(&self, board: Board, depth: u32) -> Child {
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
    pub(super) fn descend(
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
