//! Forsyth-Edwards Notation: standard FEN, X-FEN and Shredder-FEN, of four or six fields.
//!
//! Sources: the PGN standard (Edwards 1994), 16.1; Reinhard Scharnagl's X-FEN. All three forms of
//! the castling field are accepted at once, since they never conflict: `K`, `Q`, `k`, `q` mean the
//! outermost rook on that side of the king, `A`-`H` and `a`-`h` the file of the rook.
//!
//! ```
//! use chess::notation::fen;
//!
//! let position = fen::parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")?;
//! assert_eq!(fen::write(&position), "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
//! assert_eq!(position.to_string().parse(), Ok(position));
//!
//! let error = fen::parse("r3k2r/8/8/9/8/8/8/R3K2R x KQkq - 0 1").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "placement, offset 10: '9' is neither a piece nor a count of empty squares 1-8; \
//!      placement, offset 10: rank 5 has 0 squares, expected 8; \
//!      side to move, offset 24: 'x' is not a side, expected w or b"
//! );
//! # Ok::<(), fen::ParseFenError>(())
//! ```

mod error;
mod fields;
mod write;

pub use error::{FenFault, FenField, FenReason, ParseFenError};
pub use fields::{LenientFen, parse_lenient};
pub use write::{CastlingText, EnPassantMode, FenStyle, write, write_epd, write_with};

use std::fmt;
use std::str::FromStr;

use crate::rules::{Position, Setup};
use fields::Reader;

/// The longest accepted text, in bytes. Real FENs have at most about 100; the rest is room for
/// white space. It bounds the number of faults.
pub const MAX_FEN_BYTES: usize = 1_000;

/// Parses a FEN of four or six fields strictly: one space between fields, nothing before or after,
/// castling letters in order and without repetition, and a legal position.
///
/// # Errors
///
/// All faults, each with its field, its byte offset in `text` and the reason.
pub fn parse(text: &str) -> Result<Position, ParseFenError> {
    let (setup, reader) = Reader::read(text, false)?;
    Position::from_setup(setup).map_err(|error| reader.reject(&error.faults))
}

/// Parses a FEN as strictly as [`parse`], but does not require a legal position.
///
/// # Errors
///
/// All faults of the text.
pub fn parse_setup(text: &str) -> Result<Setup, ParseFenError> {
    Reader::read(text, false).map(|(setup, _)| setup)
}

/// Strict, see [`parse`].
impl FromStr for Position {
    type Err = ParseFenError;

    fn from_str(text: &str) -> Result<Self, ParseFenError> {
        parse(text)
    }
}

/// The six fields of a FEN, see [`write()`].
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&write(self))
    }
}

#[cfg(test)]
mod tests;
