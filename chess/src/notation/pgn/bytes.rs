//! A byte reader with look-ahead that tracks line and column.

use std::collections::VecDeque;
use std::io::{self, BufRead, ErrorKind};

use super::Place;

/// The byte order mark of UTF-8.
const BOM: [u8; 3] = [0xef, 0xbb, 0xbf];

/// A source of bytes. Every line ending, also `\r\n` and `\r`, is read as `\n`.
#[derive(Debug)]
pub(super) struct Bytes<R> {
    input: R,
    ahead: VecDeque<u8>,
    place: Place,
    taken: u64,
}

impl<R: BufRead> Bytes<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            ahead: VecDeque::new(),
            place: Place { line: 1, column: 1 },
            taken: 0,
        }
    }

    /// Line and column of the next byte.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// Number of bytes taken; a line ending counts as one.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// The next byte, or `None` at the end.
    pub(super) fn peek(&mut self) -> io::Result<Option<u8>> {
        self.peek_nth(0)
    }

    /// The byte after the next `n`.
    pub(super) fn peek_nth(&mut self, n: usize) -> io::Result<Option<u8>> {
        while self.ahead.len() <= n {
            match self.next_normalised()? {
                Some(byte) => self.ahead.push_back(byte),
                None => return Ok(None),
            }
        }
        Ok(Some(self.ahead[n]))
    }

    /// Whether `text` comes next.
    pub(super) fn comes(&mut self, text: &[u8]) -> io::Result<bool> {
        for (n, &expected) in text.iter().enumerate() {
            if self.peek_nth(n)? != Some(expected) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Skips a byte order mark at the very beginning.
    pub(super) fn skip_bom(&mut self) -> io::Result<()> {
        if self.taken == 0 && self.comes(&BOM)? {
            self.ahead.drain(..BOM.len());
            self.taken = BOM.len() as u64;
        }
        Ok(())
    }

    /// Takes the next byte.
    pub(super) fn take(&mut self) -> io::Result<Option<u8>> {
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
    pub(super) fn take_if(&mut self, wanted: impl Fn(u8) -> bool) -> io::Result<Option<u8>> {
        match self.peek()? {
            Some(byte) if wanted(byte) => self.take(),
            _ => Ok(None),
        }
    }

    /// Skips all bytes up to the first that does not match.
    pub(super) fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) -> io::Result<()> {
        while self.take_if(&wanted)?.is_some() {}
        Ok(())
    }

    fn next_normalised(&mut self) -> io::Result<Option<u8>> {
        let byte = self.next_raw()?;
        if byte == Some(b'\r') {
            if self.peek_raw()? == Some(b'\n') {
                self.input.consume(1);
            }
            return Ok(Some(b'\n'));
        }
        Ok(byte)
    }

    fn next_raw(&mut self) -> io::Result<Option<u8>> {
        let byte = self.peek_raw()?;
        if byte.is_some() {
            self.input.consume(1);
        }
        Ok(byte)
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
