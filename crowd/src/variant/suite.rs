//! Perft-1 suites of a variant: one position per line, `FEN ;D1 n ;id name ;lm moves`.
//!
//! The form is that of perft suites: programs that know only `D1` read it as it is.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::model::MoveText;

/// A line of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteLine {
    /// The line, from 1.
    pub line: usize,
    /// The column at which the position begins, from 1.
    pub column: usize,
    /// The position.
    pub fen: String,
    /// Its name.
    pub id: Option<String>,
    /// Its legal moves, if they are given.
    pub moves: Option<BTreeSet<MoveText>>,
    /// Their number, if it is given.
    pub count: Option<usize>,
}

/// Why a text is no suite.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct SuiteError {
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub reason: String,
}

impl SuiteLine {
    /// The line as it stands in a suite.
    pub fn written(fen: &str, id: &str, moves: &[&MoveText]) -> String {
        // A name must not end a field.
        let id: String = id.chars().map(|c| if c == ';' { ',' } else { c }).collect();
        let mut text = format!("{fen} ;D1 {} ;id {id} ;lm", moves.len());
        for mv in moves {
            write!(text, " {mv}").expect("a string takes all");
        }
        text
    }
}

/// Reads the lines of a suite; blank lines and comments, which begin with `#`, are skipped. A line with a fault is an
/// error of its own. Counts of other depths are ignored.
pub fn read_suite(bytes: &[u8]) -> Vec<Result<SuiteLine, SuiteError>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let lines = (1..).zip(bytes.split(|&byte| byte == b'\n'));
    let wanted =
        lines.filter(|(_, bytes)| !matches!(bytes.trim_ascii().first(), None | Some(b'#')));
    wanted.map(|(line, bytes)| read_line(line, bytes)).collect()
}

fn read_line(line: usize, bytes: &[u8]) -> Result<SuiteLine, SuiteError> {
    let at = |column: usize, reason: String| SuiteError {
        line,
        column,
        reason,
    };
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        at(valid.chars().count() + 1, "not UTF-8".to_owned())
    })?;
    let mut parts = text.split(';');
    let fen = parts.next().unwrap_or("");
    let mut read = SuiteLine {
        line,
        column: fen.chars().take_while(|c| c.is_whitespace()).count() + 1,
        fen: fen.trim().to_owned(),
        id: None,
        moves: None,
        count: None,
    };
    let mut column = fen.chars().count() + 2;
    for part in parts {
        let blanks = part.chars().take_while(|c| c.is_whitespace()).count();
        let here = |reason: String| at(column + blanks, reason);
        let field = part.trim();
        let (name, value) = field.split_once(char::is_whitespace).unwrap_or((field, ""));
        match name {
            "D1" => {
                let number = value.trim().parse();
                read.count = Some(number.map_err(|_| here(format!("D1: '{value}' is no number")))?);
            }
            "id" if !value.trim().is_empty() => {
                read.id = Some(value.trim().trim_matches('"').chars().take(80).collect());
            }
            "lm" => {
                let mut moves = BTreeSet::new();
                for word in value.split_whitespace() {
                    let mv: MoveText =
                        word.parse().map_err(|error| here(format!("lm: {error}")))?;
                    if !moves.insert(mv) {
                        return Err(here(format!("lm: '{word}' stands twice")));
                    }
                }
                read.moves = Some(moves);
            }
            // Counts of other depths, a name without text, and nothing between two semicolons.
            _ if name
                .strip_prefix('D')
                .is_some_and(|n| n.parse::<u8>().is_ok()) => {}
            "id" | "" => {}
            _ => return Err(here(format!("'{name}' is none of D1, id, lm"))),
        }
        column += part.chars().count() + 1;
    }
    match (&read.moves, read.count) {
        (Some(moves), Some(count)) if moves.len() != count => {
            let found = moves.len();
            Err(at(
                1,
                format!("D1 says {count} legal moves, lm has {found}"),
            ))
        }
        _ => Ok(read),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_written_and_read_back() {
        let moves = ["N@f3", "a10b12", "e7e8k"].map(|text| text.parse().expect("a move"));
        let refs: Vec<&MoveText> = moves.iter().collect();
        let text = SuiteLine::written("8/8 w - - 0 1", "a; b", &refs);
        assert_eq!(text, "8/8 w - - 0 1 ;D1 3 ;id a, b ;lm N@f3 a10b12 e7e8k");
        let read = read_suite(format!("# one\n\n  {text}\r\n").as_bytes());
        let read = read[0].as_ref().expect("good");
        assert_eq!((read.line, read.column), (3, 3));
        assert_eq!(read.fen, "8/8 w - - 0 1");
        assert_eq!(read.id.as_deref(), Some("a, b"));
        assert_eq!(read.count, Some(3));
        assert_eq!(read.moves, Some(BTreeSet::from(moves)));
        // A mate has no move.
        let mate = SuiteLine::written("8/8 w", "x", &[]);
        let read = read_suite(mate.as_bytes());
        assert_eq!(read[0].as_ref().expect("good").moves, Some(BTreeSet::new()));
    }

    #[test]
    fn perft_suites_of_others_are_read() {
        let read = read_suite(b"8/8 w - - 0 1 ;D1 20 ;D2 400;\n8/8 b\n");
        let counts: Vec<_> = read
            .iter()
            .map(|line| line.as_ref().expect("good").count)
            .collect();
        assert_eq!(counts, [Some(20), None]);
    }

    #[test]
    fn faults_have_a_place() {
        for (text, column, part) in [
            ("8/8 w ;D1 x", 8, "D1: 'x' is no number"),
            ("8/8 w ;D1 2 ;lm a1a2", 1, "D1 says 2 legal moves, lm has 1"),
            ("8/8 w ;lm a1", 8, "'a1' is not a move"),
            ("8/8 w ;D1 2 ; lm a1a2 a1a2", 15, "lm: 'a1a2' stands twice"),
            ("8/8 w ;bm e4", 8, "'bm' is none of"),
        ] {
            let read = read_suite(format!("\n{text}").as_bytes());
            let error = read[0].as_ref().expect_err(text);
            assert_eq!((error.line, error.column), (2, column), "{text}: {error}");
            assert!(error.reason.contains(part), "{error}");
        }
        let read = read_suite(b"8/8 w \xff");
        assert_eq!(read[0].as_ref().expect_err("not UTF-8").column, 7);
    }
}
