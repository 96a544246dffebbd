//! PGN's tokens (PGN standard, 7).

use std::collections::VecDeque;
use std::io::{self, BufRead, ErrorKind};

use super::{MAX_GAME_BYTES, MAX_WORD_BYTES, PgnReason, PgnResult, Place};

/// The start of a new game; a comment that contains such a line was never closed.
const NEW_GAME: &[u8] = b"[Event \"";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PgnToken {
    Tag {
        name: String,
        value: String,
    },
    Comment(String),
    /// A glyph without a number, such as `!!!`, has none.
    Nag(Option<u8>),
    Open,
    Close,
    Result(PgnResult),
    /// A move, or whatever stands in its place.
    Word(String),
    /// Move numbers, dots, and other text without meaning.
    Filler,
    End,
}

/// A token or a fault, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Located {
    pub(super) place: Place,
    pub(super) token: Result<PgnToken, PgnReason>,
    /// Whether it is a tag, faulty or not.
    pub(super) is_tag: bool,
    /// Whether it begins in the first column.
    pub(super) begins_line: bool,
}

/// Splits bytes into tokens.
#[derive(Debug)]
pub(super) struct Lexer<R>(SourceBytes<R>);

impl<R: BufRead> Lexer<R> {
    pub(super) fn new(input: R) -> Self {
        Self(SourceBytes {
            input,
            ahead: VecDeque::new(),
            place: Place { line: 1, column: 1 },
            taken: 0,
        })
    }

    /// Number of bytes read; a line ending counts as one.
    pub(super) fn taken(&self) -> u64 {
        self.0.taken
    }

    /// The next token. After a fault the lexer continues behind the faulty token.
    pub(super) fn next(&mut self) -> io::Result<Located> {
        self.skip_blanks()?;
        let place = self.0.place;
        if self.0.peek()? == Some(b'[') {
            return self.tag(place);
        }
        let token = self.token()?;
        Ok(Located {
            place,
            token,
            is_tag: false,
            begins_line: place.column == 1,
        })
    }

    fn token(&mut self) -> io::Result<Result<PgnToken, PgnReason>> {
        Ok(match self.0.peek()? {
            None => Ok(PgnToken::End),
            Some(b'{') => self.brace_comment()?,
            Some(b';') => {
                self.0.take()?;
                let mut text = Vec::new();
                while let Some(byte) = self.0.take_if(|byte| byte != b'\n')? {
                    push(&mut text, byte);
                }
                Ok(PgnToken::Comment(decode(text)))
            }
            Some(b'$') => self.nag()?,
            Some(b'(') => self.single(PgnToken::Open)?,
            Some(b')') => self.single(PgnToken::Close)?,
            Some(b'*') => self.single(PgnToken::Result(PgnResult::Unknown))?,
            Some(b'.') => {
                self.0.skip_while(|byte| byte == b'.')?;
                Ok(PgnToken::Filler)
            }
            Some(byte) if is_delimiter(byte) => Err(PgnReason::Unexpected {
                found: quoted(self.0.take()?),
                expected: "a move, a comment, a variation or a result",
            }),
            Some(byte) if byte.is_ascii_digit() => self.number()?,
            Some(_) => self.word(Vec::new())?,
        })
    }

    /// Skips white space and lines that begin with `%` (PGN standard, 6).
    fn skip_blanks(&mut self) -> io::Result<()> {
        self.0.skip_bom()?;
        loop {
            self.0.skip_while(is_blank)?;
            if self.0.place.column != 1 || self.0.peek()? != Some(b'%') {
                return Ok(());
            }
            self.0.skip_while(|byte| byte != b'\n')?;
        }
    }

    fn single(&mut self, token: PgnToken) -> io::Result<Result<PgnToken, PgnReason>> {
        self.0.take()?;
        Ok(Ok(token))
    }

