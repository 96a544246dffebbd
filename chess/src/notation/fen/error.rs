//! FEN errors, with the field and byte offset of each.

use std::fmt;

use super::MAX_FEN_BYTES;
use crate::rules::PositionFault;

/// A field of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FenField {
    /// The whole record.
    Record,
    /// Piece placement, from rank 8 down to rank 1.
    Placement,
    /// `w` or `b`.
    SideToMove,
    /// The castling rights.
    Castling,
    /// The en passant square.
    EpSquare,
    /// Plies since the last capture or pawn move.
    HalfmoveClock,
    /// The fullmove number.
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

/// Why a FEN field is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what the variants and fields are"
)]
pub enum FenReason {
    /// The text is longer than any FEN; no other fault is reported.
    #[error("{found} bytes, expected at most {MAX_FEN_BYTES}")]
    TooLong {
        /// Length of the text, in bytes.
        found: usize,
    },
    #[error("{found} fields, expected 4 or 6")]
    FieldCount { found: usize },
    #[error("superfluous white space")]
    ExtraSpace,
    #[error("'{found}' is neither a piece nor a count of empty squares 1-8")]
    NotAPiece { found: char },
    #[error("two counts of empty squares in a row, expected their sum")]
    AdjacentCounts,
    #[error("rank {rank} has {found} squares, expected 8")]
    RankLength {
        /// The rank, `1` to `8`.
        rank: char,
        found: u32,
    },
    #[error("{found} ranks, expected 8")]
    RankCount { found: usize },
    #[error("'{found}' is not a side, expected w or b")]
    NotASide { found: String },
    #[error("'{found}' is not a castling right, expected '-', KQkq or files A-H, a-h")]
    NotACastlingRight { found: char },
    /// A castling right without the king on its first rank and a rook on that side of it.
    #[error("castling right '{right}' has no rook on that side of a king on its first rank")]
    NoRookForRight { right: char },
    #[error("castling right '{right}' names a rook that has been named before")]
    RepeatedRight { right: char },
    #[error("castling right '{right}' is out of order, expected White before Black and K before Q")]
    RightOutOfOrder { right: char },
    #[error("'{found}' is not a square, expected '-' or one such as e3")]
    NotASquare { found: String },
    #[error("'{found}' is not a number from {least} to 4294967295")]
    NotANumber { found: String, least: u32 },
    /// The text is well formed, but what it describes is not a legal position.
    #[error(transparent)]
    Position(#[from] PositionFault),
}

/// One fault of a FEN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenFault {
    /// The field at fault.
    pub field: FenField,
    /// Byte offset of the fault in the text, from 0.
    pub offset: usize,
    /// What is wrong.
    pub reason: FenReason,
}

impl fmt::Display for FenFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, offset {}: {}", self.field, self.offset, self.reason)
    }
}

/// An invalid FEN, with all its faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseFenError {
    /// The rejected text.
    pub text: String,
    /// The faults, at least one.
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
