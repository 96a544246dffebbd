//! Moves as text, of standard chess and of variants on boards of up to twelve by twelve squares.

use std::fmt;
use std::str::FromStr;

use chess::rules::{PieceType, Rank, Square};
use serde::{Deserialize, Serialize};

use super::Side;

/// A move, as entered by a contributor: two squares and optionally a promotion piece (`e2e4`, `e7e8q`,
/// `a10b12`), or a piece that is dropped on a square (`N@f3`).
///
/// It may be illegal, and of another board: `candidates::canonical` rejects what is no move of standard chess, and
/// unifies the two forms of castling; a rules card does the same for its variant.
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

/// A square of a board of up to twelve files and ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardPlace {
    /// From 0, the file `a`, to 11.
    pub file: u8,
    /// From 0, the first rank, to 11.
    pub rank: u8,
}

/// What a move's text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveParts {
    /// From one square to another.
    Step {
        /// The origin.
        from: BoardPlace,
        /// The target, another square.
        to: BoardPlace,
        /// The letter of the piece that the moved one becomes, in lower case.
        becomes: Option<char>,
    },
    /// A piece from the pocket.
    Drop {
        /// The letter of the piece, in lower case.
        piece: char,
        /// Where it is put.
        to: BoardPlace,
    },
}

impl BoardPlace {
    /// The greatest number of files, and of ranks.
    pub const MOST: u8 = 12;

    /// Reads a square at the beginning of a text; returns the rest too.
    pub(crate) fn read(text: &str) -> Option<(Self, &str)> {
        let file = text.bytes().next()?.checked_sub(b'a')?;
        let rest = text.get(1..)?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let rank: u8 = rest[..digits].parse().ok()?;
        // `a01` would be a second text of a1.
        let is_plain = !rest.starts_with('0');
        let is_on = file < Self::MOST && (1..=Self::MOST).contains(&rank) && is_plain;
        is_on.then(|| {
            let rank = rank - 1;
            (Self { file, rank }, &rest[digits..])
        })
    }
}

impl fmt::Display for BoardPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file), self.rank + 1)
    }
}

impl FromStr for BoardPlace {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match Self::read(text) {
            Some((place, "")) => Ok(place),
            _ => Err(()),
        }
    }
}

impl MoveText {
    /// Creates a move of standard chess from squares.
    pub fn new(from: Square, to: Square, promotion: Option<PieceType>) -> Self {
        // UCI writes promotions in small letters, White's, too.
        let promotion = promotion.map(|piece_type| piece_type.to_char().to_ascii_lowercase());
        Self(format!(
            "{from}{to}{}",
            promotion.map_or(String::new(), String::from)
        ))
    }

    /// Reads a move of standard chess.
    ///
    /// # Errors
    ///
    /// If the squares are not two different ones of the board, or the piece is none to promote to.
    pub fn standard(text: &str) -> Result<Self, ParseMoveTextError> {
        match text.parse() {
            Ok(read) if Self::parts(&read).is_some() => Ok(read),
            Ok(_) | Err(_) => Err(not_a_move(text)),
        }
    }

    /// The text, of at most eight characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Origin, target, and promotion piece; `None` if it is no move of standard chess by its form.
    pub fn parts(&self) -> Option<(Square, Square, Option<PieceType>)> {
        // Squares of larger boards are longer, and their rest is no letter of a piece.
        let promotion = match self.0.get(4..)? {
            "" => None,
            "n" => Some(PieceType::Knight),
            "b" => Some(PieceType::Bishop),
            "r" => Some(PieceType::Rook),
            "q" => Some(PieceType::Queen),
            _ => return None,
        };
        let from = self.0.get(..2)?.parse().ok()?;
        Some((from, self.0.get(2..4)?.parse().ok()?, promotion))
    }

