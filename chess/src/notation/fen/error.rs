//! What can be wrong with a FEN, and where.

use std::fmt;

use super::MAX_FEN_BYTES;
use crate::rules::PositionFault;

/// A field of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FenField {
    /// The record as a whole.
    Record,
    /// What stands where, rank 8 first.
    Placement,
    /// `w` or `b`.
    SideToMove,
    /// The castling rights.
    Castling,
    /// The en passant square.
    EpSquare,
    /// Plies since the last capture or pawn move.
    HalfmoveClock,
    /// The number of the full move.
    FullmoveNumber,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Record => "record",
            Self::Placement => "placement",
            Self::SideToMove => "side to move",
            Self::Castling => "castling",
            Self::EpSquare => "en passant square",
            Self::HalfmoveClock => "halfmove clock",
            Self::FullmoveNumber => "fullmove number",
        })
    }
}

/// Why a field cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenReason {
    /// A text that is longer than any FEN, of which nothing else is said.
    #[error("{found} bytes, expected at most {MAX_FEN_BYTES}")]
    TooLong {
        /// Its length.
        found: usize,
    },
    /// Too many or too few fields.
    #[error("{found} fields, expected 4 or 6")]
    FieldCount {
        /// How many there are.
        found: usize,
    },
    /// Blanks or tabs where exactly one blank should stand, or none.
    #[error("superfluous white space")]
    ExtraSpace,
    /// A character that means nothing in the placement.
    #[error("'{found}' is neither a piece nor a count of empty squares 1-8")]
    NotAPiece {
        /// The character.
        found: char,
    },
    /// Two counts of empty squares side by side.
    #[error("two counts of empty squares in a row, expected their sum")]
    AdjacentCounts,
    /// A rank with too many or too few squares.
    #[error("rank {rank} has {found} squares, expected 8")]
    RankLength {
        /// The rank, `1` to `8`.
        rank: char,
        /// How many squares it has.
        found: u32,
    },
    /// Too many or too few ranks.
    #[error("{found} ranks, expected 8")]
    RankCount {
        /// How many there are.
        found: usize,
    },
    /// Neither `w` nor `b`.
    #[error("'{found}' is not a side, expected w or b")]
    NotASide {
        /// The text.
        found: String,
    },
    /// A character that is no castling right.
    #[error("'{found}' is not a castling right, expected '-', KQkq or files A-H, a-h")]
    NotACastlingRight {
        /// The character.
        found: char,
    },
    /// A castling right without the king at home and a rook on that side of it.
    #[error("castling right '{right}' has no rook on that side of a king on its first rank")]
    NoRookForRight {
        /// The letter.
        right: char,
    },
    /// A castling right given twice.
    #[error("castling right '{right}' names a rook that has been named before")]
    RepeatedRight {
        /// The letter.
        right: char,
    },
    /// Castling rights out of order.
    #[error("castling right '{right}' is out of order, expected White before Black and K before Q")]
    RightOutOfOrder {
        /// The letter.
        right: char,
    },
    /// Not a square.
    #[error("'{found}' is not a square, expected '-' or one such as e3")]
    NotASquare {
        /// The text.
        found: String,
    },
    /// Not a number, or beyond what is held.
    #[error("'{found}' is not a number from {least} to 4294967295")]
    NotANumber {
        /// The text.
        found: String,
        /// The least that is allowed.
        least: u32,
    },
    /// The text is well formed, but what it describes is not a legal position.
    #[error(transparent)]
    Position(#[from] PositionFault),
}

/// One fault of a FEN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenFault {
    /// The field it lies in.
    pub field: FenField,
    /// Where in the text it lies, in bytes from 0.
    pub offset: usize,
    /// What is wrong.
    pub reason: FenReason,
}

impl fmt::Display for FenFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, offset {}: {}", self.field, self.offset, self.reason)
    }
}

/// A FEN that cannot be read, with every fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseFenError {
    /// The text.
    pub text: String,
    /// What is wrong with it, at least one fault.
    pub faults: Vec<FenFault>,
}

impl fmt::Display for ParseFenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ParseFenError {}
