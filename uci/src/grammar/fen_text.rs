//! The verbatim text of a FEN, validated as a legal position.

use std::fmt;
use std::str::FromStr;

use chess::notation::fen::{self, ParseFenError};
use chess::rules::Position;

/// The text of a FEN with the position it describes. The text is kept verbatim, because X-FEN and
/// Shredder-FEN write the castling rights of one position differently, and engines differ in which
/// they accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenText {
    text: String,
    position: Position,
}

impl FenText {
    /// The text, verbatim.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The position it describes.
    pub fn position(&self) -> &Position {
        &self.position
    }
}

impl FromStr for FenText {
    type Err = ParseFenError;

    /// Parses a FEN as strictly as [`fen::parse`].
    fn from_str(text: &str) -> Result<Self, ParseFenError> {
        let position = fen::parse(text)?;
        Ok(Self {
            text: text.to_owned(),
            position,
        })
    }
}

impl From<&Position> for FenText {
    /// The position as [`fen::write`] writes it.
    fn from(position: &Position) -> Self {
        Self {
            text: fen::write(position),
            position: *position,
        }
    }
}

impl fmt::Display for FenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
