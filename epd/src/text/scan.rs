//! Lexer: splits a line into words, strings, semicolons and white space.

use super::diagnostic::RecordProblem;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EpdTokenKind {
    /// Characters other than white space, quotes and semicolons.
    Word,
    /// A string; the token's text excludes the quotes.
    Text,
    Semicolon,
    /// Blanks and tabs.
    Blanks,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EpdToken<'a> {
    pub(super) kind: EpdTokenKind,
    /// Byte offset of its beginning; for a string, of the quote.
    pub(super) offset: usize,
    pub(super) text: &'a str,
}

/// An operation as written: opcode and operands.
pub(super) type ScannedOperation<'a> = Vec<EpdToken<'a>>;

pub(super) struct Scan<'a> {
    pub(super) fields: Vec<EpdToken<'a>>,
    /// The operations, none of them empty.
    pub(super) operations: Vec<ScannedOperation<'a>>,
    /// Byte offset of a semicolon before the first operation.
    pub(super) leading_semicolon: Option<usize>,
    pub(super) problems: Vec<(usize, RecordProblem)>,
}

/// Scans a line that has no line end.
pub(super) fn scan(line: &str) -> Scan<'_> {
    scan_after(line, field_count)
}

/// Scans a line whose position has `field_count` words, computed from its tokens without blanks.
pub(super) fn scan_after(line: &str, field_count: impl Fn(&[EpdToken<'_>]) -> usize) -> Scan<'_> {
    let mut problems = Vec::new();
    let tokens = tokenize(line, &mut problems);
    // At this point, the only possible problem is an unterminated string.
    let is_whole = problems.is_empty();
    check_spacing(&tokens, line.len(), &mut problems);
    let mut rest = tokens;
    rest.retain(|token| token.kind != EpdTokenKind::Blanks);
    let after_fields = rest.split_off(field_count(&rest));
    let leading_semicolon = leading_semicolon(&after_fields);
    // Without the closing quote the end of the operation is unknown.
    let operations = if is_whole {
        split_operations(&after_fields, line, &mut problems)
    } else {
        Vec::new()
    };
    Scan {
        fields: rest,
        operations,
        leading_semicolon,
        problems,
    }
}

/// The tokens of a line, up to the first unterminated string.
pub(super) fn tokens(line: &str) -> Vec<EpdToken<'_>> {
    tokenize(line, &mut Vec::new())
}

/// Byte offset of the unterminated string, if there is one.
pub(super) fn open_string(line: &str) -> Option<usize> {
    let mut problems = Vec::new();
    tokenize(line, &mut problems);
    problems.first().map(|&(offset, _)| offset)
}

/// Replaces `\"` by a quote.
pub(super) fn unescape(text: &str) -> String {
    text.replace("\\\"", "\"")
}

const fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

/// The standard has no escapes: a backslash before the closing quote is text. python-chess writes
/// `\"` for a quote inside a string. Unless a line has both, only one of the two readings
/// terminates every string; that one is used.
fn tokenize<'a>(line: &'a str, problems: &mut Vec<(usize, RecordProblem)>) -> Vec<EpdToken<'a>> {
    if line.contains("\\\"") {
        let mut with_escapes = Vec::new();
        let tokens = cut(line, Quotes::Escaped, &mut with_escapes);
        if with_escapes.is_empty() {
            return tokens;
        }
    }
    cut(line, Quotes::Standard, problems)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quotes {
    Standard,
    /// A quote without a backslash before it.
    Escaped,
}

impl Quotes {
    /// The length of a string, from after its opening quote.
    fn length(self, inner: &str) -> Option<usize> {
        let is_end = |at: usize| self == Self::Standard || !inner[..at].ends_with('\\');
        let mut quotes = inner.match_indices('"').map(|(at, _)| at);
        quotes.find(|&at| is_end(at))
    }
}

fn cut<'a>(
    line: &'a str,
    quotes: Quotes,
    problems: &mut Vec<(usize, RecordProblem)>,
) -> Vec<EpdToken<'a>> {
    let mut cutter = Cutter::new(line, quotes);
    let tokens = cutter.by_ref().collect();
    problems.extend(
        cutter
            .open
            .map(|offset| (offset, RecordProblem::UnterminatedString)),
    );
    tokens
}

/// Splits a line into tokens one by one.
#[derive(Clone, Debug)]
pub(super) struct Cutter<'a> {
    line: &'a str,
    quotes: Quotes,
    offset: usize,
    /// Byte offset of an unterminated string, at which the tokens end.
    pub(super) open: Option<usize>,
}

impl<'a> Cutter<'a> {
    fn new(line: &'a str, quotes: Quotes) -> Self {
        Self {
            line,
            quotes,
            offset: 0,
            open: None,
        }
    }

    /// The tokens of a line, its quotes understood as [`scan`] understands them.
    pub(super) fn of_line(line: &'a str) -> Self {
        let cutter = |quotes| Self::new(line, quotes);
        if line.contains("\\\"") {
            let mut with_escapes = cutter(Quotes::Escaped);
            if with_escapes.by_ref().count() > 0 && with_escapes.open.is_none() {
                return cutter(Quotes::Escaped);
            }
        }
        cutter(Quotes::Standard)
    }

    /// The tokens from this byte offset on.
    pub(super) fn from(mut self, offset: usize) -> Self {
        self.offset = offset;
        self
    }
}

impl<'a> Iterator for Cutter<'a> {
    type Item = EpdToken<'a>;