    fn brace_comment(&mut self) -> io::Result<Result<PgnToken, PgnReason>> {
        self.0.take()?;
        let mut text = Vec::new();
        loop {
            match self.0.take()? {
                Some(b'}') => return Ok(Ok(PgnToken::Comment(decode(text)))),
                Some(byte) => push(&mut text, byte),
                None => return Ok(Err(PgnReason::UnclosedComment)),
            }
            if self.0.place.column == 1 && self.0.comes(NEW_GAME)? {
                return Ok(Err(PgnReason::UnclosedComment));
            }
        }
    }

    fn nag(&mut self) -> io::Result<Result<PgnToken, PgnReason>> {
        self.0.take()?;
        // Letters are read, too, so that the error quotes the whole of `$1a`.
        let digits = self.run(Vec::new(), |byte| byte.is_ascii_alphanumeric())?;
        let digits = decode(digits);
        let only_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
        Ok(match digits.parse() {
            Ok(nag) if only_digits => Ok(PgnToken::Nag(Some(nag))),
            _ => Err(PgnReason::Nag {
                found: format!("${}", shortened(&digits)),
            }),
        })
    }

    /// A move number, a result, or castling with zeros. Digits end at the first dot: `1.e4`.
    fn number(&mut self) -> io::Result<Result<PgnToken, PgnReason>> {
        let digits = self.run(Vec::new(), |byte| byte.is_ascii_digit())?;
        match self.0.peek()? {
            Some(byte) if byte != b'.' && !is_blank(byte) && !is_delimiter(byte) => {
                self.word(digits)
            }
            // The null move of UCI: taken for a number, the next move would be the other side's.
            next if digits == b"0000" && next != Some(b'.') => self.word(digits),
            _ => {
                self.0.skip_while(|byte| byte == b'.')?;
                Ok(Ok(PgnToken::Filler))
            }
        }
    }

    /// A word that begins with `start`.
    fn word(&mut self, start: Vec<u8>) -> io::Result<Result<PgnToken, PgnReason>> {
        let mut bytes = self.run(start, |byte| !is_blank(byte) && !is_delimiter(byte))?;
        if let Some(promotion) = self.promotion_in_parentheses(&bytes)? {
            bytes.extend(promotion);
            bytes = self.run(bytes, |byte| !is_blank(byte) && !is_delimiter(byte))?;
        }
        let text = decode(bytes);
        if text.len() > MAX_WORD_BYTES || text.contains(char::is_control) {
            let found = format!("'{}'", shortened(&text).escape_debug());
            let expected = "a move";
            return Ok(Err(PgnReason::Unexpected { found, expected }));
        }
        Ok(Ok(match text.as_str() {
            "+" | "#" | "++" | "e.p." => PgnToken::Filler,
            glyph if glyph.bytes().all(|byte| matches!(byte, b'!' | b'?')) => {
                PgnToken::Nag(glyph_number(glyph))
            }
            "N" => PgnToken::Nag(Some(NOVELTY)),
            sign if sign_number(sign).is_some() => PgnToken::Nag(sign_number(sign)),
            _ => PgnResult::from_text(&text).map_or(PgnToken::Word(text), PgnToken::Result),
        }))
    }

    /// `(Q)` directly after the last rank is a promotion, not a variation.
    fn promotion_in_parentheses(&mut self, word: &[u8]) -> io::Result<Option<[u8; 3]>> {
        if !matches!(word.last(), Some(b'1' | b'8')) {
            return Ok(None);
        }
        for text in [b"(Q)", b"(R)", b"(B)", b"(N)"] {
            if self.0.comes(text)? {
                for _ in text {
                    self.0.take()?;
                }
                return Ok(Some(*text));
            }
        }
        Ok(None)
    }

    fn tag(&mut self, place: Place) -> io::Result<Located> {
        let token = self.tag_inside()?;
        // The fault is located where the lexer stopped.
        let fault = self.0.place;
        if token.is_err() {
            // The rest of the line belongs to the faulty tag.
            self.0.skip_while(|byte| byte != b'\n')?;
        }
        Ok(Located {
            place: if token.is_err() { fault } else { place },
            token,
            is_tag: true,
            begins_line: place.column == 1,
        })
    }

