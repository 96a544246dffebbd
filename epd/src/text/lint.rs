//! Whole files: linting, normalising, and reading with repairs.

use std::collections::{HashMap, HashSet};

use chess::notation::fen::{self, EnPassantMode, FenStyle};

use super::diagnostic::{Diagnostic, Finding, Problem, Severity};
use super::operation::{Operand, Operation};
use super::record::Record;
use super::repair::{Line, read_line};
use super::suite::{Entry, Suite};

/// Number of records of a file in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Tally {
    /// In the standard form, with nothing in doubt.
    pub standard: usize,
    /// Not in the standard form, but unambiguous.
    pub repairable: usize,
    /// With something in doubt.
    pub in_doubt: usize,
}

impl Tally {
    /// Number of all records.
    pub fn records(self) -> usize {
        self.standard + self.repairable + self.in_doubt
    }

    fn add(&mut self, line: &FileLine<'_>) {
        let Line::Record(record) = &line.line else {
            return;
        };
        let is_left = line.findings.iter().any(Finding::is_left);
        let Some(record) = record.as_ref().filter(|_| !is_left) else {
            self.in_doubt += 1;
            return;
        };
        let content = line.bytes.strip_suffix(b"\r").unwrap_or(line.bytes);
        if record.text().as_bytes() == content {
            self.standard += 1;
        } else {
            self.repairable += 1;
        }
    }
}

/// The result of linting a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lint {
    /// The name of the file.
    pub name: String,
    /// The state of its records.
    pub tally: Tally,
    /// Every problem, in the order of lines and columns.
    pub findings: Vec<Finding>,
}

impl Lint {
    /// Whether there is a problem of at least this severity.
    pub fn has(&self, severity: Severity) -> bool {
        let mut severities = self.findings.iter().map(Finding::severity);
        severities.any(|found| found >= severity)
    }
}

/// Lints a file: the findings of [`crate::repair`] for each line, unknown opcodes, and duplicate
/// positions.
///
/// # Examples
///
/// ```
/// let text = b"4k3/8/8/8/8/8/8/4K2R w K - bm Rh8;\n4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n";
/// let lint = epd::lint("x", text);
/// let found: Vec<String> = lint.findings.iter().map(|one| one.display("x").to_string()).collect();
/// assert_eq!(
///     found,
///     [
///         "x:1:31: warning: bm: 'Rh8' should be written Rh8+ (fix: Rh8+)",
///         "x:2:1: warning: position is that of line 1, but its bm is 'Rh8+', here 'O-O'",
///     ]
/// );
/// ```
pub fn lint(name: &str, bytes: &[u8]) -> Lint {
    let (mut tally, mut findings) = (Tally::default(), Vec::new());
    let mut duplicates = Duplicates::default();
    for line in lines(bytes) {
        tally.add(&line);
        if let Line::Record(Some(record)) = line.line {
            findings.extend(duplicates.add(line.number, record));
        }
        findings.extend(line.findings);
    }
    Lint {
        name: name.to_owned(),
        tally,
        findings,
    }
}

/// A file in the standard form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Normalised {
    /// The name of the file.
    pub name: String,
    /// The standard form; lines in doubt as a whole are copied byte for byte.
    pub text: Vec<u8>,
    /// The state of the records before normalising.
    pub tally: Tally,
    /// Every repair and every doubt, in the order of lines and columns.
    pub findings: Vec<Finding>,
}

/// Writes a file in the standard form. Comments, empty lines and the order are kept.
pub fn normalise(name: &str, bytes: &[u8]) -> Normalised {
    let (mut tally, mut findings) = (Tally::default(), Vec::new());
    let mut text = Vec::with_capacity(bytes.len() + bytes.len() / 8);
    for line in lines(bytes) {
        tally.add(&line);
        match &line.line {
            Line::Blank => {}
            Line::Comment(comment) => text.extend(comment.as_bytes()),
            Line::Record(Some(record)) => text.extend(record.text().as_bytes()),
            Line::Record(None) => text.extend(line.bytes),
        }
        text.push(b'\n');
        findings.extend(line.findings);
    }
    Normalised {
        name: name.to_owned(),
        text,
        tally,
        findings,
    }
}

