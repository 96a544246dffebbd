use std::fmt;

use serde::{Deserialize, Serialize};

/// The kinds of moves, which people know differently well.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum MoveClass {
    /// Any other.
    Ordinary,
    /// A step of the king.
    King,
    /// Castling.
    Castling,
    /// A pawn's step aslant to the en passant square.
    EnPassant,
    /// A pawn's move to the last rank.
    Promotion,
}

impl MoveClass {
    /// Every class.
    pub const ALL: [Self; 5] = [
        Self::Ordinary,
        Self::King,
        Self::Castling,
        Self::EnPassant,
        Self::Promotion,
    ];

    /// The word for it in texts and the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ordinary => "ordinary",
            Self::King => "king",
            Self::Castling => "castling",
            Self::EnPassant => "en-passant",
            Self::Promotion => "promotion",
        }
    }
}

impl fmt::Display for MoveClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
