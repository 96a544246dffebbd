//! A whole file of records.

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
        let mut suite = Self {
            name: name.to_owned(),
            entries: Vec::new(),
            diagnostics: Vec::new(),
        };
        let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        if text.len() < bytes.len() {
            suite.report(1, 1, Problem::ByteOrderMark);
        }
        let mut has_returns = false;
        for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
            suite.read_line(index + 1, line, &mut has_returns);
        }
        suite.diagnostics.sort_by_key(|one| (one.line, one.column));
        suite
    }

    /// Whether any line could not be read.
    pub fn has_errors(&self) -> bool {
        let mut severities = self.diagnostics.iter().map(Diagnostic::severity);
        severities.any(|severity| severity == Severity::Error)
    }

    fn report(&mut self, line: usize, column: usize, problem: Problem) {
        let diagnostic = Diagnostic::new(line, column, problem);
        self.diagnostics.push(diagnostic);
    }

    fn read_line(&mut self, line: usize, bytes: &[u8], has_returns: &mut bool) {
        let (content, end) = split_line_end(bytes);
        let column_of = |byte| {
            let within = end.iter().position(|&found| found == byte)?;
            Some(String::from_utf8_lossy(content).chars().count() + within + 1)
        };
        if let Some(column) = column_of(b'\0') {
            self.report(line, column, Problem::Nul);
        }
        if let Some(column) = column_of(b'\r')
            && !std::mem::replace(has_returns, true)
        {
            self.report(line, column, Problem::CarriageReturn);
        }
        if matches!(content.trim_ascii_start().first(), None | Some(b'#')) {
            return;
        }
        match std::str::from_utf8(content) {
            Ok(text) => match read_line(text, line) {
                Ok(Lenient { record, tolerated }) => {
                    self.diagnostics.extend(tolerated);
                    self.entries.push(Entry { line, record });
                }
                Err(error) => self.diagnostics.extend(error.diagnostics),
            },
            Err(error) => {
                let diagnostic = not_utf8(line, content, error.valid_up_to());
                self.diagnostics.push(diagnostic);
            }
        }
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
