//! Parses positions and move lists as people write them; legality is not checked here.

use chess::notation::fen::{self, ParseFenError};
use chess::rules::{Color, File, PieceType, Position, Rank, Square};

use crate::model::MoveText;

/// A place in a text: line and column, in characters, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct TextPlace {
    pub line: usize,
    pub column: usize,
}

impl std::fmt::Display for TextPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A list entry that should be a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListItem {
    pub place: TextPlace,
    pub text: String,
    pub squares: Result<MoveText, Unreadable>,
}

/// Why an entry is not a pair of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    #[error("it has {found} characters, a move has 4")]
    Length { found: usize },
    #[error(
        "it is not four digits 0-7, nor P with a piece and two columns, nor two squares as in e2e4"
    )]
    Form,
    #[error("it begins as in UCI but is not two squares, and one of n, b, r, q for a promotion")]
    Uci,
    #[error("a pawn becomes Q, R, B or N")]
    Piece,
    #[error("White's promotions have capital letters, Black's small ones, and it is {0}'s move")]
    Side(Color),
    #[error("it is no legal move in SAN, and names no two squares")]
    San,
    #[error("it leads to the square from which it comes")]
    Nowhere,
}

/// Parses a list of moves of the side to move.
///
/// A move is four characters in the thesis's notation (see [`chess::notation::move_list`]), or two
/// squares as in UCI. Moves may be separated by white space, commas and semicolons; those in the
/// thesis's notation need no separator. A byte order mark is ignored. Anything else becomes an
/// unreadable entry.
pub fn read_list(text: &str, side: Color) -> Vec<ListItem> {
    // Editors on Windows may begin a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut items = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for (column, word) in words(line) {
            let place = TextPlace {
                line: index + 1,
                column,
            };
            read_word(&word, place, side, &mut items);
        }
    }
    items
}

/// The words of a line, each with its column.
fn words(line: &str) -> impl Iterator<Item = (usize, Vec<char>)> {
    let is_between = |c: char| c.is_whitespace() || matches!(c, ',' | ';');
    let words = line.split(is_between).filter(|word| !word.is_empty());
    words.map(|word| {
        // Splitting loses the offset of a word; the pointers have it.
        let before = &line[..word.as_ptr() as usize - line.as_ptr() as usize];
        (before.chars().count() + 1, word.chars().collect())
    })
}

fn read_word(word: &[char], place: TextPlace, side: Color, items: &mut Vec<ListItem>) {
    // The thesis writes digits from 0 to 7 and P, so a file and a rank can only begin a move of
    // UCI.
    let is_uci = matches!(word, ['a'..='h', '1'..='8', ..]);
    let length = if is_uci { word.len() } else { 4 };
    // In the thesis a list is one row of characters, four for each move (section 3.1).
    for (index, letters) in word.chunks(length).enumerate() {
        let text: String = letters.iter().collect();
        let squares = if is_uci {
            read_uci(&text)
        } else {
            read_thesis(letters, side)
        };
        let column = place.column + index * length;
        items.push(ListItem {
            place: TextPlace { column, ..place },
            text,
            squares,
        });
    }
}

fn read_uci(text: &str) -> Result<MoveText, Unreadable> {
    if text.len() == 4 && text[..2] == text[2..] {
        return Err(Unreadable::Nowhere);
    }
    text.parse::<MoveText>().map_err(|_| Unreadable::Uci)
}

fn read_thesis(letters: &[char], side: Color) -> Result<MoveText, Unreadable> {
    let &[a, b, c, d] = letters else {
        let found = letters.len();
        return Err(Unreadable::Length { found });
    };
    if a.eq_ignore_ascii_case(&'p') {
        return read_promotion([a, b], [c, d], side);
    }
    let square = |row, column| {
        let rank = Rank::try_from_index(7 - digit(row)?)?;
        // Rows count from 0 at the top (thesis, section 3.1), ranks from the bottom.
        Some(Square::new(file(column)?, rank))
    };
    let from = square(a, b).ok_or(Unreadable::Form)?;
    let to = square(c, d).ok_or(Unreadable::Form)?;
    if from == to {
        return Err(Unreadable::Nowhere);
    }
    Ok(MoveText::new(from, to, None))
}

/// `PQ34`: a promotion from column 3 to column 4.
fn read_promotion(
    letters: [char; 2],
    columns: [char; 2],
    side: Color,
) -> Result<MoveText, Unreadable> {
    let [from, to] = columns.map(file);
    let (Some(from), Some(to)) = (from, to) else {
        return Err(Unreadable::Form);
    };
    let piece = match letters[1].to_ascii_uppercase() {
        'Q' => PieceType::Queen,
        'R' => PieceType::Rook,
        'B' => PieceType::Bishop,
        'N' => PieceType::Knight,
        _ => return Err(Unreadable::Piece),
    };
    let is_of_side = |letter: &char| letter.is_ascii_uppercase() == (side == Color::White);
    // Black's promotions have small letters, as in `pq34`: the rows follow from the colour (section
    // 3.2).
    if !letters.iter().all(is_of_side) {
        return Err(Unreadable::Side(side));
    }
    let [before_last, last] = [Rank::R7, Rank::R8].map(|rank| rank.relative_to(side));
    Ok(MoveText::new(
        Square::new(from, before_last),
        Square::new(to, last),
        Some(piece),
    ))
}

