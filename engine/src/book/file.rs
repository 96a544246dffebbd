//! A book as it lies in a file.

use std::borrow::Cow;

use super::entry::{BookMove, ENTRY_BYTES, Entry};
use super::key::{is_told_by_key, key};
use chess::rules::Position;

/// An opening book. It holds its bytes as they are and looks positions up in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    bytes: Cow<'static, [u8]>,
}

/// Why bytes are no Polyglot book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadBookError {
    /// The last entry is cut off, or it is another kind of file.
    #[error("the book has {found} bytes, expected a multiple of {ENTRY_BYTES}")]
    Length {
        /// How many bytes there are.
        found: usize,
    },
    /// An entry whose key is less than the one before it. Such a book cannot be searched.
    #[error(
        "the entry at offset {offset} has key {key:016x}, expected no less than {before:016x}, \
         the key before it"
    )]
    Unsorted {
        /// Where the entry begins, in bytes.
        offset: usize,
        /// Its key.
        key: u64,
        /// The key before it.
        before: u64,
    },
}

impl Book {
    /// The book that comes with the engine, which `engine/examples/make_book` makes.
    pub fn built_in() -> Self {
        static BYTES: &[u8] = include_bytes!("../../book/touchstone.bin");
        Self::from_bytes(BYTES).expect("a test reads it")
    }

    /// A book of these bytes: a file as read, or bytes in the program. No bytes are an empty book.
    ///
    /// # Errors
    ///
    /// When there is part of an entry, or the keys are not in order.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, ReadBookError> {
        let bytes = bytes.into();
        let (entries, rest) = bytes.as_chunks::<ENTRY_BYTES>();
        if !rest.is_empty() {
            return Err(ReadBookError::Length { found: bytes.len() });
        }
        let mut before = 0;
        for (index, &entry) in entries.iter().enumerate() {
            let key = Entry::from_bytes(entry).key;
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

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries().len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The moves for a position, in the order of the book. Entries whose move is not legal, which
    /// damaged books and equal keys of different positions bring about, are left out.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        if !is_told_by_key(position) {
            return Vec::new();
        }
        let wanted = key(position);
        let entries = self.entries();
        let first = entries.partition_point(|&entry| Entry::from_bytes(entry).key < wanted);
        let after = entries[first..].iter().copied().map(Entry::from_bytes);
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
    use chess::notation::fen;

    fn entry(key: u64, code: u16, weight: u16) -> [u8; ENTRY_BYTES] {
        let learn = u32::from(weight) << 16;
        Entry {
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
    fn what_is_no_book_is_refused() {
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
