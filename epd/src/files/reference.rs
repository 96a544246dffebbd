//! The plain way to do what the file tools do, with everything in memory. Tests compare the two.

use std::collections::{HashMap, HashSet};

use super::dedupe::{Conflict, DuplicatePolicy, merge};
use super::document::{Document, DocumentItem};
use crate::text::{Operand, Operation, position_key};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LeftOut {
    /// File index and line of the record.
    pub(crate) at: (usize, usize),
    /// File index and line of the record that is kept.
    pub(crate) first: (usize, usize),
    /// Its operations that contradict those of the record that is kept.
    pub(crate) conflicts: Vec<Conflict>,
}

/// Drops records whose position occurred before, as `how` specifies.
pub(crate) fn dedupe(document: &mut Document, how: DuplicatePolicy) -> Vec<LeftOut> {
    if how == DuplicatePolicy::Keep {
        return Vec::new();
    }
    let mut firsts: HashMap<[u8; 24], usize> = HashMap::new();
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
            DuplicatePolicy::Merge => merge(&mut first.record, &duplicate.record),
            DuplicatePolicy::First | DuplicatePolicy::Keep => Vec::new(),
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

fn place(item: &DocumentItem) -> (usize, usize) {
    (item.file, item.line)
}

/// Renames each record whose `id` is already used: appends ` (2)`, or the next number that makes it
/// unique. Returns the number of renamed records.
pub(crate) fn make_ids_unique(document: &mut Document) -> usize {
    let ids = document.items.iter().filter_map(|item| item.record.id());
    let mut taken: HashSet<String> = ids.map(str::to_owned).collect();
    // Number of occurrences of each id.
    let mut met: HashMap<String, usize> = HashMap::new();
    let mut renamed = 0;
    for DocumentItem { record, .. } in &mut document.items {
        let Some(id) = record.id().map(str::to_owned) else {
            continue;
        };
        let number = met.entry(id.clone()).or_default();
        *number += 1;
        if *number == 1 {
            continue;
        }
        let mut new = format!("{id} ({number})");
        while !taken.insert(new.clone()) {
            *number += 1;
            new = format!("{id} ({number})");
        }
        let mut operations = record.operations().to_vec();
        let is_id = |operation: &&mut Operation| operation.opcode() == "id";
        if let Some(operation) = operations.iter_mut().find(is_id) {
            *operation = Operation::new_unchecked("id", vec![Operand::Text(new)]);
        }
        let set = record.set_operations(operations);
        set.expect("the depths are those of a record that was read");
        renamed += 1;
    }
    renamed
}

impl Document {
    /// Keeps the records that `is_wanted` selects. Comments above a dropped record move to the next
    /// one that is kept: they may apply to more than one.
    pub(crate) fn retain(&mut self, mut is_wanted: impl FnMut(&DocumentItem) -> bool) {
        let mut waiting = Vec::new();
        let mut kept = Vec::with_capacity(self.items.len());
        for mut item in std::mem::take(&mut self.items) {
            let is_wanted = is_wanted(&item);
            waiting.append(&mut item.above);
            if is_wanted {
                item.above = std::mem::take(&mut waiting);
                kept.push(item);
            }
        }
        waiting.append(&mut self.tail);
        self.tail = waiting;
        self.items = kept;
    }
}

mod dedupe_tests {
    use super::*;

    const KINGS: &str = "4k3/8/8/8/8/8/8/4K2R w K -";

    /// Each line holds the operations of a record of the same position.
    fn deduped(lines: &[&str], how: DuplicatePolicy) -> (String, Vec<LeftOut>) {
        let lines = lines.iter().map(|line| format!("{KINGS} {line}\n"));
        let text: String = lines.collect();
        let mut document = Document::parse(0, "x", text.as_bytes());
        assert_eq!(document.errors, []);
        let left_out = dedupe(&mut document, how);
        let text = document.to_string();
        (text.replace(&format!("{KINGS} "), ""), left_out)
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
            let (text, left_out) = deduped(&lines, DuplicatePolicy::Merge);
            assert_eq!(text.trim_end(), expected, "{lines:?}");
            assert_eq!(left_out.len(), lines.len() - 1, "{lines:?}");
            let found: usize = left_out.iter().map(|one| one.conflicts.len()).sum();
            assert_eq!(found, conflicts, "{lines:?}");
        }
    }

    #[test]
    fn first_and_keep() {
        let lines = ["bm O-O;", "id \"x\";"];
        assert_eq!(deduped(&lines, DuplicatePolicy::First).0, "bm O-O;\n");
        let (text, left_out) = deduped(&lines, DuplicatePolicy::Keep);
        assert_eq!(text, "bm O-O;\nid \"x\";\n");
        assert_eq!(left_out, []);
    }

    /// The standard reader reads `D01` as depth 1.
    #[test]
    fn one_depth_in_two_opcodes_is_a_conflict_if_the_counts_differ() {
        let (text, left_out) = deduped(&["D1 15;", "D01 15;"], DuplicatePolicy::Merge);
        assert_eq!(text, "D1 15;\n");
        assert_eq!(left_out[0].conflicts.len(), 0);
        let (text, left_out) = deduped(&["D1 15;", "D01 16;"], DuplicatePolicy::Merge);
        assert_eq!(text, "D1 15;\n");
        assert_eq!(left_out[0].conflicts.len(), 1);
    }
}

mod document_tests {
    use super::*;

