//! Positions of variants, written like a FEN.

use std::collections::BTreeMap;

use super::{Card, Stand};
use crate::model::BoardPlace;

/// Where pieces stand, what is in the pockets, and whose move it is. The other fields of the FEN are kept as text:
/// what they mean is for the rules card to say and for people to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The text as it was given, with single blanks.
    pub fen: String,
    /// The pieces on the board.
    pub board: BTreeMap<BoardPlace, Stand>,
    /// The pieces in the pockets, as often as they are there.
    pub pocket: Vec<Stand>,
    /// Whether White is to move.
    pub white_to_move: bool,
}

/// Why a text is no position on the board of a card.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct PlacementError {
    /// The column, in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub reason: String,
}

fn fault<T>(offset: usize, reason: impl Into<String>) -> Result<T, PlacementError> {
    Err(PlacementError {
        column: offset + 1,
        reason: reason.into(),
    })
}

impl Placement {
    /// The greatest number of characters.
    pub const LONGEST: usize = 300;
    /// The greatest number of pieces in the pockets.
    pub const POCKET: usize = 64;

    /// Reads a position: the pieces rank by rank from the top, empty squares as numbers up to 12, a `~` after a
    /// promoted piece; the pockets in square brackets behind, as in `…/RNBQKBNR[QNp]`; then `w` or `b`, and any
    /// other fields.
    ///
    /// # Errors
    ///
    /// With the column of the first fault.
    pub fn read(card: &Card, text: &str) -> Result<Self, PlacementError> {
        if let Some((at, c)) = text
            .chars()
            .enumerate()
            .find(|(_, c)| !(' '..='~').contains(c))
        {
            let code = u32::from(c);
            return fault(at, format!("U+{code:04X} is no character of a position"));
        }
        if text.len() > Self::LONGEST {
            let most = Self::LONGEST;
            return fault(most, format!("a position has at most {most} characters"));
        }
        let mut fields = text.split(' ').filter(|field| !field.is_empty());
        let pieces = fields.next().unwrap_or("");
        let start = text.len() - text.trim_start().len();
        let (board, pocket) = match pieces.split_once('[') {
            None => (pieces, ""),
            Some((board, rest)) => match rest.strip_suffix(']') {
                Some(pocket) => (board, pocket),
                None => return fault(start + pieces.len(), "the pockets end with a ']'"),
            },
        };
        let mut read = Self {
            fen: String::new(),
            board: board_of(card, board, start)?,
            pocket: pocket_of(card, pocket, start + board.len() + 1)?,
            white_to_move: true,
        };
        let side = start + pieces.len() + 1;
        read.white_to_move = match fields.next() {
            Some("w") => true,
            Some("b") => false,
            Some(other) => return fault(side, format!("'{other}' is neither w nor b")),
            None => return fault(text.len(), "whose move it is, w or b, is missing"),
        };
        let all = text.split(' ').filter(|field| !field.is_empty());
        read.fen = all.collect::<Vec<_>>().join(" ");
        Ok(read)
    }

    /// A text that is equal for equal positions of a variant: without the two counters at the end, if it has them.
    pub fn key(&self) -> String {
        let fields: Vec<&str> = self.fen.split(' ').collect();
        let is_number = |field: &&str| field.bytes().all(|byte| byte.is_ascii_digit());
        let counters = fields.iter().rev().take(2).filter(|f| is_number(f)).count();
        let kept = if counters == 2 && fields.len() > 3 {
            fields.len() - 2
        } else {
            fields.len()
        };
        fields[..kept].join(" ")
    }

    /// The pieces of the side to move, with their squares.
    pub fn own(&self) -> impl Iterator<Item = (BoardPlace, char)> + '_ {
        let own = |stand: &Stand| stand.white == self.white_to_move;
        let board = self.board.iter().filter(move |(_, stand)| own(stand));
        board.map(|(&place, stand)| (place, stand.letter))
    }

    /// Whether the side to move has this kind of piece in its pocket.
    pub fn holds(&self, letter: char) -> bool {
        let white = self.white_to_move;
        self.pocket.contains(&Stand { letter, white })
    }
}

