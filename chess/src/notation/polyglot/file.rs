//! Book files.

use std::borrow::Cow;

use super::entry::{BookMove, ENTRY_BYTES, RawEntry};
use super::key::{is_representable, key};
use crate::rules::Position;

/// An opening book. It keeps the raw bytes and looks up positions in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    bytes: Cow<'static, [u8]>,
}

/// Why bytes are not a valid Polyglot book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadBookError {
    /// The last entry is incomplete, or the file is of another kind.
    #[error("the book has {found} bytes, expected a multiple of {ENTRY_BYTES}")]
    Length {
        /// Number of bytes.
        found: usize,
    },
    /// An entry has a smaller key than the previous one; binary search requires sorted keys.
    #[error(
        "the entry at offset {offset} has key {key:016x}, expected no less than {before:016x}, \
         the key before it"
    )]
    Unsorted {
        /// Offset of the entry in bytes.
        offset: usize,
        /// Its key.
        key: u64,
        /// The key of the previous entry.
        before: u64,
    },
}

impl Book {
    /// Creates a book from the bytes of a file. No bytes make an empty book.
    ///
    /// # Errors
    ///
    /// If the length is not a multiple of the entry size, or the keys are not sorted.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, ReadBookError> {
        let bytes = bytes.into();
        let (entries, rest) = bytes.as_chunks::<ENTRY_BYTES>();
        if !rest.is_empty() {
            return Err(ReadBookError::Length { found: bytes.len() });
        }
        let mut before = 0;
        for (index, &entry) in entries.iter().enumerate() {
            let key = RawEntry::from_bytes(entry).key;
            if key < before {
                let offset = index * ENTRY_BYTES;
                return Err(ReadBookError::Unsorted {
                    offset,
                    key,
                    before,
                });
            }
            before = key;
        }
        Ok(Self { bytes })
    }

    /// The bytes of the file.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries().len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The moves for a position, in book order. Illegal moves, which occur in corrupted books and
    /// on key collisions, are omitted.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        if !is_representable(position) {
            return Vec::new();
        }
        let wanted = key(position);
        let entries = self.entries();
        let first = entries.partition_point(|&entry| RawEntry::from_bytes(entry).key < wanted);
        let after = entries[first..].iter().copied().map(RawEntry::from_bytes);
        let same = after.take_while(|entry| entry.key == wanted);
        same.filter_map(|entry| entry.book_move(position)).collect()
    }

    fn entries(&self) -> &[[u8; ENTRY_BYTES]] {
        self.bytes.as_chunks().0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;

    fn entry(key: u64, code: u16, weight: u16) -> [u8; ENTRY_BYTES] {
        let learn = u32::from(weight) << 16;
        RawEntry {
            key,
            code,
            weight,
            learn,
        }
        .to_bytes()
    }

    #[test]
    fn finds_all_entries_of_a_position_and_no_others() {
        let start = key(&Position::startpos());
        let bytes = [
            entry(0, 0o1434, 1),
            entry(start - 1, 0o1434, 2),
            entry(start, 0o1333, 3),
            entry(start, 0o1434, 4),
            entry(start, 0o1436, 5),
            entry(start, 0o1434, 6),
            entry(start + 1, 0o1434, 7),
            entry(u64::MAX, 0o1434, 8),
        ];
        let book = Book::from_bytes(bytes.concat()).expect("sound");
        assert_eq!((book.len(), book.is_empty()), (8, false));
        let moves = book.moves(&Position::startpos());
        let found: Vec<String> = moves
            .iter()
            .map(|one| format!("{} {} {}", one.m, one.weight, one.learn >> 16))
            .collect();
        assert_eq!(found, ["d2d4 3 3", "e2e4 4 4", "e2e4 6 6"]);
        let other = fen::parse("4k3/8/8/8/8/8/8/4K3 w - - 0 1").expect("legal");
        assert_eq!(book.moves(&other), []);
        assert_eq!(book.as_bytes(), bytes.concat());
    }

    #[test]
    fn an_inner_rook_is_in_no_book() {
        let inner = fen::parse("4k3/8/8/8/8/8/8/4K1RR w G - 0 1").expect("legal");
        let outer = fen::parse("4k3/8/8/8/8/8/8/4K1RR w H - 0 1").expect("legal");
        assert_eq!(key(&inner), key(&outer));
        let book = Book::from_bytes(entry(key(&inner), 0o0414, 1).to_vec()).expect("sound");
        assert_eq!(book.moves(&inner), []);
        assert_eq!(book.moves(&outer).len(), 1);
    }

    #[test]
    fn an_empty_book_has_no_moves() {
        let book = Book::from_bytes(Vec::new()).expect("sound");
        assert_eq!(book, Book::default());
        assert_eq!((book.len(), book.is_empty()), (0, true));
        assert_eq!(book.moves(&Position::startpos()), []);
    }

    #[test]
    fn invalid_books_are_rejected() {
        let check = |bytes: Vec<u8>, expected: &str| {
            let error = Book::from_bytes(bytes).expect_err("no book");
            assert_eq!(error.to_string(), expected);
        };
        check(
            vec![0; 33],
            "the book has 33 bytes, expected a multiple of 16",
        );
        check(
            [entry(1, 0, 0), entry(7, 0, 0), entry(6, 0, 0)].concat(),
            "the entry at offset 32 has key 0000000000000006, expected no less than \
             0000000000000007, the key before it",
        );
    }
}