    const TWO: &str = "# head\n\n4k3/8/8/8/8/8/8/4K3 w - - id \"a\";\n# on b\n\
                       4k3/8/8/8/8/8/8/3K4 w - - id \"b\";\n# tail\n";

    #[test]
    fn comments_of_dropped_records_are_kept() {
        let mut document = Document::parse(0, "x", TWO.as_bytes());
        document.retain(|item| item.record.id() == Some("a"));
        let expected = "# head\n\n4k3/8/8/8/8/8/8/4K3 w - - id \"a\";\n# on b\n# tail\n";
        assert_eq!(document.to_string(), expected);
    }

    fn record(id: &str) -> String {
        format!("4k3/8/8/8/8/8/8/4K3 w - - id \"{id}\";\n")
    }

    #[test]
    fn ids_are_made_unique() {
        let ids = ["a", "a (2)", "b", "a", "a"];
        let text = ids.map(record).concat();
        let mut merged = Document::parse(0, "x", text.as_bytes());
        assert_eq!(make_ids_unique(&mut merged), 2);
        let ids = merged.items.iter().filter_map(|item| item.record.id());
        let expected = ["a", "a (2)", "b", "a (3)", "a (4)"];
        assert_eq!(ids.collect::<Vec<_>>(), expected);
    }
}

/// The tools for files of any size do what the plain ones do.
mod comparison {
    use std::io;

    use super::*;
    use crate::files::dedupe::Deduper;
    use crate::files::items::{FileLine, StoredItem, pieces};
    use crate::stream::blocks::Blocks;
    use crate::suites::{ALL, TACTICS};
    use crate::text::Record;

    /// Records of the suites, many of them twice, with comments between them.
    fn text() -> String {
        let suites = ALL.iter().chain(&TACTICS);
        let lines: Vec<&str> = suites.flat_map(|suite| suite.text.lines()).collect();
        let changed = |(index, line): (usize, &&str)| {
            let other = lines[index * 7 % lines.len()];
            match index % 5 {
                0 => format!("# comment {index}\n\n{line}\n"),
                1 => format!("{other}\n{line}\n"),
                2 => {
                    let other = other.replace("bm ", "am ");
                    format!("{}\n{line}\n", other.replace("tag ", "tag new "))
                }
                3 => format!("{}\n", other.replace("D2 1", "D2 2")),
                _ => format!("{line}\n"),
            }
        };
        let records: Vec<String> = lines.iter().enumerate().map(changed).collect();
        format!("# All suites.\n{}# The end.\n", records.concat())
    }

    /// The items of a text, read block by block, and what is found in each; with the comments at the end.
    fn items<M>(text: &str, find: impl Fn(&Record) -> M) -> (Vec<(StoredItem, M)>, String) {
        let mut blocks = Blocks::new(text.as_bytes());
        let (mut items, mut above) = (Vec::new(), String::new());
        while let Some(block) = blocks.next().unwrap() {
            for piece in pieces(&block, &find) {
                match piece {
                    FileLine::Comment(text) => above += &(text + "\n"),
                    FileLine::Record { line, text, found } => {
                        let item = StoredItem {
                            file: 0,
                            line,
                            above: std::mem::take(&mut above),
                            text,
                        };
                        items.push((item, found));
                    }
                    FileLine::Warning(_) => {}
                    FileLine::Fault(fault) => panic!("{fault}"),
                }
            }
        }
        (items, above)
    }

    #[test]
    fn items_are_those_of_the_document() {
        let text = text();
        let (items, tail) = items(&text, |_| ());
        let lines = items
            .iter()
            .map(|(item, ())| [&item.above, &item.text, "\n"].concat());
        let found: Vec<String> = lines.collect();
        assert!(found.concat() + &tail == text);
    }

    #[test]
    fn duplicates_are_left_out_alike() {
        let text = text();
        for how in [DuplicatePolicy::Merge, DuplicatePolicy::First] {
            let mut document = Document::parse(0, "x", text.as_bytes());
            let expected = dedupe(&mut document, how);
            let (items, tail) = items(&text, |record| position_key(record.position()));
            let mut deduper = Deduper::with_capacity(100);
            for (item, key) in &items {
                deduper.add(item, key).unwrap();
            }
            let (mut found, mut conflicts) = (String::new(), Vec::new());
            let keep = |item: StoredItem| -> io::Result<()> {
                found += &[&item.above, &item.text, "\n"].concat();
                Ok(())
            };
            // The place, the line that is left out and the line that is kept.
            let conflict = |first: &StoredItem, other: &StoredItem, place, conflict| {
                conflicts.push((place, (0, other.line), (0, first.line), conflict));
                io::Result::Ok(())
            };
            let left_out = deduper.finish().unwrap().each(how, keep, conflict).unwrap();
            let found = found + &left_out.comments + &tail;
            assert!(found == document.to_string(), "{how:?}");
            assert_eq!(left_out.records, expected.len());
            conflicts.sort_by_key(|conflict| conflict.0);
            let conflicts = conflicts.into_iter();
            let conflicts = conflicts.map(|(_, at, first, conflict)| (at, first, conflict));
            let conflicts: Vec<_> = conflicts.collect();
            let expected = expected.into_iter().flat_map(|one| {
                let conflicts = one.conflicts.into_iter();
                conflicts.map(move |conflict| (one.at, one.first, conflict))
            });
            let expected: Vec<_> = expected.collect();
            assert_eq!(conflicts, expected);
            assert_eq!(conflicts.is_empty(), how == DuplicatePolicy::First);
        }
    }
}
