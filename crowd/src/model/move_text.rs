use std::fmt;
use std::str::FromStr;

use chess::rules::{PieceType, Square};
use serde::{Deserialize, Serialize};

/// Two squares and optionally a promotion piece, as entered by a contributor: `e2e4`, `e7e8q`.
///
/// It may be illegal. Castling is either the king's two squares or king takes rook;
/// `universe::canonical` unifies them.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema,
)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String, example = "e2e4")]
pub struct MoveText(String);

/// The text is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a move: two squares are expected, and for a promotion one of n, b, r, q, as in e2e4 or e7e8q"
)]
pub struct ParseMoveTextError(pub String);

impl MoveText {
    /// Creates a move from squares.
    pub fn new(from: Square, to: Square, promotion: Option<PieceType>) -> Self {
        let promotion = promotion.map(|piece_type| piece_type.to_char().to_ascii_lowercase());
        Self(format!(
            "{from}{to}{}",
            promotion.map_or(String::new(), String::from)
        ))
    }

    /// The text, of four or five characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Origin, target, and promotion piece.
    pub fn parts(&self) -> (Square, Square, Option<PieceType>) {
        read(&self.0).expect("was read when it was made")
    }
}

fn read(text: &str) -> Option<(Square, Square, Option<PieceType>)> {
    if !text.is_ascii() || !(4..=5).contains(&text.len()) {
        return None;
    }
    let from: Square = text[..2].parse().ok()?;
    let to: Square = text[2..4].parse().ok()?;
    let promotion = match &text[4..] {
        "" => None,
        "n" => Some(PieceType::Knight),
        "b" => Some(PieceType::Bishop),
        "r" => Some(PieceType::Rook),
        "q" => Some(PieceType::Queen),
        _ => return None,
    };
    (from != to).then_some((from, to, promotion))
}

impl FromStr for MoveText {
    type Err = ParseMoveTextError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match read(text) {
            Some((from, to, promotion)) => Ok(Self::new(from, to, promotion)),
            None => Err(ParseMoveTextError(text.chars().take(20).collect())),
        }
    }
}

impl TryFrom<String> for MoveText {
    type Error = ParseMoveTextError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<MoveText> for String {
    fn from(text: MoveText) -> Self {
        text.0
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_moves_and_refuses_all_else() {
        for text in ["e2e4", "e7e8q", "a1h8", "h7h8n"] {
            assert_eq!(
                text.parse::<MoveText>().map(|m| m.to_string()),
                Ok(text.to_owned())
            );
        }
        for text in [
            "", "e2", "e2e2", "e2e9", "e7e8k", "e7e8Q", "e2e4 ", "ééé", "e2e4qq",
        ] {
            assert!(text.parse::<MoveText>().is_err(), "{text}");
        }
    }
}
