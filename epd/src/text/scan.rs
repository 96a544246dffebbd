//! Lexer: splits a line into words, strings, semicolons and white space.

use super::diagnostic::Problem;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// Characters other than white space, quotes and semicolons.
    Word,
    /// A string; the token's text excludes the quotes.
    Text,
    Semicolon,
    /// Blanks and tabs.
    Blanks,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind,
    /// Byte offset of its beginning; for a string, of the quote.
    pub(super) offset: usize,
    pub(super) text: &'a str,
}

/// An operation as written: opcode and operands.
pub(super) type RawOperation<'a> = Vec<Token<'a>>;

pub(super) struct Scan<'a> {
    pub(super) fields: Vec<Token<'a>>,
    /// The operations, none of them empty.
    pub(super) operations: Vec<RawOperation<'a>>,
    /// Byte offset of a semicolon before the first operation.
    pub(super) leading_semicolon: Option<usize>,
    pub(super) problems: Vec<(usize, Problem)>,
}

/// Scans a line that has no line end.
pub(super) fn scan(line: &str) -> Scan<'_> {
    scan_after(line, field_count)
}

/// Scans a line whose position has `field_count` words, computed from its tokens without blanks.
pub(super) fn scan_after(line: &str, field_count: impl Fn(&[Token<'_>]) -> usize) -> Scan<'_> {
    let mut problems = Vec::new();
    let tokens = tokenize(line, &mut problems);
    let is_whole = problems.is_empty();
    check_spacing(&tokens, line.len(), &mut problems);
    let mut rest = tokens;
    rest.retain(|token| token.kind != TokenKind::Blanks);
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
pub(super) fn tokens(line: &str) -> Vec<Token<'_>> {
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
fn tokenize<'a>(line: &'a str, problems: &mut Vec<(usize, Problem)>) -> Vec<Token<'a>> {
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

fn cut<'a>(line: &'a str, quotes: Quotes, problems: &mut Vec<(usize, Problem)>) -> Vec<Token<'a>> {
    let mut cutter = Cutter::new(line, quotes);
    let tokens = cutter.by_ref().collect();
    problems.extend(
        cutter
            .open
            .map(|offset| (offset, Problem::UnterminatedString)),
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
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let offset = self.offset;
        let rest = &self.line[offset..];
        let first = rest.chars().next().filter(|_| self.open.is_none())?;
        let end_of = |ends: fn(char) -> bool| rest.find(ends).unwrap_or(rest.len());
        let (kind, text, length) = if first == '"' {
            let inner = &rest[1..];
            let Some(length) = self.quotes.length(inner) else {
                self.open = Some(offset);
                return None;
            };
            (TokenKind::Text, &inner[..length], length + 2)
        } else if first == ';' {
            (TokenKind::Semicolon, &rest[..1], 1)
        } else if is_blank(first) {
            let length = end_of(|c| !is_blank(c));
            (TokenKind::Blanks, &rest[..length], length)
        } else {
            let mut length = end_of(is_word_end);
            if self.quotes == Quotes::Standard
                && let Some(inner) = rest[length..].strip_prefix('"')
                && !inner.contains('"')
            {
                // The last quote, without a blank before it: `4'30"` is a time, and opens no string.
                length += 1 + inner.find(is_word_end).unwrap_or(inner.len());
            }
            (TokenKind::Word, &rest[..length], length)
        };
        self.offset += length;
        Some(Token { kind, offset, text })
    }
}

const fn is_word_end(c: char) -> bool {
    is_blank(c) || matches!(c, '"' | ';')
}

/// Notes white space in other places or amounts than in the standard form.
fn check_spacing(tokens: &[Token<'_>], length: usize, problems: &mut Vec<(usize, Problem)>) {
    for token in tokens {
        let blanks = token.text;
        if token.kind != TokenKind::Blanks {
            continue;
        }
        let problem = if token.offset == 0 {
            Problem::LeadingBlanks
        } else if token.offset + blanks.len() == length {
            Problem::TrailingBlanks
        } else if blanks.contains('\t') {
            Problem::Tab
        } else if blanks.len() > 1 {
            let found = blanks.len();
            Problem::Blanks { found }
        } else {
            continue;
        };
        problems.push((token.offset, problem));
    }
    let is_operand = |token: &Token<'_>| matches!(token.kind, TokenKind::Word | TokenKind::Text);
    for pair in tokens.windows(2) {
        // Two words are never adjacent: one of the two is a string.
        if pair.iter().all(is_operand) {
            problems.push((pair[1].offset, Problem::NoBlank));
        }
    }
}

/// Number of words that describe the position: four, and the clock numbers that may follow. Opcodes
/// begin with a letter, so any word that begins like a number is meant as a clock.
fn field_count(tokens: &[Token<'_>]) -> usize {
    let mut all = tokens.iter().enumerate();
    let stop = all.position(|(index, token)| !is_field(index, token));
    stop.unwrap_or(tokens.len())
}

/// Whether the word of this index, after words that do, describes the position.
pub(super) fn is_field(index: usize, token: &Token<'_>) -> bool {
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit() || "+-".contains(c));
    token.kind == TokenKind::Word && (index < 4 || is_number(token.text))
}

/// In the dialect `;D1 20 ;D2 400` semicolons begin operations, and the last needs none after it.
fn leading_semicolon(after_fields: &[Token<'_>]) -> Option<usize> {
    match after_fields {
        [first, _, ..] if first.kind == TokenKind::Semicolon => Some(first.offset),
        _ => None,
    }
}

fn split_operations<'a>(
    tokens: &[Token<'a>],
    line: &str,
    problems: &mut Vec<(usize, Problem)>,
) -> Vec<RawOperation<'a>> {
    let leading = leading_semicolon(tokens).is_some();
    let mut operations = Vec::new();
    let mut operation = RawOperation::new();
    for token in &tokens[usize::from(leading)..] {
        if token.kind != TokenKind::Semicolon {
            operation.push(*token);
        } else if operation.is_empty() {
            problems.push((token.offset, Problem::EmptyOperation));
        } else {
            operations.push(std::mem::take(&mut operation));
        }
    }
    if !operation.is_empty() {
        if !leading {
            problems.push((line.trim_end_matches(is_blank).len(), Problem::NoSemicolon));
        }
        operations.push(operation);
    }
    operations
}

/// The texts of tokens, joined by single blanks.
pub(super) fn join(tokens: &[Token<'_>]) -> String {
    let words: Vec<&str> = tokens.iter().map(|token| token.text).collect();
    words.join(" ")
}

/// Number of characters that begin in these bytes of a text.
pub(super) fn characters(bytes: &[u8]) -> usize {
    let is_first = |byte: &&u8| **byte & 0b1100_0000 != 0b1000_0000;
    bytes.iter().filter(is_first).count()
}

/// Whether a token can begin an operation; others are ignored.
pub(super) fn is_opcode_like(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Word && token.text.starts_with(char::is_alphabetic)
}
