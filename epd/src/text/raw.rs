//! The lines of a file as they are, lent one by one: nothing is checked, copied or allocated.

use std::io::{self, BufRead};

use super::diagnostic::Diagnostic;
use super::read::{LenientRecord, ParseRecordError};
use super::record::Record;
use super::scan::{Cutter, EpdToken, EpdTokenKind, is_field};
use super::suite::{BYTE_ORDER_MARK, not_utf8, split_line_end};

/// Reads the lines of a file and lends their parts: a file of any size takes the memory of its longest
/// line. It does not check chess; [`RawRecord::parse`] does, for the records that matter.
///
/// ```
/// use epd::{RawContent, RawReader};
///
/// let text: &[u8] = b"# Endings.\n4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+ O-O; id \"rook\";\n";
/// let mut reader = RawReader::new(text);
/// let mut moves = 0;
/// while let Some(line) = reader.next()? {
///     if let RawContent::Record(record) = line.content {
///         assert_eq!(record.position(), "4k3/8/8/8/8/8/8/4K2R w K -");
///         let best = record.operations().find(|operation| operation.opcode() == "bm");
///         moves += best.map_or(0, |best| best.operands().count());
///     }
/// }
/// assert_eq!(moves, 2);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct RawReader<R> {
    input: R,
    line: usize,
    bytes: Vec<u8>,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawLine<'a> {
    /// Its number, from 1.
    pub number: usize,
    /// What is in it.
    pub content: RawContent<'a>,
}

/// What is in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RawContent<'a> {
    /// Nothing, or white space only.
    Blank,
    /// A comment, from its `#` on.
    Comment(&'a str),
    /// Anything else.
    Record(RawRecord<'a>),
    /// The line is not UTF-8.
    NotUtf8(Diagnostic),
}

impl<R: BufRead> RawReader<R> {
    /// A reader at the start of a file.
    pub fn new(input: R) -> Self {
        let (line, bytes) = (0, Vec::new());
        Self { input, line, bytes }
    }

    /// The next line, which is lent until the one after it is read; `None` at the end.
    ///
    /// # Errors
    ///
    /// When the input cannot be read.
    #[expect(clippy::should_implement_trait, reason = "an iterator cannot lend")]
    pub fn next(&mut self) -> io::Result<Option<RawLine<'_>>> {
        // The buffer is kept from line to line, so that no line allocates once it is long enough.
        self.bytes.clear();
        if self.input.read_until(b'\n', &mut self.bytes)? == 0 {
            return Ok(None);
        }
        self.line += 1;
        let number = self.line;
        let mut bytes = self.bytes.strip_suffix(b"\n").unwrap_or(&self.bytes);
        // Only the first line of a file can begin with a byte order mark.
        if number == 1 {
            bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        }
        let (bytes, _) = split_line_end(bytes);
        let content = match std::str::from_utf8(bytes).map(str::trim_ascii) {
            Ok("") => RawContent::Blank,
            Ok(text) if text.starts_with('#') => RawContent::Comment(text),
            Ok(text) => RawContent::Record(RawRecord::new(text)),
            Err(error) => RawContent::NotUtf8(not_utf8(number, bytes, error.valid_up_to())),
        };
        Ok(Some(RawLine { number, content }))
    }
}

/// A record as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawRecord<'a> {
    text: &'a str,
    /// Byte offset of the end of the last field of the position.
    fields_end: usize,
    /// Byte offset at which the first operation may begin; the end if they cannot be distinguished, since a
    /// string has no end.
    operations: usize,
}

impl<'a> RawRecord<'a> {
    /// Splits a line, given without its end.
    pub fn new(text: &'a str) -> Self {
        let mut tokens = Cutter::of_line(text);
        let words = tokens.by_ref();
        let (mut index, mut fields_end) = (0, 0);
        let after = loop {
            match words.next() {
                Some(token) if token.kind == EpdTokenKind::Blanks => {}
                Some(token) if is_field(index, &token) => {
                    index += 1;
                    fields_end = end_of(&token);
                }
                after => break after,
            }
        };
        let mut operations = after.map_or(text.len(), |token| token.offset);
        let mut others = words.filter(|token| token.kind != EpdTokenKind::Blanks);
        let is_semicolon = |token: EpdToken<'_>| token.kind == EpdTokenKind::Semicolon;
        if after.is_some_and(is_semicolon) && others.next().is_some() {
            // The dialect `;D1 20 ;D2 400`.
            operations += 1;
        }
        // An unterminated string shows only at the end of the line.
        while others.next().is_some() {}
        if tokens.open.is_some() {
            // Where one operation ends and the next begins is unknown then.
            operations = text.len();
        }
        Self {
            text,
            fields_end,
            operations,
        }
    }

