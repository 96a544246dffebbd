//! The records of files of any size, with the comments above them: read block by block, kept in a
//! temporary file where they are needed twice.

use std::io;

use crate::stream::blocks::Block;
use crate::stream::spool::{FinishedSpool, Spool, Texts};
use crate::text::{
    BYTE_ORDER_MARK, Diagnostic, Record, Severity, not_utf8, read_bytes, split_line_end,
};

/// A line of a file.
pub(crate) enum FileLine<M> {
    /// A comment or an empty line, without its line end.
    Comment(String),
    /// A record, and what was found out about it.
    Record { line: usize, text: String, found: M },
    /// An unreadable line.
    Fault(Diagnostic),
    /// What is unusual in a record, and how it is read.
    Warning(Diagnostic),
}

/// Reads the lines of a block as [`crate::Document`] does, and finds out about each record what is
/// needed.
pub(crate) fn pieces<M>(block: &Block, find: impl Fn(&Record) -> M) -> Vec<FileLine<M>> {
    let mut pieces = Vec::new();
    for (number, mut line) in block.lines() {
        if number == 1 {
            line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        }
        let (content, _) = split_line_end(line);
        if matches!(content.trim_ascii_start().first(), None | Some(b'#')) {
            pieces.push(match str::from_utf8(line) {
                Ok(text) => FileLine::Comment(text.trim_end().to_owned()),
                Err(error) => FileLine::Fault(not_utf8(number, line, error.valid_up_to())),
            });
            continue;
        }
        let mut found = Vec::new();
        let record = read_bytes(number, line, &mut true, &mut found);
        pieces.extend(found.into_iter().filter_map(|one| match one.severity() {
            Severity::Error => Some(FileLine::Fault(one)),
            Severity::Warning => Some(FileLine::Warning(one)),
            Severity::Note => None,
        }));
        pieces.extend(record.map(|record| FileLine::Record {
            line: number,
            found: find(&record),
            text: record.into_text(),
        }));
    }
    pieces
}

/// A record of one of several files, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredItem {
    /// Index of the file.
    pub(crate) file: usize,
    /// The line, from 1.
    pub(crate) line: usize,
    /// The comments and empty lines between it and the record before it, each with a line feed.
    pub(crate) above: String,
    /// The record.
    pub(crate) text: String,
}

impl StoredItem {
    /// The record.
    pub(crate) fn record(&self) -> Record {
        let read = Record::parse_lenient(&self.text);
        read.expect("it was read before").record
    }

    fn decode(bytes: &[u8]) -> Self {
        let number = |at: usize| {
            let bytes = bytes[at..at + 8].try_into().expect("eight bytes");
            usize::try_from(u64::from_le_bytes(bytes)).expect("it was a usize")
        };
        let (above, text) = bytes[24..].split_at(number(16));
        let owned = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("it was text");
        Self {
            file: number(0),
            line: number(8),
            above: owned(above),
            text: owned(text),
        }
    }
}

/// Collects items for a second pass.
pub(crate) struct ItemSpool(Spool);

impl ItemSpool {
    pub(crate) fn new() -> Self {
        Self(Spool::new())
    }

    /// Appends an item; returns its place, which grows from item to item.
    pub(crate) fn push(&mut self, item: &StoredItem) -> io::Result<u64> {
        let numbers = [item.file, item.line, item.above.len()];
        let [file, line, above] = numbers.map(|number| (number as u64).to_le_bytes());
        let (comments, text) = (item.above.as_bytes(), item.text.as_bytes());
        self.0.push(&[&file, &line, &above, comments, text])
    }

    pub(crate) fn finish(self) -> io::Result<StoredItems> {
        self.0.finish().map(StoredItems)
    }
}

/// Items that are read again.
pub(crate) struct StoredItems(FinishedSpool);

impl StoredItems {
    /// The item at this place.
    pub(crate) fn get(&self, place: u64) -> io::Result<StoredItem> {
        Ok(StoredItem::decode(&self.0.get(place)?))
    }

    /// All items in order, each with its place.
    pub(crate) fn iter(&self) -> impl Iterator<Item = io::Result<(u64, StoredItem)>> {
        let mut texts: Texts<'_> = self.0.texts();
        std::iter::from_fn(move || {
            let next = texts.next().transpose()?;
            Some(next.map(|(place, bytes)| (place, StoredItem::decode(bytes))))
        })
    }
}
