//! Trusted lists: from a file written by `crowd export`, or from our move generator.

use std::collections::BTreeSet;

use chess::notation::san::{self, ParseSanError};
use chess::rules::{Move, Position};
use epd::{Diagnostic, Record, Severity, Suite};

/// The opcode whose operands are all legal moves, in SAN.
const LEGAL_MOVES: &str = "lm";

/// A position and its trusted move list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its `id`, or its line number.
    pub name: String,
    /// The position.
    pub position: Position,
    /// Every legal move.
    pub moves: BTreeSet<Move>,
    /// The source of the list.
    pub source: Source,
}

/// The source of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The opcode `lm` in the file.
    File,
    /// Our move generator, since the file has no list.
    Generator,
}

/// Why a file of cases cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CasesError {
    /// A line is not a valid EPD record.
    #[error("{0}")]
    Record(Diagnostic),
    /// A move of a list cannot be read.
    #[error("line {line}: lm: {source}")]
    Move {
        /// Line number, from 1.
        line: usize,
        /// What is wrong.
        source: ParseSanError,
    },
    /// A move is listed twice.
    #[error("line {line}: lm: '{text}' stands twice")]
    Repeated {
        /// Line number, from 1.
        line: usize,
        /// The move.
        text: String,
    },
}

/// Reads a file of EPD records with the opcode `lm`.
///
/// # Errors
///
/// At the first line that is not a record, or whose list cannot be read.
pub fn read_cases(bytes: &[u8]) -> Result<Vec<Case>, CasesError> {
    let suite = Suite::parse("", bytes);
    let is_error = |found: &&Diagnostic| found.severity() == Severity::Error;
    if let Some(error) = suite.diagnostics.iter().find(is_error) {
        return Err(CasesError::Record(error.clone()));
    }
    let entries = suite.entries.iter();
    entries
        .map(|entry| case(&entry.record, entry.line))
        .collect()
}

/// The thesis's 26 positions, with our generator's lists.
pub fn thesis_cases() -> Vec<Case> {
    let suite = epd::suites::find("thesis").expect("it is built in");
    read_cases(suite.text.as_bytes()).expect("what is built in is clean")
}

fn case(record: &Record, line: usize) -> Result<Case, CasesError> {
    let position = *record.position();
    let listed = record.operation(LEGAL_MOVES);
    let (moves, source) = match listed {
        None => {
            let moves = position.legal_moves().into_iter().collect();
            (moves, Source::Generator)
        }
        Some(operation) => {
            let mut moves = BTreeSet::new();
            for operand in operation.operands() {
                let text = operand.as_str();
                let m = san::parse(text, &position)
                    .map_err(|source| CasesError::Move { line, source })?;
                if !moves.insert(m) {
                    let text = text.to_owned();
                    return Err(CasesError::Repeated { line, text });
                }
            }
            (moves, Source::File)
        }
    };
    let name = match record.id() {
        Some(id) => id.to_owned(),
        None => format!("line {line}"),
    };
    Ok(Case {
        name,
        position,
        moves,
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_those_of_the_file_or_the_generator() {
        let text = "7k/8/8/8/8/8/8/K7 w - - id \"corner\"; lm Ka2 Kb1;\n\
                    # a comment\n7k/8/8/8/8/8/8/K7 b - -\n";
        let cases = read_cases(text.as_bytes()).expect("good");
        assert_eq!((&*cases[0].name, cases[0].moves.len()), ("corner", 2));
        assert_eq!((&*cases[1].name, cases[1].moves.len()), ("line 3", 3));
        let sources = cases.iter().map(|case| case.source).collect::<Vec<_>>();
        assert_eq!(sources, [Source::File, Source::Generator]);
        assert_eq!(thesis_cases().len(), 26);
    }

    #[test]
    fn what_is_wrong_has_a_line() {
        let rows = [
            ("\n7k/8/8/8/8/8/8/K7 w - - lm Ka2 Ka3;", "line 2: lm: "),
            (
                "7k/8/8/8/8/8/8/K7 w - - lm Ka2 Ka2;",
                "line 1: lm: 'Ka2' stands twice",
            ),
            ("7k/8/8/8/8/8/8/K7 x - -", "1:"),
        ];
        for (text, expected) in rows {
            let error = read_cases(text.as_bytes()).expect_err(text).to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
