//! Compares an engine's lists with trusted ones: from a file written by `crowd export`, or from our generator.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use chess::notation::fen;
use chess::notation::san::{self, ParseSanError};
use chess::rules::{Move, Position};
use epd::{Diagnostic, Record, Severity, Suite};
use kit::report::{Case, Status};
use serde_json::json;
use uci::perft::{DivideRow, MoveMeaning};

use super::listed::Named;
use super::report::clean;
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

impl VerifyCase {
    /// The result of the position: the rows of an engine's answer compared with its trusted list, or why there is none.
    pub fn judge(&self, answer: Result<&[DivideRow], String>) -> Case<'static> {
        let (trusted, fen) = (self.moves.len(), fen::write(&self.position));
        let name = clean(&self.name);
        let facts = json!({"fen": fen, "trusted": trusted, "source": self.source});
        let rows = match answer {
            Ok(rows) => rows,
            Err(why) => {
                let case = Case::not_passed(Status::Error, name, "no list", why);
                return case.details(fen).facts(facts);
            }
        };
        let mut seen = BTreeSet::new();
        let superfluous = rows
            .iter()
            .filter_map(|row| Some((&*row.text, self.take(row, &mut seen).err()?)));
        let superfluous: Vec<(&str, String)> = superfluous.collect();
        let missing = self.moves.difference(&seen);
        let missing: Vec<Named> = missing.map(|&m| Named::new(m, &self.position)).collect();
        let mut facts = facts;
        facts["listed"] = json!(rows.len());
        facts["missing"] = json!(missing);
        let of_row = |(text, why): &(&str, String)| json!({"text": text, "why": why});
        facts["superfluous"] = superfluous.iter().map(of_row).collect();
        if missing.is_empty() && superfluous.is_empty() {
            return Case::passed(name).facts(facts);
        }
        let mut lines = format!("{name}: {} listed, {trusted} trusted: {fen}\n", rows.len());
        for Named { uci, san, why, .. } in &missing {
            let _ = writeln!(lines, "  missing {uci} {san}: {why}");
        }
        for (text, why) in &superfluous {
            let _ = writeln!(lines, "  superfluous {text}: {why}");
        }
        let (missing, superfluous) = (missing.len(), superfluous.len());
        let text = format!("{missing} missing, {superfluous} superfluous");
        let case = Case::not_passed(Status::Failed, name, "", text);
        case.details(lines).facts(facts)
    }

    /// Ticks off a row, or explains why it is wrong.
    fn take(&self, row: &DivideRow, seen: &mut BTreeSet<Move>) -> Result<(), String> {
        let m = match row.meaning {
            MoveMeaning::Legal(m) => m,
            MoveMeaning::Illegal(m) => {
                let squares = MoveText::new(m.from(), m.to(), m.promotion());
                return Err(why(&self.position, &squares));
            }
            MoveMeaning::Unreadable => return Err("it is not a move".to_owned()),
        };
        if !self.moves.contains(&m) {
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
}
