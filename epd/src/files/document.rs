//! A file of records in memory, comments included.

use crate::text::{
    BYTE_ORDER_MARK, Diagnostic, Record, Severity, Suite, SuiteEntry, not_utf8, split_line_end,
};

/// A record and the comments above it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentItem {
    /// Index of the file it was read from; its meaning is up to the caller.
    pub(crate) file: usize,
    /// The line, from 1.
    pub(crate) line: usize,
    /// The comments and empty lines between it and the previous record, without line ends.
    pub(crate) above: Vec<String>,
    pub(crate) record: Record,
}

/// A file of EPD records, with the comments that [`Suite`] skips.
///
/// ```
/// use epd::Document;
///
/// let text = "# Head.\n4k3/8/8/8/8/8/8/4K3 w - - id \"a\";\n# Tail.\n";
/// let document = Document::parse(0, "kings.epd", text.as_bytes());
/// assert_eq!(document.to_string(), text);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The comments and empty lines above the first record: the description of the file.
    pub(crate) head: Vec<String>,
    /// The records.
    pub items: Vec<DocumentItem>,
    /// The comments and empty lines after the last record.
    pub(crate) tail: Vec<String>,
    /// The errors for which lines were rejected; such lines are in no other field.
    pub(crate) errors: Vec<Diagnostic>,
    /// What is unusual in the records.
    pub(crate) warnings: Vec<Diagnostic>,
}

impl Document {
    /// Reads a file as leniently as [`Suite::parse`]. Comments must be UTF-8, as records must.
    pub fn parse(file: usize, name: &str, bytes: &[u8]) -> Self {
        let suite = Suite::parse(name, bytes);
        let mut document = Self::default();
        let mut comments = document.read_comments(bytes).into_iter().peekable();
        let mut before = |line: usize| {
            let mut before = Vec::new();
            while let Some((_, text)) = comments.next_if(|(at, _)| *at < line) {
                before.push(text);
            }
            before
        };
        for SuiteEntry { line, record } in suite.entries {
            let mut above = before(line);
            if document.items.is_empty() {
                document.head = std::mem::take(&mut above);
            }
            document.items.push(DocumentItem {
                file,
                line,
                above,
                record,
            });
        }
        document.tail = before(usize::MAX);
        if document.items.is_empty() {
            document.head = std::mem::take(&mut document.tail);
        }
        for one in suite.diagnostics {
            match one.severity() {
                Severity::Error => document.errors.push(one),
                Severity::Warning => document.warnings.push(one),
                Severity::Note => {}
            }
        }
        document
            .errors
            .sort_by_key(|error| (error.line, error.column));
        document
    }

    /// The lines that are not records, with their numbers; those that are not UTF-8 are errors.
    fn read_comments(&mut self, bytes: &[u8]) -> Vec<(usize, String)> {
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        // The last line end does not begin another line.
        let content = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        // `split` makes one line of an empty file, which has none.
        let count = if bytes.is_empty() { 0 } else { usize::MAX };
        let mut comments = Vec::new();
        for (number, line) in (1..).zip(content.split(|&byte| byte == b'\n')).take(count) {
            let (text, _) = split_line_end(line);
            if !matches!(text.trim_ascii_start().first(), None | Some(b'#')) {
                continue;
            }
            match std::str::from_utf8(line) {
                Ok(text) => comments.push((number, text.trim_end().to_owned())),
                Err(error) => self
                    .errors
                    .push(not_utf8(number, line, error.valid_up_to())),
            }
        }
        comments
    }
}

/// Writes comments and records, each line ended by a line feed.
impl std::fmt::Display for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let comments = |f: &mut std::fmt::Formatter<'_>, lines: &[String]| {
            lines.iter().try_for_each(|line| writeln!(f, "{line}"))
        };
        comments(f, &self.head)?;
        for item in &self.items {
            comments(f, &item.above)?;
            writeln!(f, "{}", item.record)?;
        }
        comments(f, &self.tail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "# head\n\n4k3/8/8/8/8/8/8/4K3 w - - id \"a\";\n# on b\n\
                       4k3/8/8/8/8/8/8/3K4 w - - id \"b\";\n# tail\n";

    #[test]
    fn writes_what_it_read() {
        for text in [TWO, "", "# only a comment\n", "\n"] {
            let document = Document::parse(0, "x", text.as_bytes());
            assert_eq!(document.errors, [], "{text:?}");
            assert_eq!(document.to_string(), text);
        }
    }

    #[test]
    fn unreadable_lines_are_errors() {
        let text = b"# caf\xe9\n4k3/8/8/8/8/8/8/4K3 w - - D1 5;\n4k3/8 w - - D1 5;\n";
        let document = Document::parse(0, "x", text);
        let errors: Vec<String> = document.errors.iter().map(ToString::to_string).collect();
        assert_eq!(errors.len(), 2, "{errors:?}");
        assert_eq!(errors[0], "1:6: error: byte 0xe9 is not UTF-8");
        assert!(errors[1].starts_with("3:1: error: placement"), "{errors:?}");
        assert_eq!(document.items.len(), 1);
    }
}
