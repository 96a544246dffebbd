//! The set of positions of a ply.

use super::super::{CountError, add};
use super::packed::{PackedPosition, Packer};
use crate::rules::{Color, Position};

/// A position and the number of move sequences that lead to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) position: PackedPosition,
    pub(super) sequences: u64,
}

/// Number of parts of a set; the parts of a large set can be generated at different times.
pub(super) const PARTS: usize = 1 << PART_BITS;
const PART_BITS: u32 = 10;

impl Entry {
    /// The part of the set that contains the position.
    pub(super) fn part(&self) -> usize {
        self.position.part(PART_BITS)
    }
}

/// Sorts the entries and merges those of the same position.
pub(super) fn unify(entries: &mut Vec<Entry>) -> Result<(), CountError> {
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
    pub(super) parts: Vec<Vec<Entry>>,
}

impl Frontier {
    /// Ply 0: the position itself, reached in one way.
    pub fn new(position: &Position) -> Self {
        let entry = Entry {
            position: Packer::new().pack(position),
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
        let unpack = |entry: &Entry| (entry.position.unpack(self.side_to_move), entry.sequences);
        self.parts.iter().flatten().map(unpack)
    }

    /// The frontier of the next ply, made of all its `parts`.
    pub(super) fn followed_by(&self, parts: Vec<Vec<Entry>>) -> Self {
        Self {
            ply: self.ply + 1,
            side_to_move: !self.side_to_move,
            parts,
        }
    }

    /// Size in memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        bytes(&self.parts)
    }
}

/// Size of parts in memory, in bytes.
pub(super) fn bytes(parts: &[Vec<Entry>]) -> usize {
    parts.iter().map(Vec::capacity).sum::<usize>() * size_of::<Entry>()
}

/// The number of move sequences to all positions of some parts.
pub(super) fn sequences(parts: &[Vec<Entry>]) -> Result<u64, CountError> {
    let mut entries = parts.iter().flatten();
    entries.try_fold(0, |sum, entry| add(sum, entry.sequences))
}