    fn tag_inside(&mut self) -> io::Result<Result<PgnToken, PgnReason>> {
        self.0.take()?;
        self.skip_blanks()?;
        let is_name = |byte: u8| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'#' | b'=' | b':' | b'-')
        };
        let name = decode(self.run(Vec::new(), is_name)?);
        if name.is_empty() || name.len() > MAX_WORD_BYTES {
            return self.expected("the name of a tag");
        }
        self.skip_blanks()?;
        if self.0.take_if(|byte| byte == b'"')?.is_none() {
            return self.expected("'\"' and the value of the tag");
        }
        let Some(value) = self.value()? else {
            return self.expected("'\"]' at the end of the tag");
        };
        Ok(Ok(PgnToken::Tag { name, value }))
    }

    /// The value of a tag and the closing `"]`. A quotation mark not followed by `]` is part of the
    /// value.
    fn value(&mut self) -> io::Result<Option<String>> {
        let mut value = Vec::new();
        while let Some(byte) = self.0.take_if(|byte| byte != b'\n')? {
            if byte == b'\\' {
                let escaped = self.0.take_if(|byte| matches!(byte, b'"' | b'\\'))?;
                push(&mut value, escaped.unwrap_or(byte));
            } else if byte == b'"' {
                let blanks = self.run(Vec::new(), |byte| matches!(byte, b' ' | b'\t'))?;
                if self.0.take_if(|byte| byte == b']')?.is_some() {
                    return Ok(Some(decode(value)));
                }
                value.push(byte);
                value.extend(blanks);
            } else {
                push(&mut value, byte);
            }
        }
        Ok(None)
    }

    fn expected<T>(&mut self, expected: &'static str) -> io::Result<Result<T, PgnReason>> {
        let found = quoted(self.0.peek()?);
        Ok(Err(PgnReason::Unexpected { found, expected }))
    }

    /// `start` and all bytes that match.
    fn run(&mut self, start: Vec<u8>, wanted: impl Fn(u8) -> bool) -> io::Result<Vec<u8>> {
        let mut text = start;
        while let Some(byte) = self.0.take_if(&wanted)? {
            push(&mut text, byte);
        }
        Ok(text)
    }
}

/// Adds a byte, up to the maximal game length. Beyond it the game is rejected anyway.
fn push(text: &mut Vec<u8>, byte: u8) {
    if text.len() <= MAX_GAME_BYTES {
        text.push(byte);
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0b | 0x0c)
}

fn is_delimiter(byte: u8) -> bool {
    matches!(
        byte,
        b'{' | b'}' | b'(' | b')' | b'[' | b']' | b'<' | b'>' | b';' | b'$' | b'*' | b'"'
    )
}

/// The number of a glyph (PGN standard, 10).
pub(super) fn glyph_number(glyph: &str) -> Option<u8> {
    let mut known = (1..).zip(["!", "?", "!!", "??", "!?", "?!"]);
    known.find_map(|(number, text)| (text == glyph).then_some(number))
}

/// The signs that annotators write, and their numbers (PGN standard, 10): as characters, and as they are typed.
const SIGNS: [(&str, u8); 33] = [
    ("□", 7),
    ("=", 10),
    ("∞", 13),
    ("⩲", 14),
    ("+/=", 14),
    ("+=", 14),
    ("⩱", 15),
    ("=/+", 15),
    ("=+", 15),
    ("±", 16),
    ("+/-", 16),
    ("+/−", 16),
    ("∓", 17),
    ("-/+", 17),
    ("−/+", 17),
    ("+-", 18),
    ("+−", 18),
    ("+–", 18),
    ("-+", 19),
    ("−+", 19),
    ("–+", 19),
    ("⨀", 22),
    ("⊙", 22),
    ("⟳", 32),
    ("→", 40),
    ("↑", 36),
    ("⯹", 44),
    ("=∞", 44),
    ("=/∞", 44),
    ("∞/=", 44),
    ("⇆", 132),
    ("⇄", 132),
    ("⊕", 138),
];

/// The letter `N` behind a move: a novelty, by convention.
const NOVELTY: u8 = 146;

