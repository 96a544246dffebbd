//! A whole file of records.

use crate::diagnostic::{Diagnostic, Problem};
use crate::read::{Lenient, column, read_line};
use crate::record::Record;
use crate::severity::Severity;

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
        let mut told_of_returns = false;
        for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
            suite.read_bytes(index + 1, line, &mut told_of_returns);
        }
        suite
            .diagnostics
            .sort_by_key(|diagnostic| (diagnostic.line, diagnostic.column));
        suite
    }

    /// Whether any line could not be read.
    pub fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|diagnostic| diagnostic.severity() == Severity::Error)
    }

    fn report(&mut self, line: usize, column: usize, problem: Problem) {
        self.diagnostics.push(Diagnostic {
            line,
            column,
            problem,
        });
    }

    fn read_bytes(&mut self, line: usize, bytes: &[u8], told_of_returns: &mut bool) {
        let content = self.strip_line_end(line, bytes, told_of_returns);
        if matches!(content.trim_ascii_start().first(), None | Some(b'#')) {
            return;
        }
        match std::str::from_utf8(content) {
            Ok(text) => self.read_text(line, text),
            Err(error) => {
                let offset = error.valid_up_to();
                let column = column(&String::from_utf8_lossy(content), offset);
                self.report(
                    line,
                    column,
                    Problem::NotUtf8 {
                        found: content[offset],
                    },
                );
            }
        }
    }

    /// Strips carriage returns and zero bytes from the end, and reports them, the former once.
    fn strip_line_end<'a>(
        &mut self,
        line: usize,
        bytes: &'a [u8],
        told_of_returns: &mut bool,
    ) -> &'a [u8] {
        let is_end = |&byte: &u8| matches!(byte, b'\r' | b'\0');
        let length = bytes
            .iter()
            .rposition(|byte| !is_end(byte))
            .map_or(0, |last| last + 1);
        let (content, end) = bytes.split_at(length);
        let column_of = |byte| {
            let within = end.iter().position(|&found| found == byte)?;
            Some(String::from_utf8_lossy(content).chars().count() + within + 1)
        };
        if let Some(column) = column_of(b'\0') {
            self.report(line, column, Problem::Nul);
        }
        if let Some(column) = column_of(b'\r')
            && !std::mem::replace(told_of_returns, true)
        {
            self.report(line, column, Problem::CarriageReturn);
        }
        content
    }

    fn read_text(&mut self, line: usize, text: &str) {
        match read_line(text, line) {
            Ok(Lenient { record, tolerated }) => {
                self.diagnostics.extend(tolerated);
                self.entries.push(Entry { line, record });
            }
            Err(error) => self.diagnostics.extend(error.diagnostics),
        }
    }
}