    /// The four characters of the thesis ([`chess::notation::move_list`]). A promotion from a rank that has none keeps
    /// its squares, which the four characters cannot say; so does what is no move of standard chess.
    pub fn in_thesis_notation(&self, side: Side) -> String {
        let Some((from, to, promotion)) = self.parts() else {
            return self.0.clone();
        };
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

    /// What it says, on any board.
    pub fn wide_parts(&self) -> MoveParts {
        read(&self.0).expect("was read when it was made")
    }

    /// Where it begins and where it ends, as text: `e2` and `e4`; `N@` and `f3`.
    pub fn ends(&self) -> (&str, &str) {
        if let Some((_, to)) = self.0.split_once('@') {
            return (&self.0[..2], to);
        }
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let first = 1 + digits(&self.0[1..]);
        let second = first + 1 + digits(&self.0[first + 1..]);
        (&self.0[..first], &self.0[first..second])
    }
}

impl From<MoveParts> for MoveText {
    fn from(parts: MoveParts) -> Self {
        Self(match parts {
            MoveParts::Step { from, to, becomes } => {
                format!("{from}{to}{}", becomes.map_or(String::new(), String::from))
            }
            MoveParts::Drop { piece, to } => format!("{}@{to}", piece.to_ascii_uppercase()),
        })
    }
}

fn read(text: &str) -> Option<MoveParts> {
    if let Some((piece, to)) = text.split_once('@') {
        // Engines write drops with capital letters for both sides: `N@f3`.
        let piece = piece.parse().ok().filter(char::is_ascii_uppercase)?;
        return Some(MoveParts::Drop {
            piece: piece.to_ascii_lowercase(),
            to: to.parse().ok()?,
        });
    }
    let (from, rest) = BoardPlace::read(text)?;
    let (to, rest) = BoardPlace::read(rest)?;
    let becomes = match rest {
        "" => None,
        letter => Some(letter.parse().ok().filter(char::is_ascii_lowercase)?),
    };
    (from != to).then_some(MoveParts::Step { from, to, becomes })
}

fn not_a_move(text: &str) -> ParseMoveTextError {
    ParseMoveTextError(text.chars().take(20).collect())
}

impl FromStr for MoveText {
    type Err = ParseMoveTextError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match read(text) {
            Some(_) => Ok(Self(text.to_owned())),
            None => Err(not_a_move(text)),
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
    fn moves_of_standard_chess_are_read_and_nothing_else() {
        for text in ["e2e4", "e7e8q", "a1h8", "h7h8n"] {
            assert_eq!(
                MoveText::standard(text).map(|m| m.to_string()),
                Ok(text.to_owned())
            );
        }
        for text in [
            "", "e2", "e2e2", "e2e9", "e7e8k", "e7e8Q", "e2e4 ", "ééé", "e2e4qq", "e2e10", "i1i2",
            "a10a9", "N@f3",
        ] {
            assert!(MoveText::standard(text).is_err(), "{text}");
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
            ("N@f3", Side::White, "N@f3"),
        ];
        for (text, side, expected) in rows {
            let mv: MoveText = text.parse().expect(text);
            assert_eq!(mv.in_thesis_notation(side), expected, "{text}");
        }
    }

    #[test]
    fn moves_of_wide_boards_are_read_and_written_back() {
        let rows = [
            ("e2e4", "e2", "e4"),
            ("a10b12", "a10", "b12"),
            ("a1b12q", "a1", "b12"),
            ("l12l1", "l12", "l1"),
            ("e7e8k", "e7", "e8"),
            ("N@f3", "N@", "f3"),
            ("P@j10", "P@", "j10"),
        ];
        for (text, from, to) in rows {
            let read: MoveText = text.parse().expect(text);
            assert_eq!(read.to_string(), text);
            assert_eq!(read.ends(), (from, to), "{text}");
            assert_eq!(MoveText::from(read.wide_parts()), read);
        }
        for text in [
            "", "@", "N@", "n@f3", "NN@f3", "N@f3q", "N@f13", "é@f3", "e2e2", "a0a1", "a01a2",
            "a1a02", "a1m2", "a13a1", "e2é4", "e7e8qq", "e7e8Q", "e7e8+", "a1 a2", "a1b2\n",
        ] {
            assert!(text.parse::<MoveText>().is_err(), "{text}");
        }
    }
}
