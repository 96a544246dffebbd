//! The set of positions at a ply.

use super::super::{CountError, add};
use super::packed::{PackedPosition, Packer};
use crate::rules::{Color, Position};

/// A position, and how many sequences of moves lead to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) position: PackedPosition,
    pub(super) sequences: u64,
}

/// How many parts a set is kept in; those of a large one can be made at different times.
pub(super) const PARTS: usize = 1 << PART_BITS;
const PART_BITS: u32 = 10;

impl Entry {
    /// The part of the set in which the position lies.
    pub(super) fn part(&self) -> usize {
        self.position.part(PART_BITS)
    }
}

/// Sorts, and makes one entry of those of the same position.
pub(super) fn unify(entries: &mut Vec<Entry>) -> Result<(), CountError> {
    // A stable sort finds what is sorted already, and merges it.
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

/// All positions that are reached at a ply, each once, with the sequences of moves to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frontier {
    pub(super) ply: u32,
    pub(super) side_to_move: Color,
    /// Each sorted, and all positions of one before those of the next.
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

    /// How many plies lead to it.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// How many positions it has.
    pub fn len(&self) -> usize {
        self.parts.iter().map(Vec::len).sum()
    }

    /// Whether no move leads to its ply.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every position, its clocks those of a game's first, with the sequences of moves to it; in
    /// an order that is always the same and means nothing.
    pub fn positions(&self) -> impl Iterator<Item = (Position, u64)> + '_ {
        let unpack = |entry: &Entry| (entry.position.unpack(self.side_to_move), entry.sequences);
        self.parts.iter().flatten().map(unpack)
    }

    /// The frontier one ply on, of whose positions `parts` has all.
    pub(super) fn followed_by(&self, parts: Vec<Vec<Entry>>) -> Self {
        Self {
            ply: self.ply + 1,
            side_to_move: !self.side_to_move,
            parts,
        }
    }

    /// Its size in memory.
    pub(super) fn bytes(&self) -> usize {
        bytes(&self.parts)
    }
}

/// The size of parts in memory.
pub(super) fn bytes(parts: &[Vec<Entry>]) -> usize {
    parts.iter().map(Vec::capacity).sum::<usize>() * size_of::<Entry>()
}

/// The sequences of moves to all positions of some parts.
pub(super) fn sequences(parts: &[Vec<Entry>]) -> Result<u64, CountError> {
    let mut entries = parts.iter().flatten();
    entries.try_fold(0, |sum, entry| add(sum, entry.sequences))
}
