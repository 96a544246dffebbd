//! A whole file of records, at once or one by one.

use std::io::{self, BufRead};

use super::diagnostic::{Diagnostic, Problem, Severity};
use super::read::{Lenient, read_line};
use super::record::Record;

pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A record and its line number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The line, from 1.
    pub line: usize,
    /// The record.
    pub record: Record,
}

impl Entry {
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
    pub entries: Vec<Entry>,
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
        let mut reader = SuiteReader::new(bytes);
        let entries = reader.by_ref().collect::<io::Result<_>>();
        Self {
            name: name.to_owned(),
            entries: entries.expect("memory can be read"),
            diagnostics: reader.into_diagnostics(),
        }
    }

    /// Whether any line could not be read.
    pub fn has_errors(&self) -> bool {
        let mut severities = self.diagnostics.iter().map(Diagnostic::severity);
        severities.any(|severity| severity == Severity::Error)
    }
}

/// Reads the records of a file one by one, as [`Suite::parse`] does: a file of any size takes the
/// memory of its longest line and of its diagnostics.
///
/// ```
/// let text: &[u8] = b"4k3/8/8/8/8/8/8/4K2R w K - D1 15;\nnot a record\n";
/// let mut reader = epd::SuiteReader::new(text);
/// for entry in &mut reader {
///     assert_eq!(entry?.record.perft_counts(), [(1, 15)]);
/// }
/// assert_eq!(reader.into_diagnostics()[0].line, 2);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct SuiteReader<R> {
    input: R,
    /// The line read last, from 1, and its bytes.
    line: usize,
    bytes: Vec<u8>,
    /// Whether a carriage return was reported.
    has_returns: bool,
    diagnostics: Vec<Diagnostic>,
}

impl<R: BufRead> Iterator for SuiteReader<R> {
    type Item = io::Result<Entry>;

    /// The next readable record, or an error of the input.
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let mut bytes = std::mem::take(&mut self.bytes);
            bytes.clear();
            match self.input.read_until(b'\n', &mut bytes) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) => return Some(Err(error)),
            }
            self.line += 1;
            let record = self.read_line(bytes.strip_suffix(b"\n").unwrap_or(&bytes));
            self.bytes = bytes;
            if let Some(record) = record {
                let line = self.line;
                return Some(Ok(Entry { line, record }));
            }
        }
    }
}

impl<R: BufRead> SuiteReader<R> {
    /// A reader at the start of a file.
    pub fn new(input: R) -> Self {
        Self {
            input,
            line: 0,
            bytes: Vec::new(),
            has_returns: false,
            diagnostics: Vec::new(),
        }
    }

    /// All problems of the lines read so far, by line and column.
    pub fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|one| (one.line, one.column));
        self.diagnostics
    }

    fn report(&mut self, column: usize, problem: Problem) {
        let diagnostic = Diagnostic::new(self.line, column, problem);
        self.diagnostics.push(diagnostic);
    }

    fn read_line(&mut self, mut bytes: &[u8]) -> Option<Record> {
        if self.line == 1
            && let Some(text) = bytes.strip_prefix(BYTE_ORDER_MARK)
        {
            self.report(1, Problem::ByteOrderMark);
            bytes = text;
        }
        let (content, end) = split_line_end(bytes);
        let column_of = |byte| {
            let within = end.iter().position(|&found| found == byte)?;
            Some(String::from_utf8_lossy(content).chars().count() + within + 1)
        };
        if let Some(column) = column_of(b'\0') {
            self.report(column, Problem::Nul);
        }
        if let Some(column) = column_of(b'\r')
            && !std::mem::replace(&mut self.has_returns, true)
        {
            self.report(column, Problem::CarriageReturn);
        }
        if matches!(content.trim_ascii_start().first(), None | Some(b'#')) {
            return None;
        }
        match std::str::from_utf8(content) {
            Ok(text) => match read_line(text, self.line) {
                Ok(Lenient { record, tolerated }) => {
                    self.diagnostics.extend(tolerated);
                    return Some(record);
                }
                Err(error) => self.diagnostics.extend(error.diagnostics),
            },
            Err(error) => {
                let diagnostic = not_utf8(self.line, content, error.valid_up_to());
                self.diagnostics.push(diagnostic);
            }
        }
        None
    }
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
    Diagnostic::new(line, column, Problem::NotUtf8 { found })
}
