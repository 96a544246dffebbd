//! Whole files: linting and normalising.

mod duplicates;
mod file;
#[cfg(feature = "cli")]
pub mod report;

use crate::diagnostic::{Diagnostic, Problem};
use crate::finding::Finding;
use crate::repair::Line;
use crate::severity::Severity;
use crate::suite::{Entry, Suite};
use duplicates::Duplicates;
use file::FileLine;

/// Number of records of a file in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
        if record.is_none() || line.findings.iter().any(Finding::is_left) {
            self.in_doubt += 1;
        } else if line.is_unchanged() {
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
        self.findings
            .iter()
            .any(|finding| finding.severity() >= severity)
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
    let mut lint = Lint {
        name: name.to_owned(),
        tally: Tally::default(),
        findings: Vec::new(),
    };
    let mut duplicates = Duplicates::default();
    for line in file::lines(bytes) {
        lint.tally.add(&line);
        if let Line::Record(Some(record)) = line.line {
            lint.findings.extend(duplicates.add(line.number, record));
        }
        lint.findings.extend(line.findings);
    }
    lint
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
    let mut normalised = Normalised {
        name: name.to_owned(),
        text: Vec::with_capacity(bytes.len() + bytes.len() / 8),
        tally: Tally::default(),
        findings: Vec::new(),
    };
    for line in file::lines(bytes) {
        normalised.tally.add(&line);
        match &line.line {
            Line::Blank => {}
            Line::Comment(text) => normalised.text.extend(text.as_bytes()),
            Line::Record(Some(record)) => normalised.text.extend(record.text().as_bytes()),
            Line::Record(None) => normalised.text.extend(line.bytes),
        }
        normalised.text.push(b'\n');
        normalised.findings.extend(line.findings);
    }
    normalised
}

impl Suite {
    /// Reads a file, repairing each line with [`crate::repair`]: the records are in the standard
    /// form, and every repair is a diagnostic, [`Problem::Repaired`]. A line in doubt as a whole is
    /// read as by [`Suite::parse`], if possible.
    pub fn parse_repaired(name: &str, bytes: &[u8]) -> Self {
        let mut suite = Suite {
            name: name.to_owned(),
            entries: Vec::new(),
            diagnostics: Vec::new(),
        };
        for line in file::lines(bytes) {
            let number = line.number;
            let tolerant = match line.line {
                Line::Record(None) => Suite::parse(name, line.bytes),
                _ => Suite::parse(name, b""),
            };
            // If the line is readable all the same, none of its diagnostics is an error.
            if tolerant.entries.is_empty() {
                let diagnostics = line.findings.into_iter().map(Finding::into_diagnostic);
                suite.diagnostics.extend(diagnostics);
            } else {
                let at_line = |one| Diagnostic {
                    line: number,
                    ..one
                };
                let diagnostics = tolerant.diagnostics.into_iter().map(at_line);
                suite.diagnostics.extend(diagnostics);
            }
            let repaired = match line.line {
                Line::Record(record) => record,
                _ => None,
            };
            let records = tolerant.entries.into_iter().map(|entry| entry.record);
            let entries = records.chain(repaired).map(|record| Entry {
                line: number,
                record,
            });
            suite.entries.extend(entries);
        }
        suite
    }
}

/// Whether the problem concerns the file rather than the line, and is reported once.
fn is_told_once(problem: &Problem) -> bool {
    matches!(
        problem,
        Problem::CarriageReturn | Problem::Style(crate::StyleProblem::UnknownOpcode { .. })
    )
}
