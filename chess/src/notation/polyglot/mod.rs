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
//! use chess::notation::polyglot::{self, BookBuilder};
//! use chess::rules::{Game, Move, Position, Square};
//!
//! let mut game = Game::new(Position::startpos());
//! game.play(Move::new(Square::E2, Square::E4))?;
//! let mut builder = BookBuilder::new(16, 1);
//! builder.add(&game, None);
//! let moves = builder.build().moves(&Position::startpos());
//! assert_eq!(polyglot::choose(&moves, 0x1234_5678_9abc_def0), Some(moves[0].m));
//! # Ok::<(), chess::rules::IllegalMoveError>(())
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
