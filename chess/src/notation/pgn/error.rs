//! What can be wrong with a game, and where.

use std::fmt;
use std::io;

use super::MAX_VARIATION_DEPTH;
use crate::notation::fen::ParseFenError;
use crate::notation::san::ParseSanError;

/// A position in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// The first fault of a game, for which the whole game is given up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct ParsePgnError {
    /// Where it lies.
    pub place: Place,
    /// What is wrong.
    pub reason: PgnReason,
}

/// Why a game cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnReason {
    /// Something else than what must stand here.
    #[error("found {found}, expected {expected}")]
    Unexpected {
        /// What stands there, in quotes, or a description.
        found: String,
        /// What could stand there.
        expected: &'static str,
    },
    /// A comment without its end.
    #[error("the comment is not closed, expected '}}'")]
    UnclosedComment,
    /// A variation without its end.
    #[error("the variation is not closed, expected ')'")]
    UnclosedVariation,
    /// A variation before the move that it varies.
    #[error("a variation before any move, expected a move to vary first")]
    VariationBeforeMove,
    /// Variations of variations without end.
    #[error("more than {MAX_VARIATION_DEPTH} variations within one another")]
    TooDeep,
    /// A game of more than [`super::MAX_GAME_BYTES`].
    #[error("the game is longer than {} bytes", super::MAX_GAME_BYTES)]
    TooLong,
    /// More tags than a game may have.
    #[error("more than {} tags", super::MAX_TAGS)]
    TooManyTags,
    /// A tag given twice.
    #[error("tag '{name}' is given twice")]
    RepeatedTag {
        /// The tag.
        name: String,
    },
    /// `$` without a number that is a glyph.
    #[error("'{found}' is not a numeric annotation glyph, expected $0 to $255")]
    Nag {
        /// What stands there.
        found: String,
    },
    /// A null move, which is no move of chess.
    #[error("'{found}' is a null move, expected a legal move")]
    NullMove {
        /// How it is written.
        found: String,
    },
    /// Not a move, or not a legal one.
    #[error(transparent)]
    San(#[from] ParseSanError),
    /// The position of the tag FEN cannot be read.
    #[error("tag FEN: {0}")]
    Fen(#[from] ParseFenError),
    /// The tags say that there is a position, and do not give it.
    #[error("tag SetUp is \"1\", but there is no tag FEN")]
    SetUpWithoutFen,
    /// A variant with other rules.
    #[error("tag Variant is \"{found}\", expected standard chess or Chess960")]
    Variant {
        /// The variant.
        found: String,
    },
}

/// Why [`super::PgnReader`] has no game to give.
#[derive(Debug, thiserror::Error)]
pub enum ReadPgnError {
    /// One game is faulty; reading goes on with the next.
    #[error(transparent)]
    Game(#[from] ParsePgnError),
    /// The input failed; nothing more is read.
    #[error("cannot read on: {0}")]
    Io(#[from] io::Error),
}
