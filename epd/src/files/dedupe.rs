//! Merges records of the same position.

use std::io;
use std::iter::Peekable;

use chess::notation::san;

use super::items::{ItemSpool, StoredItem, StoredItems};
use crate::stream::sorter::{Sorted, Sorter, entry, number};
use crate::text::{Operand, Operation, PositionKey, Record};

/// What to do with a record whose position occurred before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum DuplicatePolicy {
    /// Drop it; add its operations to the first where they do not conflict
    #[default]
    Merge,
    /// Drop it with its operations
    First,
    /// Keep it
    Keep,
}

/// Two contradictory operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Conflict {
    pub(crate) kept: Operation,
    pub(crate) lost: Operation,
}

/// Key of a position, and the place of an item.
type KeyEntry = [u8; 32];
/// The places of two items.
type PairEntry = [u8; 16];

/// Collects items, to find those whose position occurred before.
pub(crate) struct Deduper {
    items: ItemSpool,
    keys: Sorter<{ size_of::<KeyEntry>() }>,
}

impl Deduper {
    pub(crate) fn new() -> Self {
        Self::with(Sorter::new())
    }

    fn with(keys: Sorter<{ size_of::<KeyEntry>() }>) -> Self {
        let items = ItemSpool::new();
        Self { items, keys }
    }

    /// One that sorts so many keys at once.
    #[cfg(test)]
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self::with(Sorter::with_capacity(capacity))
    }

    /// Adds an item and the key of its position.
    pub(crate) fn add(&mut self, item: &StoredItem, key: &PositionKey) -> io::Result<()> {
        let place = self.items.push(item)?;
        self.keys.push(entry(key, &[place]))
    }

    pub(crate) fn finish(self) -> io::Result<Deduped> {
        let (mut dropped, mut merges) = (Sorter::new(), Sorter::new());
        let mut first: Option<KeyEntry> = None;
        for found in self.keys.sorted()? {
            let found = found?;
            match first {
                // Entries are sorted by key, then by place, so the first of a position comes first.
                Some(first) if first[..24] == found[..24] => {
                    let (here, there) = (number(&found, 24), number(&first, 24));
                    dropped.push(entry(&[], &[here, there]))?;
                    merges.push(entry(&[], &[there, here]))?;
                }
                _ => first = Some(found),
            }
        }
        Ok(Deduped {
            items: self.items.finish()?,
            dropped: dropped.sorted()?.peekable(),
            merges: merges.sorted()?.peekable(),
        })
    }
}

type KeyPairs = Peekable<Sorted<{ size_of::<PairEntry>() }>>;

/// The next pair, if it begins with this place.
fn next_of(pairs: &mut KeyPairs, place: u64) -> io::Result<Option<u64>> {
    let is_wanted = |pair: &io::Result<PairEntry>| match pair {
        Ok(pair) => number(pair, 0) == place,
        Err(_) => true,
    };
    let pair = pairs.next_if(is_wanted).transpose()?;
    Ok(pair.map(|pair| number(&pair, 8)))
}

/// Items without those whose position occurred before.
pub(crate) struct Deduped {
    items: StoredItems,
    /// Each item that is dropped, with the first of its position, in order.
    dropped: KeyPairs,
    /// The same pairs by the first.
    merges: KeyPairs,
}

/// What was left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LeftOut {
    /// Number of records.
    pub(crate) records: usize,
    /// The comments above the last ones.
    pub(crate) comments: String,
}

impl Deduped {
    /// Hands the items that are kept to `keep`, in order, and the contradictions to `conflict`: with the
    /// first item, the one that is dropped, and its place in the order. Comments above an item that is
    /// dropped move to the next one.
    pub(crate) fn each<E: From<io::Error>>(
        mut self,
        how: DuplicatePolicy,
        mut keep: impl FnMut(StoredItem) -> Result<(), E>,
        mut conflict: impl FnMut(&StoredItem, &StoredItem, u64, Conflict) -> Result<(), E>,
    ) -> Result<LeftOut, E> {
        let mut left_out = LeftOut::default();
        for found in self.items.iter() {
            let (place, mut item) = found?;
            left_out.comments += &item.above;
            if next_of(&mut self.dropped, place)?.is_some() {
                left_out.records += 1;
                continue;
            }
            let mut merged = None;
            while let Some(other) = next_of(&mut self.merges, place)? {
                if how == DuplicatePolicy::First {
                    continue;
                }
                let duplicate = self.items.get(other)?;
                let record = merged.get_or_insert_with(|| item.record());
                for contradiction in merge(record, &duplicate.record()) {
                    conflict(&item, &duplicate, other, contradiction)?;
                }
            }
            if let Some(record) = merged {
                item.text = record.into_text();
            }
            item.above = std::mem::take(&mut left_out.comments);
            keep(item)?;
        }
        Ok(left_out)
    }
}

