//! Why a game cannot be written.

use super::super::{MAX_GAME_BYTES, MAX_TAGS, MAX_VARIATION_DEPTH, PgnReason};
use crate::rules::IllegalMoveError;

/// Why a game cannot be written as PGN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WritePgnError {
    /// A name that no tag can have (PGN standard, 8.1).
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
    /// More tags than [`super::super::PgnReader`] would read, those that were added included.
    #[error("the game has {found} tags, expected at most {MAX_TAGS}")]
    TooManyTags {
        /// How many there are.
        found: usize,
    },
    /// The tag Result contradicts the result, or is none.
    #[error("tag Result is \"{found}\", expected {expected}")]
    Result {
        /// The value of the tag.
        found: String,
        /// The result, or all four.
        expected: String,
    },
    /// The tag FEN is not the first position, or not well formed.
    #[error("tag FEN is \"{found}\", but the game begins with {expected}")]
    Fen {
        /// The value of the tag.
        found: String,
        /// The FEN of the first position.
        expected: String,
    },
    /// The tags FEN, `SetUp` or Variant cannot be read.
    #[error("the first position would not be read back: {reason}")]
    Start {
        /// Why not.
        #[source]
        reason: PgnReason,
    },
    /// The tag `SetUp` denies the tag FEN.
    #[error("tag SetUp is \"{found}\", expected \"1\", since the game has a tag FEN")]
    SetUp {
        /// The value of the tag.
        found: String,
    },
    /// The game is one of standard chess, and its tags those of Chess960, or the other way round.
    #[error("the tags are those of {found}, but the game is one of {expected}")]
    Variant {
        /// What the tags Variant and FEN say.
        found: &'static str,
        /// What the game is.
        expected: &'static str,
    },
    /// A move that is not legal where it stands.
    #[error("{place}: {error}")]
    Move {
        /// Behind which move it stands.
        place: String,
        /// The move.
        #[source]
        error: IllegalMoveError,
    },
    /// A character that no comment can hold: `}`, or a control character.
    #[error("{place}: a comment has {found:?}, expected neither '}}' nor control characters")]
    Comment {
        /// Behind which move it stands.
        place: String,
        /// The character.
        found: char,
    },
    /// Variations within one another that [`super::super::PgnReader`] would not read.
    #[error("more than {MAX_VARIATION_DEPTH} variations within one another")]
    TooDeep,
    /// A text that [`super::super::PgnReader`] would not read.
    #[error("the game is {found} bytes long, expected at most {MAX_GAME_BYTES}")]
    TooLong {
        /// Its length.
        found: usize,
    },
}