/// The number of an annotator's sign.
fn sign_number(text: &str) -> Option<u8> {
    let mut signs = SIGNS.iter();
    signs.find(|(sign, _)| *sign == text).map(|&(_, nag)| nag)
}

/// A move without the sign that is written right behind it, in all ways to divide them.
pub(super) fn without_sign(text: &str) -> impl Iterator<Item = (&str, u8)> {
    let signs = SIGNS.iter();
    signs.filter_map(move |&(sign, nag)| Some((text.strip_suffix(sign)?, nag)))
}

/// Decodes UTF-8, or Latin-1 as the fallback: the character set of the PGN standard (4.1).
fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

fn quoted(byte: Option<u8>) -> String {
    match byte {
        None => "the end of the text".to_owned(),
        Some(b'\n') => "the end of the line".to_owned(),
        Some(byte) if byte.is_ascii_control() => format!("'{}'", byte.escape_ascii()),
        Some(byte) => format!("'{}'", char::from(byte)),
    }
}

/// The beginning of a text that is too long to quote in full.
fn shortened(text: &str) -> String {
    let mut letters = text.chars();
    let mut start: String = letters.by_ref().take(20).collect();
    if letters.next().is_some() {
        start.push('…');
    }
    start
}

/// The byte order mark of UTF-8.
const BOM: [u8; 3] = [0xef, 0xbb, 0xbf];

/// A source of bytes. Every line ending, also `\r\n` and `\r`, is read as `\n`.
#[derive(Debug)]
struct SourceBytes<R> {
    input: R,
    ahead: VecDeque<u8>,
    /// Line and column of the next byte.
    place: Place,
    /// Number of bytes taken; a line ending counts as one.
    taken: u64,
}

impl<R: BufRead> SourceBytes<R> {
    /// The next byte, or `None` at the end.
    fn peek(&mut self) -> io::Result<Option<u8>> {
        self.peek_nth(0)
    }

    /// The byte after the next `n`.
    fn peek_nth(&mut self, n: usize) -> io::Result<Option<u8>> {
        while self.ahead.len() <= n {
            let Some(byte) = self.peek_raw()? else {
                return Ok(None);
            };
            self.input.consume(1);
            let is_return = byte == b'\r';
            if is_return && self.peek_raw()? == Some(b'\n') {
                self.input.consume(1);
            }
            self.ahead.push_back(if is_return { b'\n' } else { byte });
        }
        Ok(Some(self.ahead[n]))
    }

    /// Whether `text` comes next.
    fn comes(&mut self, text: &[u8]) -> io::Result<bool> {
        for (n, &expected) in text.iter().enumerate() {
            if self.peek_nth(n)? != Some(expected) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Skips a byte order mark at the very beginning.
    fn skip_bom(&mut self) -> io::Result<()> {
        if self.taken == 0 && self.comes(&BOM)? {
            self.ahead.drain(..BOM.len());
            self.taken = BOM.len() as u64;
        }
        Ok(())
    }

    fn take(&mut self) -> io::Result<Option<u8>> {
        let byte = self.peek()?;
        self.ahead.pop_front();
        match byte {
            Some(b'\n') => {
                self.place.line += 1;
                self.place.column = 1;
            }
            // Columns count characters, so UTF-8 continuation bytes are skipped.
            Some(byte) if byte & 0xc0 != 0x80 => self.place.column += 1,
            _ => {}
        }
        self.taken += u64::from(byte.is_some());
        Ok(byte)
    }

    /// Takes the next byte if it matches.
    fn take_if(&mut self, wanted: impl Fn(u8) -> bool) -> io::Result<Option<u8>> {
        match self.peek()? {
            Some(byte) if wanted(byte) => self.take(),
            _ => Ok(None),
        }
    }

    /// Skips all bytes up to the first that does not match.
    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) -> io::Result<()> {
        while self.take_if(&wanted)?.is_some() {}
        Ok(())
    }

    fn peek_raw(&mut self) -> io::Result<Option<u8>> {
        loop {
            match self.input.fill_buf() {
                Ok(buffer) => return Ok(buffer.first().copied()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}
