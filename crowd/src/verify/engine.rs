//! Compares an engine's lists with trusted ones: from a file written by `crowd export`, or from our generator.

use std::collections::BTreeSet;

use chess::notation::san::{self, ParseSanError};
use chess::rules::{Move, Position};
use epd::{Diagnostic, Record, Severity, Suite};
use kit::report::Status;
use uci::perft::{DivideRow, MoveMeaning};

use super::listed::Named;
use crate::candidates::why;
use crate::model::MoveText;

/// The opcode whose operands are all legal moves, in SAN.
const LEGAL_MOVES: &str = "lm";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyCase {
    /// Its `id`, or its line number.
    pub name: String,
    pub position: Position,
    pub moves: BTreeSet<Move>,
    pub source: CaseSource,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CaseSource {
    /// The opcode `lm` in the file.
    File,
    /// Our move generator, since the file has no list.
    Generator,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CasesError {
    #[error("{0}")]
    Record(Diagnostic),
    #[error("line {line}: lm: {source}")]
    Move { line: usize, source: ParseSanError },
    #[error("line {line}: lm: '{text}' stands twice")]
    Repeated { line: usize, text: String },
}

/// Reads a file of EPD records with the opcode `lm`.
pub fn read_cases(bytes: &[u8]) -> Result<Vec<VerifyCase>, CasesError> {
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
pub fn thesis_cases() -> Vec<VerifyCase> {
    let suite = epd::suites::find("thesis").expect("it is built in");
    read_cases(suite.text.as_bytes()).expect("what is built in is clean")
}

fn case(record: &Record, line: usize) -> Result<VerifyCase, CasesError> {
    let position = *record.position();
    let listed = record.operation(LEGAL_MOVES);
    let (moves, source) = match listed {
        None => {
            let moves = position.legal_moves().into_iter().collect();
            (moves, CaseSource::Generator)
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
            (moves, CaseSource::File)
        }
    };
    let name = match record.id() {
        Some(id) => id.to_owned(),
        None => format!("line {line}"),
    };
    Ok(VerifyCase {
        name,
        position,
        moves,
        source,
    })
}

/// The differences between an engine's list and a trusted one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Against {
    pub missing: Vec<Named>,
    /// Entries that are not trusted moves, as the engine wrote them.
    pub superfluous: Vec<Superfluous>,
}

/// An entry of an engine's list that is not a trusted move.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Superfluous {
    pub text: String,
    pub why: String,
}

impl Against {
    /// Compares the rows of an engine's answer with a list.
    pub fn new(position: &Position, trusted: &BTreeSet<Move>, rows: &[DivideRow]) -> Self {
        let mut seen = BTreeSet::new();
        let mut against = Self::default();
        for row in rows {
            if let Err(why) = take(row, position, trusted, &mut seen) {
                let text = row.text.clone();
                against.superfluous.push(Superfluous { text, why });
            }
        }
        let missing = trusted.difference(&seen);
        against.missing = missing.map(|&m| Named::new(m, position)).collect();
        against
    }

    pub fn agrees(&self) -> bool {
        self.missing.is_empty() && self.superfluous.is_empty()
    }
}

/// Ticks off a row, or explains why it is wrong.
fn take(
    row: &DivideRow,
    position: &Position,
    trusted: &BTreeSet<Move>,
    seen: &mut BTreeSet<Move>,
) -> Result<(), String> {
    let m = match row.meaning {
        MoveMeaning::Legal(m) => m,
        MoveMeaning::Illegal(m) => {
            let squares = MoveText::new(m.from(), m.to(), m.promotion());
            return Err(why(position, &squares));
        }
        MoveMeaning::Unreadable => return Err("it is not a move".to_owned()),
    };
    if !trusted.contains(&m) {
        return Err("it is not on the trusted list".to_owned());
    }
    if !seen.insert(m) {
        return Err("it was listed before".to_owned());
    }
    // At depth 1 each move is one node. The row has been ticked off, so that the move is not
    // missing as well.
    if row.nodes != 1 {
        return Err(format!("it is counted {} times", row.nodes));
    }
    Ok(())
}

#[derive(Clone, Debug)]
pub struct Checked {
    pub case: VerifyCase,
    pub outcome: VerifyOutcome,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VerifyOutcome {
    Listed {
        moves: usize,
        against: Against,
    },
    /// The engine gave no list; the reason.
    Failed(String),
}

#[derive(Clone, Debug, Default)]
pub struct VerifyVerdict {
    /// The name in the engine's `id name`.
    pub engine: Option<String>,
    pub checked: Vec<Checked>,
    /// Whether the user ended the run before the last case.
    pub is_interrupted: bool,
}

impl Checked {
    pub fn status(&self) -> Status {
        match &self.outcome {
            VerifyOutcome::Failed(_) => Status::Error,
            VerifyOutcome::Listed { against, .. } if against.agrees() => Status::Passed,
            VerifyOutcome::Listed { .. } => Status::Failed,
        }
    }
}

impl VerifyVerdict {
    /// Number of positions that ended so: those without a list are errors.
    pub fn count(&self, status: Status) -> usize {
        let checked = self.checked.iter();
        checked.filter(|one| one.status() == status).count()
    }

    /// Number of trusted lists from our generator, for lack of `lm` in the file.
    pub fn by_generator(&self) -> usize {
        let sources = self.checked.iter().map(|checked| checked.case.source);
        sources
            .filter(|&source| source == CaseSource::Generator)
            .count()
    }
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
        assert_eq!(sources, [CaseSource::File, CaseSource::Generator]);
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