    /// The line, without white space around it.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The fields of the position as written, four to six if the line is well formed.
    pub fn position(&self) -> &'a str {
        self.text[..self.fields_end].trim_ascii_start()
    }

    /// The fields one by one.
    pub fn fields(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.position()
            .split([' ', '\t'])
            .filter(|field| !field.is_empty())
    }

    /// The operations, in the order written.
    pub fn operations(&self) -> impl Iterator<Item = RawOperation<'a>> + use<'a> {
        let text = self.text;
        let mut tokens = Cutter::of_line(text).from(self.operations);
        std::iter::from_fn(move || {
            let is_part = |token: &EpdToken<'_>| {
                matches!(token.kind, EpdTokenKind::Word | EpdTokenKind::Text)
            };
            let first = tokens.find(is_part)?;
            let mut tokens_of_it = tokens.clone().from(first.offset);
            let mut end = end_of(&first);
            for token in tokens.by_ref() {
                match token.kind {
                    EpdTokenKind::Semicolon => break,
                    EpdTokenKind::Blanks => {}
                    EpdTokenKind::Word | EpdTokenKind::Text => end = end_of(&token),
                }
            }
            let text = &text[first.offset..end];
            tokens_of_it.next();
            Some(RawOperation {
                text,
                opcode: first.text,
                operands: tokens_of_it,
                end,
            })
        })
    }

    /// Reads the record and checks it, as [`Record::parse_lenient`] does.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn parse(&self) -> Result<LenientRecord, ParseRecordError> {
        Record::parse_lenient(self.text)
    }
}

/// Byte offset of the end of a token.
fn end_of(token: &EpdToken<'_>) -> usize {
    // The text of a string is without its two quotes, but its place in the line has them.
    let quotes = if token.kind == EpdTokenKind::Text {
        2
    } else {
        0
    };
    token.offset + token.text.len() + quotes
}

/// An operation as it is.
#[derive(Clone, Debug)]
pub struct RawOperation<'a> {
    text: &'a str,
    opcode: &'a str,
    operands: Cutter<'a>,
    /// Byte offset of its end in the line.
    end: usize,
}

impl<'a> RawOperation<'a> {
    /// The opcode and its operands as written, without the semicolon.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The opcode, or the first word of text that is no operation.
    pub fn opcode(&self) -> &'a str {
        self.opcode
    }

    /// The operands, in the order written.
    pub fn operands(&self) -> impl Iterator<Item = RawOperand<'a>> + use<'a> {
        let end = self.end;
        let tokens = self.operands.clone();
        // The cutter runs to the end of the line, past the semicolon of this operation.
        let tokens = tokens.take_while(move |token| token.offset < end);
        tokens.filter_map(|token| match token.kind {
            EpdTokenKind::Word => Some(RawOperand::Word(token.text)),
            EpdTokenKind::Text => Some(RawOperand::Text(token.text)),
            EpdTokenKind::Blanks | EpdTokenKind::Semicolon => None,
        })
    }
}

/// An operand as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawOperand<'a> {
    /// A word.
    Word(&'a str),
    /// A string, without its quotes; a quote within it is written `\"`.
    Text(&'a str),
}

impl<'a> RawOperand<'a> {
    /// The text, without quotes around it.
    pub fn as_str(&self) -> &'a str {
        match self {
            Self::Word(text) | Self::Text(text) => text,
        }
    }
}

/// What is done with each part of a file. All methods do nothing unless they are written.
pub trait FileVisitor {
    /// An empty line.
    fn blank(&mut self, line: usize) {
        let _ = line;
    }

    /// A comment, from its `#` on.
    fn comment(&mut self, line: usize, text: &str) {
        let _ = (line, text);
    }

    /// A record, before its parts.
    fn record(&mut self, line: usize, record: &RawRecord<'_>) {
        let _ = (line, record);
    }

    /// The fields of the position of a record.
    fn position(&mut self, line: usize, fields: &str) {
        let _ = (line, fields);
    }

    /// An operation of a record.
    fn operation(&mut self, line: usize, operation: &RawOperation<'_>) {
        let _ = (line, operation);
    }

    /// A line that is not UTF-8.
    fn fault(&mut self, fault: Diagnostic) {
        let _ = fault;
    }
}