fn digit(c: char) -> Option<usize> {
    let digit = c.to_digit(8)?;
    usize::try_from(digit).ok()
}

fn file(c: char) -> Option<File> {
    File::try_from_index(digit(c)?)
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionFileError {
    #[error("there is no FEN")]
    Empty,
    #[error("line {line}: there is more than one line of text, expected one FEN")]
    Lines { line: usize },
    #[error("line {line}: a bracket is not closed, or not opened")]
    Bracket { line: usize },
    #[error("line {line}: {source}")]
    Fen { line: usize, source: ParseFenError },
}

/// Reads a file with one FEN, of four or six fields, strictly. It tolerates:
///
/// - a byte order mark, empty lines, blanks and a carriage return around the FEN;
/// - one pair of round brackets around it.
///
/// Anything else is an error.
pub fn read_position(text: &str) -> Result<Position, PositionFileError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty());
    let (line, text) = lines.next().ok_or(PositionFileError::Empty)?;
    if let Some((line, _)) = lines.next() {
        return Err(PositionFileError::Lines { line });
    }
    let inner = match (text.strip_prefix('('), text.strip_suffix(')')) {
        (Some(_), Some(_)) if text.len() > 1 => text[1..text.len() - 1].trim(),
        (None, None) => text,
        _ => return Err(PositionFileError::Bracket { line }),
    };
    fen::parse(inner).map_err(|source| PositionFileError::Fen { line, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, side: Color) -> Vec<String> {
        let show = |item: ListItem| match item.squares {
            Ok(squares) => format!("{} {squares}", item.place),
            Err(reason) => format!("{} '{}': {reason}", item.place, item.text),
        };
        read_list(text, side).into_iter().map(show).collect()
    }

    #[test]
    fn all_else_has_a_place_and_a_reason() {
        let form = "it is not four digits 0-7, nor P with a piece and two columns, nor two squares as in e2e4";
        let uci =
            "it begins as in UCI but is not two squares, and one of n, b, r, q for a promotion";
        let check = |text: &str, expected: &str| {
            assert_eq!(read(text, Color::White)[0], expected);
        };
        check("60 50", "1:1 '60': it has 2 characters, a move has 4");
        check("\n 8050", &format!("2:2 '8050': {form}"));
        for text in ["Nf3!", "PQ38", "é050"] {
            check(text, &format!("1:1 '{text}': {form}"));
        }
        check("PK33", "1:1 'PK33': a pawn becomes Q, R, B or N");
        let side =
            "White's promotions have capital letters, Black's small ones, and it is White's move";
        check("Pq33", &format!("1:1 'Pq33': {side}"));
        for text in ["6060", "e2e2"] {
            let nowhere = "it leads to the square from which it comes";
            check(text, &format!("1:1 '{text}': {nowhere}"));
        }
        for text in ["e2e4e7e5", "e7e8k", "e2éé"] {
            check(text, &format!("1:1 '{text}': {uci}"));
        }
    }

    #[test]
    fn refuses_all_else() {
        let rows = [
            ("\n \n", "there is no FEN"),
            (
                "\n4k3/8/8/8/8/8/8/4K2R w K -\n\nmore",
                "line 4: there is more than one line of text, expected one FEN",
            ),
            (
                "(4k3/8/8/8/8/8/8/4K2R w K -",
                "line 1: a bracket is not closed, or not opened",
            ),
            (")", "line 1: a bracket is not closed, or not opened"),
        ];
        for (text, expected) in rows {
            let error = read_position(text).expect_err(text);
            assert_eq!(error.to_string(), expected);
        }
        let error = read_position("\n4k3/8/8/8/8/8/8/4K2R  w K -").expect_err("two blanks");
        assert!(error.to_string().starts_with("line 2: "), "{error}");
    }

    #[test]
    fn both_forms_are_read() {
        let text = "\u{feff}6050 6040,7476;PQ34\r\n  60506040\te7e8n e2e4";
        let expected = [
            "1:1 a2a3",
            "1:6 a2a4",
            "1:11 e1g1",
            "1:16 d7e8q",
            "2:3 a2a3",
            "2:7 a2a4",
            "2:12 e7e8n",
            "2:18 e2e4",
        ];
        assert_eq!(read(text, Color::White), expected);
        assert_eq!(read("pn43 1030", Color::Black), ["1:1 e2d1n", "1:6 a7a5"]);
    }

    #[test]
    fn reads_what_it_says() {
        const FEN: &str = "4k3/8/8/8/8/8/8/4K2R w K -";
        let six = format!("{FEN} 0 1");
        for text in [
            FEN.to_owned(),
            six.clone(),
            format!("({FEN})"),
            format!("\u{feff}\r\n ( {six} ) \r\n\n"),
        ] {
            let position = read_position(&text).expect(&text);
            assert_eq!(fen::write(&position), six);
        }
    }
}