impl Suite {
    /// Reads a file, repairing each line with [`crate::repair`]: the records are in the standard
    /// form, and every repair is a diagnostic, [`Problem::Repaired`]. A line in doubt as a whole is
    /// read as by [`Suite::parse`], if possible.
    pub fn parse_repaired(name: &str, bytes: &[u8]) -> Self {
        let mut suite = Suite::parse(name, b"");
        for FileLine {
            number,
            bytes,
            line,
            findings,
        } in lines(bytes)
        {
            let repaired = match line {
                Line::Record(None) => {
                    let tolerant = Suite::parse(name, bytes);
                    // If the line is readable all the same, none of its diagnostics is an error.
                    if let Some(entry) = tolerant.entries.into_iter().next() {
                        let diagnostics = tolerant.diagnostics.into_iter();
                        let moved = diagnostics.map(|one| Diagnostic {
                            line: number,
                            ..one
                        });
                        suite.diagnostics.extend(moved);
                        suite.entries.push(Entry {
                            line: number,
                            ..entry
                        });
                        continue;
                    }
                    None
                }
                Line::Record(record) => record,
                Line::Blank | Line::Comment(_) => None,
            };
            let findings = findings.into_iter().map(Finding::into_diagnostic);
            suite.diagnostics.extend(findings);
            let entry = repaired.map(|record| Entry {
                line: number,
                record,
            });
            suite.entries.extend(entry);
        }
        suite
    }
}

struct FileLine<'a> {
    /// Its number, from 1.
    number: usize,
    /// The raw bytes, without line feed.
    bytes: &'a [u8],
    line: Line,
    findings: Vec<Finding>,
}

/// Reads the lines. Problems of the file rather than of a line are reported once, at the first line
/// concerned.
fn lines(bytes: &[u8]) -> impl Iterator<Item = FileLine<'_>> {
    let content = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let count = if bytes.is_empty() { 0 } else { usize::MAX };
    let mut reported: HashSet<String> = HashSet::new();
    let lines = content.split(|&byte| byte == b'\n').take(count);
    lines.zip(1..).map(move |(bytes, number)| {
        let (line, mut findings) = read_line(bytes, number);
        findings.retain(|finding| match &finding.diagnostic.problem {
            problem @ (Problem::CarriageReturn | Problem::UnknownOpcode { .. }) => {
                reported.insert(problem.to_string())
            }
            _ => true,
        });
        FileLine {
            number,
            bytes,
            line,
            findings,
        }
    })
}

#[derive(Default)]
struct Duplicates {
    /// Keyed by the four fields; the en passant square only if a capture there is legal.
    first: HashMap<String, (usize, Record)>,
}

impl Duplicates {
    /// Adds a record; reports where its position occurred before.
    fn add(&mut self, line: usize, record: Record) -> Option<Finding> {
        let ep = EnPassantMode::Legal;
        let key = fen::write_epd(
            record.position(),
            FenStyle {
                ep,
                ..FenStyle::default()
            },
        );
        let Some((first, known)) = self.first.get(&key) else {
            self.first.insert(key, (line, record));
            return None;
        };
        let first = *first;
        let problem = conflict(first, known, &record).unwrap_or(Problem::Duplicate { first });
        let diagnostic = Diagnostic::new(line, 1, problem);
        Some(Finding {
            diagnostic,
            fix: None,
        })
    }
}

/// The first solution, or perft count of one depth, in which two records of a position differ.
fn conflict(first: usize, there: &Record, here: &Record) -> Option<Problem> {
    let operands = |operation: &Operation| {
        let operands = operation.operands().iter().map(Operand::as_str);
        operands.map(str::to_owned).collect::<Vec<_>>()
    };
    // The order of moves is irrelevant.
    let sorted = |operation: &Operation| {
        let mut operands = operands(operation);
        operands.sort_unstable();
        operands
    };
    here.operations().iter().find_map(|here| {
        let opcode = here.opcode();
        let is_solution = matches!(opcode, "bm" | "am" | "dm") || here.perft_count().is_some();
        let there = there.operation(opcode).filter(|_| is_solution)?;
        (sorted(here) != sorted(there)).then(|| Problem::Conflict {
            first,
            opcode: opcode.to_owned(),
            there: operands(there).join(" "),
            here: operands(here).join(" "),
        })
    })
}
