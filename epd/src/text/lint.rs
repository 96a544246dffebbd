//! Whole files: linting, normalising, and reading with repairs.

use std::collections::{HashMap, HashSet};

use super::diagnostic::{Diagnostic, Finding, RecordProblem, Severity};
use super::key::{PositionKey, position_key};
use super::operation::{Operand, Operation};
use super::record::Record;
use super::repair::{RepairLine, read_line};
use super::suite::{Suite, SuiteEntry};

/// Number of records of a file in each state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct LintTally {
    /// In the standard form, with nothing in doubt.
    pub standard: usize,
    /// Not in the standard form, but unambiguous.
    pub repairable: usize,
    /// With something in doubt.
    pub in_doubt: usize,
}

impl LintTally {
    /// Number of all records.
    pub fn records(self) -> usize {
        self.standard + self.repairable + self.in_doubt
    }

    /// Counts a line, if it is a record.
    pub(crate) fn add(&mut self, line: &CheckedLine<'_>) {
        let RepairLine::Record(record) = &line.line else {
            return;
        };
        // A note without a fix, such as an unknown opcode, leaves nothing in doubt.
        let is_left = line.findings.iter().any(Finding::is_left);
        let Some(record) = record.as_ref().filter(|_| !is_left) else {
            self.in_doubt += 1;
            return;
        };
        // With its carriage return, if it has one: that is not the standard form.
        if record.text().as_bytes() == line.bytes {
            self.standard += 1;
        } else {
            self.repairable += 1;
        }
    }

    /// Adds the numbers of another tally.
    #[cfg(feature = "cli")]
    pub(crate) fn add_all(&mut self, other: Self) {
        self.standard += other.standard;
        self.repairable += other.repairable;
        self.in_doubt += other.in_doubt;
    }
}

/// The result of linting a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lint {
    /// The name of the file.
    pub name: String,
    /// The state of its records.
    pub tally: LintTally,
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
    let (mut tally, mut findings) = (LintTally::default(), Vec::new());
    let mut duplicates = Duplicates::default();
    for line in lines(bytes) {
        tally.add(&line);
        if let RepairLine::Record(Some(record)) = &line.line {
            // A duplicate stands at column 1, so it comes before the other findings of its line.
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
    pub tally: LintTally,
    /// Every repair and every doubt, in the order of lines and columns.
    pub findings: Vec<Finding>,
}

/// Writes a file in the standard form. Comments, empty lines and the order are kept.
pub fn normalise(name: &str, bytes: &[u8]) -> Normalised {
    let (mut tally, mut findings) = (LintTally::default(), Vec::new());
    // The standard form adds quotes, blanks and semicolons, so it is often a little longer.
    let mut text = Vec::with_capacity(bytes.len() + bytes.len() / 8);
    for line in lines(bytes) {
        tally.add(&line);
        text.extend(line.standard_form());
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
    /// form, and every repair is a diagnostic, [`RecordProblem::Repaired`]. A line in doubt as a whole is
    /// read as by [`Suite::parse`], if possible.
    pub fn parse_repaired(name: &str, bytes: &[u8]) -> Self {
        let mut suite = Suite::parse(name, b"");
        for CheckedLine {
            number,
            bytes,
            line,
            findings,
        } in lines(bytes)
        {
            let repaired = match line {
                RepairLine::Record(None) => {
                    // A suite that is run must not lose a line that the plain reader takes.
                    let tolerant = Suite::parse(name, bytes);
                    // If the line is readable all the same, none of its diagnostics is an error.
                    if let Some(entry) = tolerant.entries.into_iter().next() {
                        let diagnostics = tolerant.diagnostics.into_iter();
                        let moved = diagnostics.map(|one| Diagnostic {
                            line: number,
                            ..one
                        });
                        suite.diagnostics.extend(moved);
                        suite.entries.push(SuiteEntry {
                            line: number,
                            ..entry
                        });
                        continue;
                    }
                    None
                }
                RepairLine::Record(record) => record,
                RepairLine::Blank | RepairLine::Comment(_) => None,
            };
            let findings = findings.into_iter().map(Finding::into_diagnostic);
            suite.diagnostics.extend(findings);
            let entry = repaired.map(|record| SuiteEntry {
                line: number,
                record,
            });
            suite.entries.extend(entry);
        }
        suite
    }
}

/// A line of a file, and what is found in it.
pub(crate) struct CheckedLine<'a> {
    /// Its number, from 1.
    pub(crate) number: usize,
    /// The raw bytes, without line feed.
    pub(crate) bytes: &'a [u8],
    pub(super) line: RepairLine,
    pub(crate) findings: Vec<Finding>,
}

impl CheckedLine<'_> {
    /// The record, if there is one in the standard form.
    #[cfg(feature = "cli")]
    pub(crate) fn record(&self) -> Option<&Record> {
        match &self.line {
            RepairLine::Record(record) => record.as_ref(),
            RepairLine::Blank | RepairLine::Comment(_) => None,
        }
    }

    /// The line as `normalise` writes it, without line feed.
    pub(crate) fn standard_form(&self) -> &[u8] {
        match &self.line {
            RepairLine::Blank => b"",
            RepairLine::Comment(comment) => comment.as_bytes(),
            RepairLine::Record(Some(record)) => record.text().as_bytes(),
            RepairLine::Record(None) => self.bytes,
        }
    }
}

