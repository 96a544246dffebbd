//! Opening books in the Polyglot format.
//!
//! A book is a list of 16-byte entries, big-endian, sorted by key:
//!
//! | bytes | |
//! |---|---|
//! | 0-7 | the key of a position, see [`key()`] |
//! | 8-9 | a move: bits 0-2 and 3-5 file and rank of the target, 6-8 and 9-11 of the origin, 12-14 the promotion (1 knight to 4 queen) |
//! | 10-11 | its weight relative to the other moves of the position |
//! | 12-15 | learning data, which most books leave 0 |
//!
//! Castling is encoded as king takes rook (`e1h1`). Source: the format description at
//! <http://hgm.nubati.net/book_format.html>, with its extension to Chess960: castling rights are
//! encoded by side only, so positions in which a rook other than the outermost may castle are not
//! in any book.
//!
//! ```
//! use engine::book::{self, Book};
//! use chess::rules::Position;
//!
//! let book = Book::built_in();
//! let moves = book.moves(&Position::startpos());
//! let m = book::choose(&moves, 0x1234_5678_9abc_def0).expect("it has moves for the start");
//! assert!(moves.iter().any(|one| one.m == m));
//! ```

mod build;
mod entry;
mod file;
mod key;
mod random;

pub use build::BookBuilder;
pub use entry::{BookMove, best, choose};
pub use file::{Book, ReadBookError};
pub use key::key;
