//! Portable Game Notation: reading games from a text of any length, and writing them.
//!
//! Source: the PGN standard (Edwards 1994), sections 3 to 10. [`PgnReader`] reads its import
//! format and gives one game at a time. What it tolerates:
//!
//! - ends of line as `\n`, `\r\n` or `\r`, a byte order mark, tabs, lines of any length;
//! - text in UTF-8, or else in Latin-1, of which each tag or comment is read by itself;
//! - lines that begin with `%`, everywhere but within comments: skipped;
//! - no blank line between tags and moves or between games, blank lines anywhere; no result; no
//!   tags; tags and no moves. A game ends at its result, or before a tag after its moves, or
//!   before a second tag Event;
//! - quotation marks within the value of a tag, `\` before other characters than `"` and `\`;
//! - a tag FEN without `SetUp`, as [`super::fen::parse_lenient`] reads it; what that tolerated is
//!   in [`PgnGame::fen_faults`];
//! - Chess960 by the tag Variant, or by a FEN that only it can have;
//! - moves as [`super::san::parse_lenient`] reads them, `+`, `#`, `++`, `e.p.`, `!?` also after a
//!   blank; glyphs that have no number, such as `!!!`, are skipped;
//! - the signs of annotators, such as `±`, `+/=`, `=`, `-+`, `□`, right behind a move or after a blank, and
//!   `N` for a novelty after a blank, which become numeric glyphs;
//! - move numbers with any number of dots, with or without blanks: `1.e4`, `1. e4`, `1...e5`,
//!   `1. ... e5`. They are not compared with the moves;
//! - results within variations, `1/2` for a draw, a result that contradicts the tag Result;
//! - comments before the tags or after the last result: skipped.
//!
//! Everything else is an error of the game in which it stands, with line and column. Reading goes
//! on with the next game. A comment that was never closed ends at a line that begins with
//! `[Event "`. Null moves (`--`, `Z0`) are no moves of chess, and thus errors, except in
//! variations that are skipped.
//!
//! [`write()`] writes the export format.
//!
//! ```
//! use chess::notation::pgn::PgnReader;
//!
//! let text = "[Event \"One\"]\n\n1. e4 {the king's pawn} e5 (1... c5) 2. Nf3!? *\n\
//!             [Event \"Two\"]\n\n1. e4 e6 2. Qh8 1-0\n";
//! let mut games = PgnReader::new(text.as_bytes());
//!
//! let one = games.next().expect("a game")?;
//! assert_eq!(one.tag("Event"), Some("One"));
//! assert_eq!(one.moves().map(|m| m.to_string()).collect::<Vec<_>>(), ["e2e4", "e7e5", "g1f3"]);
//!
//! let error = games.next().expect("a game").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "line 6, column 13: no legal move is 'Qh8' in \
//!      rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
//! );
//! # Ok::<(), chess::notation::pgn::ReadPgnError>(())
//! ```

mod comment;
mod game;
mod lexer;
mod reader;
mod write;

pub use comment::{CommentScore, ScoredPosition};
pub use game::{
    ParsePgnError, PgnGame, PgnLine, PgnMove, PgnReason, PgnResult, Place, ReadPgnError,
};
pub use reader::PgnReader;
pub use write::{MoveNotation, WritePgnError, write, write_in};

/// The longest game that is read, in bytes. It bounds the memory that a text can take.
pub const MAX_GAME_BYTES: usize = 1 << 24;
/// The most variations within one another.
pub const MAX_VARIATION_DEPTH: usize = 64;
/// The most tags of a game: each is compared with those before it.
pub const MAX_TAGS: usize = 1_000;
/// The longest word (PGN standard, 7: symbols of up to 255 characters).
const MAX_WORD_BYTES: usize = 255;

#[cfg(test)]
mod tests;
