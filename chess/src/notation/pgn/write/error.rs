//! Errors from writing a game.

use super::super::{MAX_GAME_BYTES, MAX_TAGS, MAX_VARIATION_DEPTH, PgnReason};
use crate::rules::IllegalMoveError;

/// Why a game cannot be written as PGN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WritePgnError {
    /// An invalid tag name (PGN standard, 8.1).
    #[error(
        "'{name}' is not the name of a tag, expected 1 to 255 letters, digits and '_', \
         a letter or digit first"
    )]
    TagName {
        /// The name.
        name: String,
    },
    /// A control character, such as an end of line, in the value of a tag.
    #[error("tag '{name}' has {found:?} in its value, expected no control characters")]
    TagValue {
        /// The tag.
        name: String,
        /// The character.
        found: char,
    },
    /// A tag given twice.
    #[error("tag '{name}' is given twice")]
    RepeatedTag {
        /// The tag.
        name: String,
    },
    /// More tags than [`super::super::PgnReader`] accepts, including those added on writing.
    #[error("the game has {found} tags, expected at most {MAX_TAGS}")]
    TooManyTags {
        /// Number of tags.
        found: usize,
    },
    /// The Result tag contradicts the result, or is invalid.
    #[error("tag Result is \"{found}\", expected {expected}")]
    Result {
        /// The value of the tag.
        found: String,
        /// The actual result, or all four results.
        expected: String,
    },
    /// The FEN tag is not the starting position, or is malformed.
    #[error("tag FEN is \"{found}\", but the game begins with {expected}")]
    Fen {
        /// The value of the tag.
        found: String,
        /// The FEN of the starting position.
        expected: String,
    },
    /// The FEN, `SetUp` or Variant tag is invalid.
    #[error("the first position would not be read back: {reason}")]
    Start {
        /// Why it is invalid.
        #[source]
        reason: PgnReason,
    },
    /// The `SetUp` tag contradicts the FEN tag.
    #[error("tag SetUp is \"{found}\", expected \"1\", since the game has a tag FEN")]
    SetUp {
        /// The value of the tag.
        found: String,
    },
    /// The game is standard chess but its tags are those of Chess960, or vice versa.
    #[error("the tags are those of {found}, but the game is one of {expected}")]
    Variant {
        /// The variant given by the Variant and FEN tags.
        found: &'static str,
        /// The variant of the game.
        expected: &'static str,
    },
    /// An illegal move.
    #[error("{place}: {error}")]
    Move {
        /// The move it follows.
        place: String,
        /// The move.
        #[source]
        error: IllegalMoveError,
    },
    /// A character that cannot occur in a comment: `}`, or a control character.
    #[error("{place}: a comment has {found:?}, expected neither '}}' nor control characters")]
    Comment {
        /// The move it follows.
        place: String,
        /// The character.
        found: char,
    },
    /// Variations nested more deeply than [`super::super::PgnReader`] accepts.
    #[error("more than {MAX_VARIATION_DEPTH} variations within one another")]
    TooDeep,
    /// A text longer than [`super::super::PgnReader`] accepts.
    #[error("the game is {found} bytes long, expected at most {MAX_GAME_BYTES}")]
    TooLong {
        /// Its length in bytes.
        found: usize,
    },
}
