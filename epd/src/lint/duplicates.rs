//! Positions that occur more than once in a file.

use std::collections::HashMap;

use chess::notation::fen::{self, EnPassantMode, FenStyle};

use crate::diagnostic::{Diagnostic, Problem};
use crate::finding::Finding;
use crate::operation::Operation;
use crate::record::Record;
use crate::style::StyleProblem;

/// Opcodes that give a solution: different operands contradict each other.
const SOLUTIONS: [&str; 3] = ["bm", "am", "dm"];

/// The positions seen so far.
#[derive(Default)]
pub(super) struct Duplicates {
    /// Keyed by the four fields; the en passant square only if a capture there is legal.
    first: HashMap<String, (usize, Record)>,
}

impl Duplicates {
    /// Adds a record; reports where its position occurred before.
    pub(super) fn add(&mut self, line: usize, record: Record) -> Option<Finding> {
        let style = FenStyle {
            ep: EnPassantMode::Legal,
            ..FenStyle::default()
        };
        let key = fen::write_epd(record.position(), style);
        let Some((first, known)) = self.first.get(&key) else {
            self.first.insert(key, (line, record));
            return None;
        };
        let problem = conflict(*first, known, &record).unwrap_or_else(|| {
            let first = *first;
            StyleProblem::Duplicate { first }
        });
        let diagnostic = Diagnostic {
            line,
            column: 1,
            problem: Problem::Style(problem),
        };
        Some(Finding {
            diagnostic,
            fix: None,
        })
    }
}

/// The first solution, or perft count of one depth, in which two records of a position differ.
fn conflict(first: usize, there: &Record, here: &Record) -> Option<StyleProblem> {
    let is_solution = |operation: &&Operation| {
        SOLUTIONS.contains(&operation.opcode()) || operation.perft_count().is_some()
    };
    here.operations()
        .iter()
        .filter(is_solution)
        .find_map(|here| {
            let there = there.operation(here.opcode())?;
            if sorted(here) == sorted(there) {
                return None;
            }
            Some(StyleProblem::Conflict {
                first,
                opcode: here.opcode().to_owned(),
                there: operands(there).join(" "),
                here: operands(here).join(" "),
            })
        })
}

fn operands(operation: &Operation) -> Vec<&str> {
    let operands = operation.operands().iter();
    operands.map(crate::Operand::as_str).collect()
}

/// The order of moves is irrelevant.
fn sorted(operation: &Operation) -> Vec<&str> {
    let mut operands = operands(operation);
    operands.sort_unstable();
    operands
}
