//! A whole file of records, at once or one by one.

use std::io::{self, BufRead};

use super::diagnostic::{Diagnostic, RecordProblem, Severity};
use super::read::{LenientRecord, read_line};
use super::record::Record;

pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A record and its line number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteEntry {
    /// The line, from 1.
    pub line: usize,
    /// The record.
    pub record: Record,
}

impl SuiteEntry {
    /// Calls [`Record::check_operands`] with the line of this entry.
    pub fn check_operands(&self) -> Vec<Diagnostic> {
        self.record.check_operands(self.line)
    }
}

/// A file of EPD records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    /// The name of the file, for messages.
    pub name: String,
    /// The readable records, by line.
    pub entries: Vec<SuiteEntry>,
    /// All problems, by line and column.
    pub diagnostics: Vec<Diagnostic>,
}

impl Suite {
    /// Reads a file leniently, as [`Record::parse_lenient`] does. In addition, a byte order mark,
    /// carriage returns at line ends and zero bytes before them are tolerated with a diagnostic.
    /// Empty lines and comments, which begin with `#`, are skipped.
    ///
    /// An unreadable line gives diagnostics and no entry; the other lines are still read. Callers
    /// that run a suite must check [`Suite::has_errors`], or positions go missing unnoticed.
    pub fn parse(name: &str, bytes: &[u8]) -> Self {
        let mut diagnostics = Vec::new();
        let reader = SuiteReader::new(bytes, |diagnostic| diagnostics.push(diagnostic));
        let entries = reader.collect::<io::Result<_>>();
        Self {
            name: name.to_owned(),
            entries: entries.expect("memory can be read"),
            diagnostics,
        }
    }

    /// Whether any line could not be read.
    pub fn has_errors(&self) -> bool {
        let mut severities = self.diagnostics.iter().map(Diagnostic::severity);
        severities.any(|severity| severity == Severity::Error)
    }
}

/// Reads the records of a file one by one, as [`Suite::parse`] does: a file of any size takes the
/// memory of its longest line. Each problem is handed to a function as soon as it is found, by line and
/// column; a line with an error gives no entry.
///
/// ```
/// let text: &[u8] = b"4k3/8/8/8/8/8/8/4K2R w K - D1 15;\nnot a record\n";
/// let mut bad_lines = Vec::new();
/// let reader = epd::SuiteReader::new(text, |problem| bad_lines.push(problem.line));
/// for entry in reader {
///     assert_eq!(entry?.record.perft_counts(), [(1, 15)]);
/// }
/// assert_eq!(bad_lines[0], 2);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct SuiteReader<R, F> {
    input: R,
    report: F,
    /// The line read last, from 1, and its bytes.
    line: usize,
    bytes: Vec<u8>,
    /// Whether a carriage return was reported.
    has_returns: bool,
    /// The problems of one line.
    diagnostics: Vec<Diagnostic>,
}

impl<R: BufRead, F: FnMut(Diagnostic)> Iterator for SuiteReader<R, F> {
    type Item = io::Result<SuiteEntry>;

    /// The next readable record, or an error of the input.
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.bytes.clear();
            match self.input.read_until(b'\n', &mut self.bytes) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) => return Some(Err(error)),
            }
            self.line += 1;
            let line = self.line;
            let bytes = self.bytes.strip_suffix(b"\n").unwrap_or(&self.bytes);
            let record = read_bytes(line, bytes, &mut self.has_returns, &mut self.diagnostics);
            self.diagnostics.drain(..).for_each(&mut self.report);
            if let Some(record) = record {
                return Some(Ok(SuiteEntry { line, record }));
            }
        }
    }
}

impl<R: BufRead, F: FnMut(Diagnostic)> SuiteReader<R, F> {
    /// A reader at the start of a file; `report` gets the problems.
    pub fn new(input: R, report: F) -> Self {
        Self {
            input,
            report,
            line: 0,
            bytes: Vec::new(),
            has_returns: false,
            diagnostics: Vec::new(),
        }
    }
}

/// Reads a line, given without its line feed; `None` if it is no record. Its problems are added by
/// column; `has_returns` is whether a carriage return was reported before.
pub(crate) fn read_bytes(
    line: usize,
    mut bytes: &[u8],
    has_returns: &mut bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Record> {
    let before = diagnostics.len();
    if line == 1
        && let Some(text) = bytes.strip_prefix(BYTE_ORDER_MARK)
    {
        diagnostics.push(Diagnostic::new(1, 1, RecordProblem::ByteOrderMark));
        bytes = text;
    }
    let (content, end) = split_line_end(bytes);
    let mut report_end = |byte: u8, problem| {
        if let Some(within) = end.iter().position(|&found| found == byte) {
            // The line need not be UTF-8, and columns are counted in characters.
            let column = String::from_utf8_lossy(content).chars().count() + within + 1;
            diagnostics.push(Diagnostic::new(line, column, problem));
        }
    };
    // The two kinds are reported one after the other, and sorted by column below.
    report_end(b'\0', RecordProblem::Nul);
    if end.contains(&b'\r') && !std::mem::replace(has_returns, true) {
        report_end(b'\r', RecordProblem::CarriageReturn);
    }
    if matches!(content.trim_ascii_start().first(), None | Some(b'#')) {
        sort(&mut diagnostics[before..]);
        return None;
    }
    let read = match std::str::from_utf8(content) {
        Ok(text) => read_line(text, line).map_err(|error| error.diagnostics),
        Err(error) => Err(vec![not_utf8(line, content, error.valid_up_to())]),
    };
    let record = match read {
        Ok(LenientRecord { record, tolerated }) => {
            diagnostics.extend(tolerated);
            Some(record)
        }
        Err(faults) => {
            diagnostics.extend(faults);
            None
        }
    };
    sort(&mut diagnostics[before..]);
    record
}

fn sort(diagnostics: &mut [Diagnostic]) {
    // Stable, so that in one column the worst stays first.
    diagnostics.sort_by_key(|one| one.column);
}

/// A line without carriage returns and zero bytes at its end, and those.
pub(crate) fn split_line_end(bytes: &[u8]) -> (&[u8], &[u8]) {
    let is_content = |byte: &u8| !matches!(byte, b'\r' | b'\0');
    let last = bytes.iter().rposition(is_content);
    bytes.split_at(last.map_or(0, |last| last + 1))
}

/// The diagnostic of the byte at this offset; the text before it is UTF-8.
pub(crate) fn not_utf8(line: usize, bytes: &[u8], offset: usize) -> Diagnostic {
    let column = String::from_utf8_lossy(&bytes[..offset]).chars().count() + 1;
    let found = bytes[offset];
    Diagnostic::new(line, column, RecordProblem::NotUtf8 { found })
}