/// Reads a file and hands its parts to a visitor, without an allocation per line.
///
/// ```
/// use epd::{RawOperation, FileVisitor};
///
/// /// Counts opcodes.
/// #[derive(Default)]
/// struct Ids(usize);
///
/// impl FileVisitor for Ids {
///     fn operation(&mut self, _line: usize, operation: &RawOperation<'_>) {
///         self.0 += usize::from(operation.opcode() == "id");
///     }
/// }
///
/// let text: &[u8] = b"4k3/8/8/8/8/8/8/4K2R w K - id \"one\";\n4k3/8/8/8/8/8/8/3K4 w - -\n";
/// let mut ids = Ids::default();
/// epd::visit(text, &mut ids)?;
/// assert_eq!(ids.0, 1);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// When the input cannot be read.
pub fn visit(input: impl BufRead, visitor: &mut impl FileVisitor) -> io::Result<()> {
    let mut reader = RawReader::new(input);
    while let Some(RawLine { number, content }) = reader.next()? {
        match content {
            RawContent::Blank => visitor.blank(number),
            RawContent::Comment(text) => visitor.comment(number, text),
            RawContent::NotUtf8(fault) => visitor.fault(fault),
            RawContent::Record(record) => {
                visitor.record(number, &record);
                visitor.position(number, record.position());
                for operation in record.operations() {
                    visitor.operation(number, &operation);
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::{ALL, TACTICS};
    use crate::text::scan::scan;

    /// The parts of a line are those that the checked reader splits it into.
    fn check(line: &str) {
        let raw = RawRecord::new(line);
        let scan = scan(line);
        let fields: Vec<&str> = scan.fields.iter().map(|field| field.text).collect();
        assert_eq!(raw.fields().collect::<Vec<_>>(), fields, "{line}");
        let found: Vec<Vec<&str>> = raw
            .operations()
            .map(|operation| {
                let operands = operation.operands();
                let operands: Vec<&str> = operands.map(|operand| operand.as_str()).collect();
                [&[operation.opcode()][..], &operands].concat()
            })
            .collect();
        let operations = scan.operations.iter();
        let expected: Vec<Vec<&str>> = operations
            .map(|tokens| tokens.iter().map(|token| token.text).collect())
            .collect();
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn lines_are_split_as_the_checked_reader_splits_them() {
        let dirty = include_str!("../../tests/dirty/dirty.epd");
        let suites = ALL.iter().chain(&TACTICS).map(|suite| suite.text);
        for line in suites.chain([dirty]).flat_map(str::lines) {
            check(line);
        }
        let line =
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;id \"a; b\\\" c\" ; c0 \"x\"\"y\"z;; bm  Rh8+";
        for (at, _) in line.char_indices() {
            check(&line[..at]);
            for c in ['"', ';', ' ', '\\', '\t', 'é', '3'] {
                check(&format!("{}{c}{}", &line[..at], &line[at..]));
            }
        }
    }

    #[test]
    fn a_visitor_sees_every_part() {
        #[derive(Default)]
        struct Seen(Vec<String>);

        impl FileVisitor for Seen {
            fn blank(&mut self, line: usize) {
                self.0.push(format!("{line} blank"));
            }
            fn comment(&mut self, line: usize, text: &str) {
                self.0.push(format!("{line} {text}"));
            }
            fn record(&mut self, line: usize, record: &RawRecord<'_>) {
                let count = record.operations().count();
                self.0.push(format!("{line} record {count}"));
            }
            fn position(&mut self, line: usize, fields: &str) {
                self.0.push(format!("{line} position {fields}"));
            }
            fn operation(&mut self, line: usize, operation: &RawOperation<'_>) {
                let text = operation.text();
                self.0.push(format!("{line} operation {text}"));
            }
            fn fault(&mut self, fault: Diagnostic) {
                self.0.push(fault.to_string());
            }
        }

        let text =
            b"\xef\xbb\xbf# head\r\n\n4k3/8/8/8/8/8/8/4K2R w K -  bm Rh8+ ; id \"a\";\r\ncaf\xe9\n";
        let mut seen = Seen::default();
        visit(&text[..], &mut seen).unwrap();
        let expected = [
            "1 # head",
            "2 blank",
            "3 record 2",
            "3 position 4k3/8/8/8/8/8/8/4K2R w K -",
            "3 operation bm Rh8+",
            "3 operation id \"a\"",
            "4:4: error: byte 0xe9 is not UTF-8",
        ];
        assert_eq!(seen.0, expected);
    }
}
