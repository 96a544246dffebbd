//! The set of positions of a ply.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefMutIterator, ParallelIterator,
};

use super::UniqueError;
use super::packed::PackedPosition;
use crate::perft::{CountError, add};
use crate::rules::{Color, MAX_MOVES, Position};

/// A position and the number of move sequences that lead to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FrontierEntry {
    pub(super) position: PackedPosition,
    pub(super) sequences: u64,
}

/// Number of parts of a set; the parts of a large set can be generated at different times.
pub(super) const PARTS: usize = 1 << PART_BITS;
const PART_BITS: u32 = 10;

impl FrontierEntry {
    /// The part of the set that contains the position.
    pub(super) fn part(&self) -> usize {
        self.position.part(PART_BITS)
    }
}

/// Sorts the entries and merges those of the same position.
pub(super) fn unify(entries: &mut Vec<FrontierEntry>) -> Result<(), CountError> {
    // A stable sort detects runs that are already sorted and merges them.
    entries.sort();
    let mut fits = true;
    entries.dedup_by(|entry, kept| {
        let same = entry.position == kept.position;
        if same {
            let sum = kept.sequences.checked_add(entry.sequences);
            fits &= sum.is_some();
            kept.sequences = sum.unwrap_or(u64::MAX);
        }
        same
    });
    if fits {
        Ok(())
    } else {
        Err(CountError::Overflow)
    }
}

/// The unique positions of a ply, with the number of move sequences to each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frontier {
    pub(super) ply: u32,
    pub(super) side_to_move: Color,
    /// Each part is sorted, and all positions of one part precede those of the next.
    pub(super) parts: Vec<Vec<FrontierEntry>>,
}

impl Frontier {
    /// Ply 0: the position itself, reached in one way.
    pub fn new(position: &Position) -> Self {
        let entry = FrontierEntry {
            position: PackedPosition::new(position),
            sequences: 1,
        };
        Self {
            ply: 0,
            side_to_move: position.side_to_move(),
            parts: vec![vec![entry]],
        }
    }

    /// The ply of the set.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.parts.iter().map(Vec::len).sum()
    }

    /// Whether there are no positions, because no sequence of moves is that long.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All positions with their numbers of move sequences, in a fixed but unspecified order. The
    /// clocks are those of a new game.
    pub fn positions(&self) -> impl Iterator<Item = (Position, u64)> + '_ {
        let unpack =
            |entry: &FrontierEntry| (entry.position.unpack(self.side_to_move), entry.sequences);
        self.parts.iter().flatten().map(unpack)
    }

    /// Size in memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        bytes(&self.parts)
    }
}

/// Size of parts in memory, in bytes.
pub(super) fn bytes(parts: &[Vec<FrontierEntry>]) -> usize {
    parts.iter().map(Vec::capacity).sum::<usize>() * size_of::<FrontierEntry>()
}

/// The number of move sequences to all positions of some parts.
pub(super) fn sequences(parts: &[Vec<FrontierEntry>]) -> Result<u64, CountError> {
    let mut entries = parts.iter().flatten();
    entries.try_fold(0, |sum, entry| add(sum, entry.sequences))
}

/// The parts of the ply after `frontier` that are being generated: the set grows block by block.
/// Two fifths of the memory are for the two sets; when they outgrow it, half of the parts are
/// deferred to a later pass. A quarter is for the children of one block, even if every position had
/// the maximal number of moves. The rest is for sorting and for the slack of growing vectors.
pub(super) struct Pass<'a> {
    frontier: &'a Frontier,
    memory: usize,
    first: usize,
    parts: Vec<Vec<FrontierEntry>>,
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
    pub(super) fn into_parts(mut self) -> Vec<Vec<FrontierEntry>> {
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
        let block = (self.memory / 4 / (MAX_MOVES * size_of::<FrontierEntry>())).max(1);
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
    ) -> Result<Vec<Vec<FrontierEntry>>, CountError> {
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

    fn expand(
        &self,
        parents: Range<usize>,
        cancel: &AtomicBool,
    ) -> Result<Vec<FrontierEntry>, CountError> {
        let kept = self.first..self.first + self.parts.len();
        let mut children = Vec::new();
        let entries = self.frontier.parts.iter().flatten();
        for parent in entries.skip(parents.start).take(parents.len()) {
            if cancel.load(Ordering::Relaxed) {
                return Err(CountError::Cancelled);
            }
            let position = parent.position.unpack(self.frontier.side_to_move);
            let packed = position.legal_moves().into_iter().map(|m| FrontierEntry {
                position: PackedPosition::new(&position.play_unchecked(m)),
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

    fn merge(&mut self, children: &[Vec<FrontierEntry>]) -> Result<(), CountError> {
        let first = self.first;
        self.parts
            .par_iter_mut()
            .enumerate()
            .try_for_each(|(index, part)| {
                let arriving = children.iter().map(|list| {
                    let part = first + index;
                    let start = list.partition_point(|entry| entry.part() < part);
                    let end = list.partition_point(|entry| entry.part() <= part);
                    &list[start..end]
                });
                part.reserve_exact(arriving.clone().map(<[FrontierEntry]>::len).sum());
                arriving.for_each(|entries| part.extend_from_slice(entries));
                unify(part)
            })
    }
}