/// Adds the operations of `other` to `first`: those whose opcode it lacks, and the missing words of
/// `tag`. A different `id` is dropped: a second name is not a conflict.
pub(super) fn merge(first: &mut Record, other: &Record) -> Vec<Conflict> {
    let mut operations = first.operations().to_vec();
    let mut conflicts = Vec::new();
    let mut is_changed = false;
    for operation in other.operations() {
        // `D1` and `D01` count one depth under two opcodes.
        let depth = |one: &Operation| one.perft_count().map(|(depth, _)| depth);
        let counted = depth(operation);
        let is_same = |known: &&mut Operation| {
            known.opcode() == operation.opcode() || counted.is_some() && depth(known) == counted
        };
        let Some(known) = operations.iter_mut().find(is_same) else {
            operations.push(operation.clone());
            is_changed = true;
            continue;
        };
        if operation.opcode() == "tag" {
            let mut operands = known.operands().to_vec();
            for operand in operation.operands() {
                if !operands.iter().any(|one| one.as_str() == operand.as_str()) {
                    operands.push(operand.clone());
                    is_changed = true;
                }
            }
            *known = Operation::new_unchecked(known.opcode(), operands);
        } else if operation.opcode() != "id" && !are_equivalent(known, operation, first) {
            let (kept, lost) = (known.clone(), operation.clone());
            conflicts.push(Conflict { kept, lost });
        }
    }
    if is_changed {
        let set = first.set_operations(operations);
        set.expect("no depth is there twice");
    }
    conflicts
}

/// Whether two operations of one opcode are equivalent: the same moves in any order and notation, or
/// the same operands, quoted or not.
fn are_equivalent(one: &Operation, other: &Operation, record: &Record) -> bool {
    let texts = |operation: &Operation| -> Vec<String> {
        let operands = operation.operands().iter();
        operands.map(Operand::as_str).map(str::to_owned).collect()
    };
    if let (Some(one), Some(other)) = (one.perft_count(), other.perft_count()) {
        return one == other;
    }
    // Those of `bm` and such; of an unknown opcode, nobody knows whether they are moves.
    let moves = |operation: &Operation| -> Option<Vec<String>> {
        let texts = texts(operation);
        let read = |text: &String| san::parse_lenient(text, record.position()).ok();
        let moves = texts.iter().map(|text| read(text).map(|m| m.to_string()));
        let mut moves: Vec<String> = moves.collect::<Option<_>>()?;
        moves.sort_unstable();
        Some(moves)
    };
    let are_moves = ["bm", "am", "pm", "sm"].contains(&one.opcode());
    texts(one) == texts(other)
        || are_moves && moves(one).is_some_and(|found| Some(found) == moves(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_merged_by_depth() {
        let record = |operations: &str| -> Record {
            let text = format!("4k3/8/8/8/8/8/8/4K3 w - - {operations}");
            text.parse().expect("a record")
        };
        let mut first = record("D1 5;");
        let conflicts = merge(&mut first, &record("D01 5; D2 25; id \"x\";"));
        assert_eq!(conflicts.len(), 0);
        assert_eq!(first.perft_counts(), [(1, 5), (2, 25)]);
        assert_eq!(first.id(), Some("x"));
        assert_eq!(merge(&mut first, &record("bm Kd2 Kf1;")).len(), 0);
        assert_eq!(merge(&mut first, &record("bm e1f1 e1d2;")).len(), 0);
        assert_eq!(merge(&mut first, &record("bm e1f2 e1d2;")).len(), 1);
        assert_eq!(merge(&mut first, &record("D02 26;")).len(), 1);
        assert_eq!(first.perft_counts(), [(1, 5), (2, 25)]);
    }
}
