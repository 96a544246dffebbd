//! Ids of any number of records: counting different ones, and making them unique.

use std::hash::{DefaultHasher, Hasher as _};
use std::io;

use super::items::{ItemSpool, StoredItem, StoredItems};
use crate::stream::sorter::{Sorted, Sorter, entry, number};
use crate::stream::spool::Spool;
use crate::text::{Operand, Operation};

/// A fingerprint. Texts of the same fingerprint are compared.
fn fingerprint(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// Counts different texts.
pub(crate) struct DistinctTexts {
    texts: Spool,
    /// Fingerprint, and the place of the text.
    prints: Sorter<16>,
    fingerprint: fn(&str) -> u64,
}

impl DistinctTexts {
    pub(crate) fn new() -> Self {
        Self {
            texts: Spool::new(),
            prints: Sorter::new(),
            fingerprint,
        }
    }

    pub(crate) fn add(&mut self, text: &str) -> io::Result<()> {
        let place = self.texts.push(&[text.as_bytes()])?;
        let print = (self.fingerprint)(text);
        self.prints.push(entry(&[], &[print, place]))
    }

    /// Number of different texts.
    pub(crate) fn count(self) -> io::Result<usize> {
        let texts = self.texts.finish()?;
        let mut count = 0;
        // The place of the first text of a fingerprint, and the different texts, read when there is a
        // second one.
        let mut first: Option<[u8; 16]> = None;
        let mut different: Vec<Vec<u8>> = Vec::new();
        for found in self.prints.sorted()? {
            let found = found?;
            match first {
                Some(first) if number(&first, 0) == number(&found, 0) => {
                    if different.is_empty() {
                        different.push(texts.get(number(&first, 8))?);
                    }
                    let text = texts.get(number(&found, 8))?;
                    if !different.contains(&text) {
                        different.push(text);
                        count += 1;
                    }
                }
                _ => {
                    first = Some(found);
                    different.clear();
                    count += 1;
                }
            }
        }
        Ok(count)
    }
}

/// Collects items whose ids are to be made unique: ` (2)` is appended, or the next number that no other
/// id has.
pub(crate) struct UniqueIds {
    items: ItemSpool,
    ids: Spool,
    /// Fingerprint of an id, [`TAKEN`] or [`OCCURS`], the number or the place of the item, the place of
    /// the id.
    prints: Sorter<32>,
    fingerprint: fn(&str) -> u64,
}

/// An id with a number behind it, which later occurrences of the id without it cannot get.
// Sorted before `OCCURS`: all numbers in use are known before one is given.
const TAKEN: u64 = 0;
/// An id.
const OCCURS: u64 = 1;

impl UniqueIds {
    pub(crate) fn new() -> Self {
        Self {
            items: ItemSpool::new(),
            ids: Spool::new(),
            prints: Sorter::new(),
            fingerprint,
        }
    }

    pub(crate) fn add(&mut self, item: &StoredItem) -> io::Result<()> {
        let place = self.items.push(item)?;
        let record = item.record();
        let Some(id) = record.id() else {
            return Ok(());
        };
        let id_place = self.ids.push(&[id.as_bytes()])?;
        if let Some((base, number)) = split_number(id) {
            let print = (self.fingerprint)(base);
            self.prints
                .push(entry(&[], &[print, TAKEN, number, id_place]))?;
        }
        let print = (self.fingerprint)(id);
        self.prints
            .push(entry(&[], &[print, OCCURS, place, id_place]))
    }

    pub(crate) fn finish(self) -> io::Result<UniqueItems> {
        let ids = self.ids.finish()?;
        let text = |place: u64| -> io::Result<String> {
            Ok(String::from_utf8_lossy(&ids.get(place)?).into_owned())
        };
        let mut names = Sorter::new();
        let mut group = IdGroup::default();
        for found in self.prints.sorted()? {
            let found = found?;
            let [print, kind, value, id] = [0, 8, 16, 24].map(|at| number(&found, at));
            if group.print != Some(print) {
                group = IdGroup {
                    print: Some(print),
                    ..IdGroup::default()
                };
            }
            if kind == TAKEN {
                let id = text(id)?;
                let (base, number) = split_number(&id).expect("it was split before");
                group.id(base).take(number);
            } else if group.first.is_none() {
                // Most ids occur once, and are not read.
                group.first = Some(id);
            } else {
                if !group.is_first_known {
                    group.is_first_known = true;
                    let first = text(group.first.unwrap_or(id))?;
                    group.id(&first).occur();
                }
                let id = text(id)?;
                if let Some(number) = group.id(&id).occur() {
                    names.push(entry(&[], &[value, number]))?;
                }
            }
        }
        Ok(UniqueItems {
            items: self.items.finish()?,
            names: names.sorted()?,
        })
    }
}

/// `pin` and 2, for `pin (2)`: the form of the ids that are given.
fn split_number(id: &str) -> Option<(&str, u64)> {
    let (base, digits) = id.strip_suffix(')')?.rsplit_once(" (")?;
    let number: u64 = digits.parse().ok()?;
    // ` (1)` and ` (02)` are never given, so they are in nobody's way.
    (number >= 2 && digits == number.to_string()).then_some((base, number))
}

/// The ids of one fingerprint, usually a single one.
#[derive(Default)]
struct IdGroup {
    print: Option<u64>,
    /// The place of the first id that occurs.
    first: Option<u64>,
    is_first_known: bool,
    ids: Vec<NumberedId>,
}

impl IdGroup {
    fn id(&mut self, id: &str) -> &mut NumberedId {
        let index = self.ids.iter().position(|known| known.id == id);
        let index = index.unwrap_or_else(|| {
            self.ids.push(NumberedId {
                id: id.to_owned(),
                taken: Vec::new(),
                number: 0,
            });
            self.ids.len() - 1
        });
        &mut self.ids[index]
    }
}

/// An id, and the numbers behind it.
struct NumberedId {
    id: String,
    /// The numbers that other ids have, as ascending ranges, both ends included: often there is one.
    taken: Vec<(u64, u64)>,
    /// The number given last.
    number: u64,
}

impl NumberedId {
    /// Notes a number that an id has; they come in ascending order.
    fn take(&mut self, number: u64) {
        match self.taken.last_mut() {
            Some((_, last)) if number <= *last + 1 => *last = number,
            _ => self.taken.push((number, number)),
        }
    }

    /// Counts an occurrence; returns the number to append, except to the first.
    fn occur(&mut self) -> Option<u64> {
        self.number += 1;
        if self.number == 1 {
            return None;
        }
        let after = self.taken.partition_point(|&(_, last)| last < self.number);
        if let Some(&(first, last)) = self.taken.get(after)
            && first <= self.number
        {
            self.number = last + 1;
        }
        Some(self.number)
    }
}

/// Items whose ids are unique.
pub(crate) struct UniqueItems {
    items: StoredItems,
    /// Place of an item, and the number to append to its id.
    names: Sorted<16>,
}

impl UniqueItems {
    /// Hands the items to `take`, in order; returns the number of those that have a new id.
    pub(crate) fn each<E: From<io::Error>>(
        self,
        mut take: impl FnMut(StoredItem) -> Result<(), E>,
    ) -> Result<usize, E> {
        let mut names = self.names;
        let mut next = names.next().transpose()?;
        let mut renamed = 0;
        for found in self.items.iter() {
            let (place, mut item) = found?;
            if let Some(name) = next
                && number(&name, 0) == place
            {
                rename(&mut item, number(&name, 8));
                renamed += 1;
                next = names.next().transpose()?;
            }
            take(item)?;
        }
        Ok(renamed)
    }
}

fn rename(item: &mut StoredItem, number: u64) {
    let mut record = item.record();
    let mut operations = record.operations().to_vec();
    let is_id = |operation: &&mut Operation| operation.opcode() == "id";
    if let Some(operation) = operations.iter_mut().find(is_id) {
        let id = operation.operands().iter().map(Operand::as_str).next();
        let new = format!("{} ({number})", id.unwrap_or_default());
        *operation = Operation::new_unchecked("id", vec![Operand::Text(new)]);
    }
    let set = record.set_operations(operations);
    set.expect("the depths are those of a record that was read");
    item.text = record.into_text();
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Fingerprints that often collide change nothing.
    fn weak(text: &str) -> u64 {
        text.bytes().map(u64::from).sum::<u64>() % 3
    }

    fn some_ids() -> Vec<String> {
        let id = |number: u32| match number % 7 {
            0 => "a".to_owned(),
            1 => format!("a ({})", number % 13),
            2 => format!("b ({}) (2)", number % 5),
            3 => format!("b ({})", number % 5),
            4 => "a (2)".to_owned(),
            5 => "a (02)".to_owned(),
            _ => format!("c{}", number % 11),
        };
        (0..400).map(id).collect()
    }

    #[test]
    fn different_texts_are_counted() {
        let ids = some_ids();
        let expected = ids.iter().collect::<HashSet<_>>().len();
        for fingerprint in [fingerprint, weak] {
            let mut texts = DistinctTexts {
                fingerprint,
                prints: Sorter::with_capacity(9),
                ..DistinctTexts::new()
            };
            for id in &ids {
                texts.add(id).unwrap();
            }
            assert_eq!(texts.count().unwrap(), expected);
        }
    }

    #[test]
    fn ids_are_made_unique_as_in_memory() {
        use crate::files::document::Document;
        use crate::files::reference::make_ids_unique;

        let record = |id: &String| format!("4k3/8/8/8/8/8/8/4K3 w - - id \"{id}\";\n");
        let text: String = some_ids().iter().map(record).collect();
        let mut document = Document::parse(0, "x", text.as_bytes());
        let expected = make_ids_unique(&mut document);
        assert!(expected > 300);
        for fingerprint in [fingerprint, weak] {
            let mut unique = UniqueIds {
                fingerprint,
                prints: Sorter::with_capacity(9),
                ..UniqueIds::new()
            };
            for (index, line) in text.lines().enumerate() {
                let item = StoredItem {
                    file: 0,
                    line: index + 1,
                    above: String::new(),
                    text: line.to_owned(),
                };
                unique.add(&item).unwrap();
            }
            let mut found = String::new();
            let take = |item: StoredItem| -> io::Result<()> {
                found += &(item.text + "\n");
                Ok(())
            };
            let renamed = unique.finish().unwrap().each(take).unwrap();
            assert_eq!((renamed, &found), (expected, &document.to_string()));
        }
    }
}
