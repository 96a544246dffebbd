//! A file of records, comments included.

use crate::diagnostic::{Diagnostic, Problem};
use crate::record::Record;
use crate::severity::Severity;
use crate::suite::{BYTE_ORDER_MARK, Suite};

/// A record and the comments above it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Index of the file it was read from; its meaning is up to the caller.
    pub file: usize,
    /// The line, from 1.
    pub line: usize,
    /// The comments and empty lines between it and the previous record, without line ends.
    pub above: Vec<String>,
    /// The record.
    pub record: Record,
}

/// A file of EPD records, with the comments that [`Suite`] skips.
///
/// ```
/// use epd::files::Document;
///
/// let text = "# Head.\n4k3/8/8/8/8/8/8/4K3 w - - id \"a\";\n# Tail.\n";
/// let document = Document::parse(0, "kings.epd", text.as_bytes());
/// assert_eq!(document.items.len(), 1);
/// assert_eq!(document.to_string(), text);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The comments and empty lines above the first record: the description of the file.
    pub head: Vec<String>,
    /// The records.
    pub items: Vec<Item>,
    /// The comments and empty lines after the last record.
    pub tail: Vec<String>,
    /// The errors for which lines were rejected; such lines are in no other field.
    pub errors: Vec<Diagnostic>,
}

impl Document {
    /// Reads a file as leniently as [`Suite::parse`]. Comments must be UTF-8, as records must.
    pub fn parse(file: usize, name: &str, bytes: &[u8]) -> Self {
        let suite = Suite::parse(name, bytes);
        let mut document = Self::default();
        let mut comments = Comments::read(bytes, &mut document.errors);
        for entry in suite.entries {
            let above = comments.before(entry.line);
            let above = if document.items.is_empty() {
                document.head = above;
                Vec::new()
            } else {
                above
            };
            document.items.push(Item {
                file,
                line: entry.line,
                above,
                record: entry.record,
            });
        }
        document.tail = comments.before(usize::MAX);
        if document.items.is_empty() {
            document.head = std::mem::take(&mut document.tail);
        }
        let is_error = |diagnostic: &Diagnostic| diagnostic.severity() == Severity::Error;
        document
            .errors
            .extend(suite.diagnostics.into_iter().filter(is_error));
        document
            .errors
            .sort_by_key(|error| (error.line, error.column));
        document
    }

    /// Keeps the records that `is_wanted` selects. Comments above a dropped record move to the next
    /// one that is kept: they may apply to more than one.
    pub fn retain(&mut self, mut is_wanted: impl FnMut(&Item) -> bool) {
        let mut waiting = Vec::new();
        let mut kept = Vec::with_capacity(self.items.len());
        for mut item in std::mem::take(&mut self.items) {
            let is_wanted = is_wanted(&item);
            waiting.append(&mut item.above);
            if is_wanted {
                item.above = std::mem::take(&mut waiting);
                kept.push(item);
            }
        }
        waiting.append(&mut self.tail);
        self.tail = waiting;
        self.items = kept;
    }
}

/// Writes comments and records, each line ended by a line feed.
impl std::fmt::Display for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for line in &self.head {
            writeln!(f, "{line}")?;
        }
        for item in &self.items {
            for line in &item.above {
                writeln!(f, "{line}")?;
            }
            writeln!(f, "{}", item.record)?;
        }
        for line in &self.tail {
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

/// The lines that are not records, with their numbers.
struct Comments(std::iter::Peekable<std::vec::IntoIter<(usize, String)>>);

impl Comments {
    fn read(bytes: &[u8], errors: &mut Vec<Diagnostic>) -> Self {
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        let mut comments = Vec::new();
        if bytes.is_empty() {
            return Self(comments.into_iter().peekable());
        }
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
            if !matches!(trimmed(line).first(), None | Some(b'#')) {
                continue;
            }
            match std::str::from_utf8(line) {
                Ok(text) => comments.push((index + 1, text.trim_end().to_owned())),
                Err(error) => errors.push(not_utf8(index + 1, line, error.valid_up_to())),
            }
        }
        Self(comments.into_iter().peekable())
    }

    fn before(&mut self, line: usize) -> Vec<String> {
        let mut before = Vec::new();
        while let Some((_, text)) = self.0.next_if(|(at, _)| *at < line) {
            before.push(text);
        }
        before
    }
}

/// A line, trimmed as [`Suite`] does to recognise a comment.
fn trimmed(line: &[u8]) -> &[u8] {
    let is_end = |byte: &u8| matches!(byte, b'\r' | b'\0');
    let length = line.iter().rposition(|byte| !is_end(byte));
    line[..length.map_or(0, |last| last + 1)].trim_ascii_start()
}

fn not_utf8(line: usize, bytes: &[u8], offset: usize) -> Diagnostic {
    Diagnostic {
        line,
        column: String::from_utf8_lossy(&bytes[..offset]).chars().count() + 1,
        problem: Problem::NotUtf8 {
            found: bytes[offset],
        },
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
    fn comments_outlive_their_record() {
        let mut document = Document::parse(0, "x", TWO.as_bytes());
        document.retain(|item| item.record.id() == Some("a"));
        assert_eq!(
            document.to_string(),
            "# head\n\n4k3/8/8/8/8/8/8/4K3 w - - id \"a\";\n# on b\n# tail\n"
        );
    }

    #[test]
    fn says_which_lines_are_no_records() {
        let text = b"# caf\xe9\n4k3/8/8/8/8/8/8/4K3 w - - D1 5;\n4k3/8 w - - D1 5;\n";
        let document = Document::parse(0, "x", text);
        let errors: Vec<String> = document.errors.iter().map(ToString::to_string).collect();
        assert_eq!(errors.len(), 2, "{errors:?}");
        assert_eq!(errors[0], "1:6: error: byte 0xe9 is not UTF-8");
        assert!(
            errors[1].starts_with("3:1: error: placement"),
            "{}",
            errors[1]
        );
        assert_eq!(document.items.len(), 1);
    }
}
