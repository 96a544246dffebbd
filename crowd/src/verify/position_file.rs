use chess::notation::fen::{self, ParseFenError};
use chess::rules::Position;

/// Why a file is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionFileError {
    /// Only white space.
    #[error("there is no FEN")]
    Empty,
    /// More than one line with text.
    #[error("line {line}: there is more than one line of text, expected one FEN")]
    Lines {
        /// The second line with text.
        line: usize,
    },
    /// An unbalanced bracket.
    #[error("line {line}: a bracket is not closed, or not opened")]
    Bracket {
        /// Line number, from 1.
        line: usize,
    },
    /// Not a FEN, or an illegal position.
    #[error("line {line}: {source}")]
    Fen {
        /// Line number, from 1.
        line: usize,
        /// What is wrong.
        source: ParseFenError,
    },
}

/// Reads a file with one FEN, of four or six fields, strictly. It tolerates:
///
/// - a byte order mark, empty lines, blanks and a carriage return around the FEN;
/// - one pair of round brackets around it.
///
/// # Errors
///
/// When the file has anything else.
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

    const FEN: &str = "4k3/8/8/8/8/8/8/4K2R w K -";

    #[test]
    fn reads_what_it_says() {
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
}