/// Reads a line, given without its line feed. Problems of the file rather than of a line are among the
/// findings of every line, see [`OncePerFile`].
pub(crate) fn check_line(bytes: &[u8], number: usize) -> CheckedLine<'_> {
    let (line, findings) = read_line(bytes, number);
    CheckedLine {
        number,
        bytes,
        line,
        findings,
    }
}

/// Problems of a file rather than of a line are reported once, at the first line concerned.
#[derive(Default)]
pub(crate) struct OncePerFile {
    reported: HashSet<String>,
}

impl OncePerFile {
    /// Drops what was reported for an earlier line.
    pub(crate) fn retain_new(&mut self, findings: &mut Vec<Finding>) {
        findings.retain(|finding| match &finding.diagnostic.problem {
            // Both are habits of a whole file, and would be noted at every line of it.
            problem @ (RecordProblem::CarriageReturn | RecordProblem::UnknownOpcode { .. }) => {
                self.reported.insert(problem.to_string())
            }
            _ => true,
        });
    }
}

/// Reads the lines of a file.
fn lines(bytes: &[u8]) -> impl Iterator<Item = CheckedLine<'_>> {
    // The last line feed ends a line; it does not begin an empty one.
    let content = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    // `split` yields one empty line for an empty file, which has none.
    let count = if bytes.is_empty() { 0 } else { usize::MAX };
    let mut once = OncePerFile::default();
    let lines = content.split(|&byte| byte == b'\n').take(count);
    lines.zip(1..).map(move |(bytes, number)| {
        let mut line = check_line(bytes, number);
        once.retain_new(&mut line.findings);
        line
    })
}

/// The operations that one position can have only one of: the opcode, and the operands without quotes.
pub(crate) type Solutions = Vec<(String, Vec<String>)>;

/// The solutions and perft counts of a record.
pub(crate) fn solutions(record: &Record) -> Solutions {
    let is_solution = |operation: &&Operation| {
        // Two records of a position may differ in names, comments and analyses, but not in these.
        matches!(operation.opcode(), "bm" | "am" | "dm") || operation.perft_count().is_some()
    };
    let solutions = record.operations().iter().filter(is_solution);
    let solution = |operation: &Operation| {
        let operands = operation.operands().iter().map(Operand::as_str);
        (
            operation.opcode().to_owned(),
            operands.map(str::to_owned).collect(),
        )
    };
    solutions.map(solution).collect()
}

#[derive(Default)]
struct Duplicates {
    /// The line of each position, and its solutions.
    first: HashMap<PositionKey, (usize, Solutions)>,
}

impl Duplicates {
    /// Adds a record; reports where its position occurred before.
    fn add(&mut self, line: usize, record: &Record) -> Option<Finding> {
        let (key, here) = (position_key(record.position()), solutions(record));
        let Some((first, there)) = self.first.get(&key) else {
            self.first.insert(key, (line, here));
            return None;
        };
        Some(compare_solutions(*first, there, line, &here))
    }
}

/// What is to be said of a record whose position is that of an earlier line: it is a duplicate, or
/// contradicts the first in a solution or a perft count.
pub(crate) fn compare_solutions(
    first: usize,
    there: &Solutions,
    line: usize,
    here: &Solutions,
) -> Finding {
    // The order of moves is irrelevant.
    let sorted = |operands: &[String]| {
        let mut operands = operands.to_vec();
        operands.sort_unstable();
        operands
    };
    let conflict = here.iter().find_map(|(opcode, here)| {
        let (_, there) = there.iter().find(|(known, _)| known == opcode)?;
        (sorted(here) != sorted(there)).then(|| RecordProblem::Conflict {
            first,
            opcode: opcode.clone(),
            there: there.join(" "),
            here: here.join(" "),
        })
    });
    let problem = conflict.unwrap_or(RecordProblem::Duplicate { first });
    Finding {
        diagnostic: Diagnostic::new(line, 1, problem),
        // Which of the two is right cannot be known.
        fix: None,
    }
}
