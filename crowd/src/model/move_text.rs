//! Moves as text.

use std::fmt;
use std::str::FromStr;

use chess::notation::uci_move::UciMove;
use chess::rules::{PieceType, Rank, Square};
use serde::{Deserialize, Serialize};

use super::Side;

/// A move, as entered by a contributor: two squares and optionally a promotion piece (`e2e4`, `e7e8q`).
///
/// It may be illegal: `candidates::canonical` rejects what no piece does on any board, and unifies the two forms of
/// castling.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema,
)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String, example = "e2e4")]
pub struct MoveText(String);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a move: two squares are expected, and for a promotion one of n, b, r, q, as in e2e4 or e7e8q"
)]
pub struct ParseMoveTextError(pub String);

impl MoveText {
    pub fn new(from: Square, to: Square, promotion: Option<PieceType>) -> Self {
        let text = UciMove {
            from,
            to,
            promotion,
        };
        Self(text.to_string())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn parts(&self) -> (Square, Square, Option<PieceType>) {
        let read = read(&self.0).expect("was read when it was made");
        (read.from, read.to, read.promotion)
    }

    /// The four characters of the thesis ([`chess::notation::move_list`]). A promotion from a rank that has none keeps
    /// its squares, which the four characters cannot say.
    pub fn in_thesis_notation(&self, side: Side) -> String {
        let (from, to, promotion) = self.parts();
        let column = |square: Square| square.file().index();
        let row = |square: Square| 7 - square.rank().index();
        let Some(piece) = promotion else {
            return [from, to]
                .map(|square| format!("{}{}", row(square), column(square)))
                .concat();
        };
        let text = format!("P{}{}{}", piece.to_char(), column(from), column(to));
        match (side, from.rank()) {
            (Side::White, Rank::R7) => text.to_uppercase(),
            (Side::Black, Rank::R2) => text.to_lowercase(),
            _ => self.0.clone(),
        }
    }
}

fn read(text: &str) -> Option<UciMove> {
    let read: UciMove = text.parse().ok()?;
    (read.from != read.to).then_some(read)
}

impl FromStr for MoveText {
    type Err = ParseMoveTextError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match read(text) {
            Some(_) => Ok(Self(text.to_owned())),
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
    fn moves_are_read_and_nothing_else() {
        for text in ["e2e4", "e7e8q", "a1h8", "h7h8n"] {
            assert_eq!(
                text.parse::<MoveText>().map(|m| m.to_string()),
                Ok(text.to_owned())
            );
        }
        for text in [
            "", "e2", "e2e2", "e2e9", "e7e8k", "e7e8Q", "e2e4 ", "ééé", "e2e4qq", "e2e10", "i1i2",
            "a10a9", "N@f3",
        ] {
            assert!(text.parse::<MoveText>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_thesis_writes_four_characters() {
        let rows = [
            ("e2e4", Side::White, "6444"),
            ("e1c1", Side::White, "7472"),
            ("e8g8", Side::Black, "0406"),
            ("d7e8q", Side::White, "PQ34"),
            ("d2e1n", Side::Black, "pn34"),
            // Illegal, but people list it.
            ("d2e1n", Side::White, "d2e1n"),
        ];
        for (text, side, expected) in rows {
            let mv: MoveText = text.parse().expect(text);
            assert_eq!(mv.in_thesis_notation(side), expected, "{text}");
        }
    }
}
