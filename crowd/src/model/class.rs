use std::fmt;

use serde::{Deserialize, Serialize};

/// Classes of moves; people's reliability differs between them.
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
    /// Any other move.
    Ordinary,
    /// A king move other than castling.
    King,
    /// Castling.
    Castling,
    /// A pawn's diagonal move to the en passant square.
    EnPassant,
    /// A pawn move to the last rank.
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

    /// Its name in texts and in the database.
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