    fn next(&mut self) -> Option<EpdToken<'a>> {
        let offset = self.offset;
        let rest = &self.line[offset..];
        // No token follows an unterminated string.
        let first = rest.chars().next().filter(|_| self.open.is_none())?;
        let end_of = |ends: fn(char) -> bool| rest.find(ends).unwrap_or(rest.len());
        let (kind, text, length) = if first == '"' {
            let inner = &rest[1..];
            let Some(length) = self.quotes.length(inner) else {
                self.open = Some(offset);
                return None;
            };
            (EpdTokenKind::Text, &inner[..length], length + 2)
        } else if first == ';' {
            (EpdTokenKind::Semicolon, &rest[..1], 1)
        } else if is_blank(first) {
            let length = end_of(|c| !is_blank(c));
            (EpdTokenKind::Blanks, &rest[..length], length)
        } else {
            let mut length = end_of(is_word_end);
            if self.quotes == Quotes::Standard
                && let Some(inner) = rest[length..].strip_prefix('"')
                && !inner.contains('"')
            {
                // The last quote, without a blank before it: `4'30"` is a time, and opens no string.
                length += 1 + inner.find(is_word_end).unwrap_or(inner.len());
            }
            (EpdTokenKind::Word, &rest[..length], length)
        };
        self.offset += length;
        Some(EpdToken { kind, offset, text })
    }
}

const fn is_word_end(c: char) -> bool {
    is_blank(c) || matches!(c, '"' | ';')
}

/// Notes white space in other places or amounts than in the standard form.
fn check_spacing(
    tokens: &[EpdToken<'_>],
    length: usize,
    problems: &mut Vec<(usize, RecordProblem)>,
) {
    for token in tokens {
        let blanks = token.text;
        if token.kind != EpdTokenKind::Blanks {
            continue;
        }
        let problem = if token.offset == 0 {
            RecordProblem::LeadingBlanks
        } else if token.offset + blanks.len() == length {
            RecordProblem::TrailingBlanks
        } else if blanks.contains('\t') {
            RecordProblem::Tab
        } else if blanks.len() > 1 {
            let found = blanks.len();
            RecordProblem::Blanks { found }
        } else {
            continue;
        };
        problems.push((token.offset, problem));
    }
    let is_operand =
        |token: &EpdToken<'_>| matches!(token.kind, EpdTokenKind::Word | EpdTokenKind::Text);
    for pair in tokens.windows(2) {
        // Two words are never adjacent: one of the two is a string.
        if pair.iter().all(is_operand) {
            problems.push((pair[1].offset, RecordProblem::NoBlank));
        }
    }
}

/// Number of words that describe the position: four, and the clock numbers that may follow. Opcodes
/// begin with a letter, so any word that begins like a number is meant as a clock.
fn field_count(tokens: &[EpdToken<'_>]) -> usize {
    let mut all = tokens.iter().enumerate();
    let stop = all.position(|(index, token)| !is_field(index, token));
    stop.unwrap_or(tokens.len())
}

/// Whether the word of this index, after words that do, describes the position.
pub(super) fn is_field(index: usize, token: &EpdToken<'_>) -> bool {
    // A sign is no part of a clock, but a clock with one is to be reported as such.
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit() || "+-".contains(c));
    token.kind == EpdTokenKind::Word && (index < 4 || is_number(token.text))
}

/// In the dialect `;D1 20 ;D2 400` semicolons begin operations, and the last needs none after it.
fn leading_semicolon(after_fields: &[EpdToken<'_>]) -> Option<usize> {
    match after_fields {
        // A semicolon alone after the fields is an empty operation, and no sign of the dialect.
        [first, _, ..] if first.kind == EpdTokenKind::Semicolon => Some(first.offset),
        _ => None,
    }
}

fn split_operations<'a>(
    tokens: &[EpdToken<'a>],
    line: &str,
    problems: &mut Vec<(usize, RecordProblem)>,
) -> Vec<ScannedOperation<'a>> {
    let leading = leading_semicolon(tokens).is_some();
    let mut operations = Vec::new();
    let mut operation = ScannedOperation::new();
    for token in &tokens[usize::from(leading)..] {
        if token.kind != EpdTokenKind::Semicolon {
            operation.push(*token);
        } else if operation.is_empty() {
            problems.push((token.offset, RecordProblem::EmptyOperation));
        } else {
            operations.push(std::mem::take(&mut operation));
        }
    }
    if !operation.is_empty() {
        if !leading {
            problems.push((
                line.trim_end_matches(is_blank).len(),
                RecordProblem::NoSemicolon,
            ));
        }
        operations.push(operation);
    }
    operations
}

/// The texts of tokens, joined by single blanks.
pub(super) fn join(tokens: &[EpdToken<'_>]) -> String {
    let words: Vec<&str> = tokens.iter().map(|token| token.text).collect();
    words.join(" ")
}

/// Number of characters that begin in these bytes of a text.
pub(super) fn characters(bytes: &[u8]) -> usize {
    // In UTF-8, the bytes of a character after its first begin with the bits 10 (RFC 3629, section
    // 3).
    let is_first = |byte: &&u8| **byte & 0b1100_0000 != 0b1000_0000;
    bytes.iter().filter(is_first).count()
}

/// Whether a token can begin an operation; others are ignored.
pub(super) fn is_opcode_like(token: &EpdToken<'_>) -> bool {
    token.kind == EpdTokenKind::Word && token.text.starts_with(char::is_alphabetic)
}
