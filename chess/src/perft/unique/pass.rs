//! One pass over the moves from a frontier, which generates some parts of the next ply.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefMutIterator, ParallelIterator,
};

use super::super::CountError;
use super::UniqueError;
use super::frontier::{Entry, Frontier, PARTS, bytes, unify};
use super::packed::Packer;
use crate::rules::MAX_MOVES;

/// The parts of the ply after `frontier` that are being generated: the set grows block by block.
/// Two fifths of the memory are for the two sets; when they outgrow it, half of the parts are
/// deferred to a later pass. A quarter is for the children of one block, even if every position had
/// the maximal number of moves. The rest is for sorting and for the slack of growing vectors.
pub(super) struct Pass<'a> {
    frontier: &'a Frontier,
    memory: usize,
    /// Index of the first part.
    first: usize,
    parts: Vec<Vec<Entry>>,
}

pub(super) const MEBIBYTE: usize = 1 << 20;
/// Number of tasks per thread, enough to keep all threads busy to the end of a block.
const TASKS_PER_THREAD: usize = 4;

/// If so few parts do not fit, the ply would take more than 64 passes, and counting fails.
const LEAST_PARTS: usize = PARTS / 64;

/// The error for `bytes` of positions that do not fit in memory beside the working space.
pub(super) fn memory_error(ply: u32, bytes: usize, memory: usize) -> UniqueError {
    UniqueError::Memory {
        ply,
        needed: (bytes.saturating_mul(5) / 2).div_ceil(MEBIBYTE) as u64,
        given: (memory / MEBIBYTE) as u64,
    }
}

impl<'a> Pass<'a> {
    /// Creates a pass for some parts, in at most `memory` bytes.
    pub(super) fn new(frontier: &'a Frontier, parts: Range<usize>, memory: usize) -> Self {
        Self {
            frontier,
            memory,
            first: parts.start,
            parts: vec![Vec::new(); parts.len()],
        }
    }

    /// The generated parts, from the first on: as many as fitted.
    pub(super) fn into_parts(mut self) -> Vec<Vec<Entry>> {
        self.parts.iter_mut().for_each(Vec::shrink_to_fit);
        self.parts
    }

    /// Makes all moves. After every block `observe` is called with the number of positions done and
    /// the number of parts.
    pub(super) fn run(
        &mut self,
        cancel: &AtomicBool,
        observe: impl Fn(usize, usize),
    ) -> Result<(), UniqueError> {
        let total = self.frontier.len();
        let block = (self.memory / 4 / (MAX_MOVES * size_of::<Entry>())).max(1);
        for start in (0..total).step_by(block) {
            let end = total.min(start + block);
            let children = self.children(start..end, cancel)?;
            self.make_room(bytes(&children), end)?;
            self.merge(&children)?;
            observe(end, self.parts.len());
        }
        Ok(())
    }

    /// The children of the positions of a block, sorted, in several lists.
    fn children(
        &self,
        block: Range<usize>,
        cancel: &AtomicBool,
    ) -> Result<Vec<Vec<Entry>>, CountError> {
        let tasks = TASKS_PER_THREAD * rayon::current_num_threads();
        let length = block.len().div_ceil(tasks);
        (0..block.len().div_ceil(length))
            .into_par_iter()
            .map(|task| {
                let start = block.start + task * length;
                self.expand(start..block.end.min(start + length), cancel)
            })
            .collect()
    }

    fn expand(&self, parents: Range<usize>, cancel: &AtomicBool) -> Result<Vec<Entry>, CountError> {
        let packer = Packer::new();
        let kept = self.first..self.first + self.parts.len();
        let mut children = Vec::new();
        let entries = self.frontier.parts.iter().flatten();
        for parent in entries.skip(parents.start).take(parents.len()) {
            if cancel.load(Ordering::Relaxed) {
                return Err(CountError::Cancelled);
            }
            let position = parent.position.unpack(self.frontier.side_to_move);
            let packed = position.legal_moves().into_iter().map(|m| Entry {
                position: packer.pack(&position.play_unchecked(m)),
                sequences: parent.sequences,
            });
            children.extend(packed.filter(|child| kept.contains(&child.part())));
        }
        unify(&mut children)?;
        children.shrink_to_fit();
        Ok(children)
    }

    /// Defers parts until `arriving` bytes, spread over all parts, can be added. They come from the
    /// moves of the first `done` positions.
    fn make_room(&mut self, mut arriving: usize, done: usize) -> Result<(), UniqueError> {
        let room = (self.memory / 5 * 2).saturating_sub(self.frontier.bytes());
        while bytes(&self.parts) + arriving > room {
            if self.parts.len() <= LEAST_PARTS {
                let so_far = bytes(&self.parts) + arriving;
                let in_the_end = so_far.saturating_mul(self.frontier.len()) / done;
                let all = in_the_end.saturating_add(self.frontier.bytes());
                return Err(memory_error(self.frontier.ply + 1, all, self.memory));
            }
            self.parts.truncate(self.parts.len() / 2);
            arriving /= 2;
        }
        Ok(())
    }

    fn merge(&mut self, children: &[Vec<Entry>]) -> Result<(), CountError> {
        let first = self.first;
        self.parts
            .par_iter_mut()
            .enumerate()
            .try_for_each(|(index, part)| {
                let arriving = children.iter().map(|list| slice_of(list, first + index));
                part.reserve_exact(arriving.clone().map(<[Entry]>::len).sum());
                arriving.for_each(|entries| part.extend_from_slice(entries));
                unify(part)
            })
    }
}

/// The slice of a sorted list that belongs to a part.
fn slice_of(list: &[Entry], part: usize) -> &[Entry] {
    let start = list.partition_point(|entry| entry.part() < part);
    let end = list.partition_point(|entry| entry.part() <= part);
    &list[start..end]
}
