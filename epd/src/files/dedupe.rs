//! Merges records of the same position.

use std::collections::HashMap;

use super::classify::position_key;
use super::document::{Document, Item};
use crate::text::{OpcodeValue, Operand, Operation, Record};

/// What to do with a record whose position occurred before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Duplicates {
    /// Drop it; add its operations to the first where they do not conflict
    #[default]
    Merge,
    /// Drop it with its operations
    First,
    /// Keep it
    Keep,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LeftOut {
    /// File index and line of the record.
    pub(crate) at: (usize, usize),
    /// File index and line of the record that is kept.
    pub(crate) first: (usize, usize),
    /// Its operations that contradict those of the record that is kept.
    pub(crate) conflicts: Vec<Conflict>,
}

/// Two contradictory operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Conflict {
    pub(crate) kept: Operation,
    pub(crate) lost: Operation,
}

/// Drops records whose position occurred before, as `how` specifies.
pub(crate) fn dedupe(document: &mut Document, how: Duplicates) -> Vec<LeftOut> {
    if how == Duplicates::Keep {
        return Vec::new();
    }
    let mut firsts: HashMap<String, usize> = HashMap::new();
    let mut duplicates = Vec::new();
    for (index, item) in document.items.iter().enumerate() {
        let key = position_key(item.record.position());
        let first = *firsts.entry(key).or_insert(index);
        if first != index {
            duplicates.push((index, first));
        }
    }
    let left_out = duplicates.iter().map(|&(index, first)| {
        let duplicate = document.items[index].clone();
        let first = &mut document.items[first];
        let conflicts = match how {
            Duplicates::Merge => merge(&mut first.record, &duplicate.record),
            Duplicates::First | Duplicates::Keep => Vec::new(),
        };
        LeftOut {
            at: place(&duplicate),
            first: place(first),
            conflicts,
        }
    });
    let left_out: Vec<LeftOut> = left_out.collect();
    let mut gone = left_out.iter().map(|one| one.at).peekable();
    // Both sequences are in document order.
    document.retain(|item| gone.next_if_eq(&place(item)).is_none());
    left_out
}

fn place(item: &Item) -> (usize, usize) {
    (item.file, item.line)
}

/// Adds the operations of `other` to `first`: those whose opcode it lacks, and the missing words of
/// `tag`. A different `id` is dropped: a second name is not a conflict.
fn merge(first: &mut Record, other: &Record) -> Vec<Conflict> {
    let mut operations = first.operations().to_vec();
    let mut conflicts = Vec::new();
    let mut is_changed = false;
    for operation in other.operations() {
        let is_same = |known: &&mut Operation| known.opcode() == operation.opcode();
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
        // A depth counted twice makes a line unreadable, so it must be a conflict here: `D1` and
        // `D01` are one depth with two opcodes.
        if let Err(error) = first.set_operations(operations) {
            let depth = |one: &Operation| one.perft_count().map(|(depth, _)| depth);
            let same = |one: &&Operation| depth(one) == Some(error.depth);
            for kept in first.operations().iter().filter(same) {
                let (kept, lost) = (kept.clone(), error.operation.clone());
                conflicts.push(Conflict { kept, lost });
            }
        }
    }
    conflicts
}

/// Whether two operations of one opcode are equivalent: the same moves in any order, or the same
/// operands, quoted or not.
fn are_equivalent(one: &Operation, other: &Operation, record: &Record) -> bool {
    let texts = |operation: &Operation| -> Vec<String> {
        let operands = operation.operands().iter();
        operands.map(Operand::as_str).map(str::to_owned).collect()
    };
    let value = |operation: &Operation| match operation.value(record.position()) {
        Ok(OpcodeValue::Moves(moves)) => {
            let mut moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
            moves.sort_unstable();
            Some(moves)
        }
        _ => None,
    };
    texts(one) == texts(other) || value(one).is_some_and(|moves| Some(moves) == value(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINGS: &str = "4k3/8/8/8/8/8/8/4K2R w K -";

    /// Each line holds the operations of a record of the same position.
    fn deduped(lines: &[&str], how: Duplicates) -> (String, Vec<LeftOut>) {
        let lines = lines.iter().map(|line| format!("{KINGS} {line}\n"));
        let text: String = lines.collect();
        let mut document = Document::parse(0, "x", text.as_bytes());
        assert_eq!(document.errors, []);
        let left_out = dedupe(&mut document, how);
        (
            document.to_string().replace(&format!("{KINGS} "), ""),
            left_out,
        )
    }

    #[test]
    fn operations_are_merged() {
        for (lines, expected, conflicts) in [
            (vec!["bm O-O;", "id \"x\";"], "bm O-O; id \"x\";", 0),
            (vec!["id a;", "id b; c0 x;"], "id a; c0 x;", 0),
            (vec!["bm O-O Rh8+;", "bm Rh8+ O-O;"], "bm O-O Rh8+;", 0),
            (vec!["bm O-O;", "bm Rh8+;"], "bm O-O;", 1),
            (vec!["tag a b;", "tag b c;"], "tag a b c;", 0),
            (vec!["D1 15;", "D1 15; D2 66;"], "D1 15; D2 66;", 0),
            (vec!["D1 15;", "D1 14;", "D2 66;"], "D1 15; D2 66;", 1),
        ] {
            let (text, left_out) = deduped(&lines, Duplicates::Merge);
            assert_eq!(text.trim_end(), expected, "{lines:?}");
            assert_eq!(left_out.len(), lines.len() - 1, "{lines:?}");
            let found: usize = left_out.iter().map(|one| one.conflicts.len()).sum();
            assert_eq!(found, conflicts, "{lines:?}");
        }
    }

    #[test]
    fn first_and_keep() {
        let lines = ["bm O-O;", "id \"x\";"];
        assert_eq!(deduped(&lines, Duplicates::First).0, "bm O-O;\n");
        let (text, left_out) = deduped(&lines, Duplicates::Keep);
        assert_eq!(text, "bm O-O;\nid \"x\";\n");
        assert_eq!(left_out, []);
    }

    /// The standard reader reads `D01` as depth 1.
    #[test]
    fn one_depth_in_two_opcodes_is_a_conflict() {
        let (text, left_out) = deduped(&["D1 15;", "D01 15;"], Duplicates::Merge);
        assert_eq!(text, "D1 15;\n");
        assert_eq!(left_out[0].conflicts.len(), 1);
    }
}
