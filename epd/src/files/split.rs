//! Splits a file into parts.

use chess::rules::Color;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use super::classify::phase;
use super::document::{Document, Item};
use crate::text::Record;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Division {
    /// This many records per part, fewer in the last.
    Records(usize),
    /// This many parts, whose sizes differ by at most one.
    Parts(usize),
    /// One part per value of a property.
    By(Quality),
}

/// A property of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Quality {
    /// First word of the opcode tag, or `untagged`
    Tag,
    /// Side to move: `white` or `black`
    Side,
    /// `opening`, `middlegame` or `endgame`
    Phase,
}

impl Quality {
    fn of(self, record: &Record) -> String {
        match self {
            Self::Tag => record.tags().next().unwrap_or("untagged").to_owned(),
            Self::Side => match record.position().side_to_move() {
                Color::White => "white".to_owned(),
                Color::Black => "black".to_owned(),
            },
            Self::Phase => phase(record.position()).to_string(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// A number with leading zeros, or the value of the property.
    pub(crate) name: String,
    /// Its records, below the head of the whole.
    pub(crate) document: Document,
}

/// Shuffles the records; the order depends on the seed alone. Comments move with the record below
/// them.
pub(crate) fn shuffle(document: &mut Document, seed: u64) {
    document.items.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
}

/// Splits a file. No part is empty; each begins with the head of the whole, and the last ends with
/// its tail.
pub(crate) fn split(document: Document, division: Division) -> Vec<Part> {
    let Document {
        head, items, tail, ..
    } = document;
    let groups = match division {
        Division::Records(size) => numbered(by_sizes(items, std::iter::repeat(size))),
        Division::Parts(count) => {
            let (size, longer) = (items.len() / count, items.len() % count);
            let sizes = (0..count).map(|part| size + usize::from(part < longer));
            numbered(by_sizes(items, sizes))
        }
        Division::By(quality) => by_quality(items, quality),
    };
    let part = |(name, items)| {
        let head = head.clone();
        let document = Document {
            head,
            items,
            ..Document::default()
        };
        Part { name, document }
    };
    let mut parts: Vec<Part> = groups.into_iter().map(part).collect();
    if let Some(last) = parts.last_mut() {
        last.document.tail = tail;
    }
    parts
}

fn by_sizes(items: Vec<Item>, sizes: impl Iterator<Item = usize>) -> Vec<Vec<Item>> {
    let mut items = items.into_iter().peekable();
    let mut groups = Vec::new();
    for size in sizes {
        if items.peek().is_none() {
            break;
        }
        groups.push(items.by_ref().take(size).collect());
    }
    groups
}

fn numbered(groups: Vec<Vec<Item>>) -> Vec<(String, Vec<Item>)> {
    let width = groups.len().to_string().len();
    let number = |(index, items)| (format!("{:0width$}", index + 1), items);
    groups.into_iter().enumerate().map(number).collect()
}

/// One part per value, in order of first occurrence.
fn by_quality(items: Vec<Item>, quality: Quality) -> Vec<(String, Vec<Item>)> {
    let mut groups: Vec<(String, Vec<Item>)> = Vec::new();
    for item in items {
        let value = quality.of(&item.record);
        match groups.iter_mut().find(|(name, _)| *name == value) {
            Some((_, group)) => group.push(item),
            None => groups.push((value, vec![item])),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Document {
        let lines =
            ["a", "b", "a", "c", "a"].map(|tag| format!("4k3/8/8/8/8/8/8/4K3 w - - tag {tag};\n"));
        let text = format!("# head\n{}# tail\n", lines.concat());
        Document::parse(0, "x", text.as_bytes())
    }

    fn check(division: Division, expected: &[(&str, usize)]) {
        let parts = split(document(), division);
        let found = parts
            .iter()
            .map(|part| (part.name.as_str(), part.document.items.len()));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{division:?}");
        assert!(parts.iter().all(|part| part.document.head == ["# head"]));
        assert_eq!(parts.last().unwrap().document.tail, ["# tail"]);
    }

    #[test]
    fn divisions() {
        check(Division::Records(2), &[("1", 2), ("2", 2), ("3", 1)]);
        check(Division::Records(9), &[("1", 5)]);
        check(Division::Parts(2), &[("1", 3), ("2", 2)]);
        let singles = ["1", "2", "3", "4", "5"].map(|name| (name, 1));
        check(Division::Parts(9), &singles);
        check(Division::By(Quality::Tag), &[("a", 3), ("b", 1), ("c", 1)]);
        check(Division::By(Quality::Side), &[("white", 5)]);
        check(Division::By(Quality::Phase), &[("endgame", 5)]);
    }

    #[test]
    fn a_seed_is_an_order() {
        let lines = |seed| {
            let mut document = document();
            shuffle(&mut document, seed);
            let items = document.items.iter();
            items.map(|item| item.line).collect::<Vec<_>>()
        };
        let mut sorted = lines(7);
        assert_eq!(sorted, lines(7));
        assert_ne!(sorted, lines(8));
        sorted.sort_unstable();
        assert_eq!(sorted, [2, 3, 4, 5, 6]);
    }
}