fn board_of(
    card: &Card,
    text: &str,
    start: usize,
) -> Result<BTreeMap<BoardPlace, Stand>, PlacementError> {
    let mut board = BTreeMap::new();
    let mut offset = start;
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != usize::from(card.ranks) {
        let (found, expected) = (rows.len(), card.ranks);
        return fault(
            start,
            format!("it has {found} ranks, the board has {expected}"),
        );
    }
    for (row, rank) in rows.into_iter().zip((0..card.ranks).rev()) {
        let mut file = 0_u8;
        let mut rest = row;
        while let Some(c) = rest.chars().next() {
            let at = offset + row.len() - rest.len();
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            if digits > 0 {
                let empty = rest[..digits]
                    .parse()
                    .ok()
                    .filter(|n| (1..=BoardPlace::MOST).contains(n));
                let Some(empty) = empty else {
                    return fault(at, "a number of empty squares is from 1 to 12");
                };
                file += empty;
                rest = &rest[digits..];
            } else {
                let stand = stand_of(card, c, at)?;
                board.insert(BoardPlace { file, rank }, stand);
                file += 1;
                // A promoted piece is marked by `~`; it moves like any other.
                rest = rest[1..].strip_prefix('~').unwrap_or(&rest[1..]);
            }
            if file > card.files {
                let files = card.files;
                return fault(
                    at,
                    format!("rank {} has more than {files} squares", rank + 1),
                );
            }
        }
        if file < card.files {
            let reason = format!(
                "rank {} has {file} squares, the board has {}",
                rank + 1,
                card.files
            );
            return fault(offset, reason);
        }
        offset += row.len() + 1;
    }
    Ok(board)
}

fn pocket_of(card: &Card, text: &str, start: usize) -> Result<Vec<Stand>, PlacementError> {
    if text.len() > Placement::POCKET {
        let most = Placement::POCKET;
        return fault(
            start + most,
            format!("the pockets have at most {most} pieces"),
        );
    }
    let stands = text.chars().enumerate().filter(|(_, c)| *c != '-');
    let mut pocket = stands
        .map(|(at, c)| stand_of(card, c, start + at))
        .collect::<Result<Vec<_>, _>>()?;
    pocket.sort();
    Ok(pocket)
}

fn stand_of(card: &Card, c: char, at: usize) -> Result<Stand, PlacementError> {
    let letter = c.to_ascii_lowercase();
    if card.piece(letter).is_none() {
        return fault(at, format!("'{c}' is none of the card's pieces"));
    }
    let white = c.is_ascii_uppercase();
    Ok(Stand { letter, white })
}

#[cfg(test)]
mod tests {
    use super::super::read::tests::card;
    use super::*;

    #[test]
    fn wide_boards_and_pockets_are_read() {
        let card = card(10, 4);
        let read = Placement::read(&card, " kp8/10/5P~4/9K[PPk]  b  KQ 3+3 0 1").expect("good");
        assert_eq!(read.fen, "kp8/10/5P~4/9K[PPk] b KQ 3+3 0 1");
        assert_eq!(read.key(), "kp8/10/5P~4/9K[PPk] b KQ 3+3");
        assert!(!read.white_to_move);
        let own: Vec<String> = read.own().map(|(place, c)| format!("{c}{place}")).collect();
        assert_eq!(own, ["ka4", "pb4"]);
        assert!(read.holds('k') && !read.holds('p'));
        let f2 = "f2".parse().expect("a square");
        assert_eq!(read.board[&f2].sign(), 'P');
    }

    #[test]
    fn faults_have_a_column() {
        let card = card(10, 4);
        for (text, column, part) in [
            ("10/10/10 w", 1, "3 ranks, the board has 4"),
            ("10/10/10/x9 w", 10, "'x' is none of"),
            ("10/10/10/11 w", 10, "more than 10"),
            ("10/10/10/kkk w", 10, "3 squares"),
            ("10/10/10/13 w", 10, "from 1 to 12"),
            ("10/10/10/0k9 w", 10, "from 1 to 12"),
            ("10/10/10/10[p w", 14, "end with a ']'"),
            ("10/10/10/10[pz] w", 14, "'z' is none of"),
            ("10/10/10/10", 12, "is missing"),
            ("10/10/10/10 white", 13, "neither w nor b"),
            ("10/10/10/10 w \u{e9}", 15, "U+00E9"),
        ] {
            let error = Placement::read(&card, text).expect_err(text);
            assert!(error.reason.contains(part), "{text}: {error}");
            assert_eq!(error.column, column, "{text}: {error}");
        }
        let long = format!("10/10/10/10 w {}", "x".repeat(300));
        assert!(Placement::read(&card, &long).is_err());
    }
}
