//! Books of positions, one per line.

use std::io::{BufRead, Read as _};

use chess::rules::CastlingMode;
use epd::Record;

use super::error::{OpeningFault, ReadError};
use super::start::Start;

/// Maximum length of a line, which bounds memory use for files that are not books.
pub(super) const MAX_LINE_BYTES: usize = 1 << 16;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A line that is neither empty nor a comment.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The line number, from 1.
    pub(super) number: u64,
    /// The offset of its first byte, from where reading began.
    pub(super) offset: u64,
    bytes: Vec<u8>,
}

/// The lines of a book that contain positions.
#[derive(Debug)]
pub(super) struct Lines<R> {
    input: R,
    number: u64,
    offset: u64,
}

impl<R: BufRead> Lines<R> {
    /// Reads from a line on, whose number is `first_line`.
    pub(super) fn new(input: R, first_line: u64) -> Self {
        Self {
            input,
            number: first_line - 1,
            offset: 0,
        }
    }

    fn read(&mut self) -> Result<Option<Line>, ReadError> {
        loop {
            let mut bytes = Vec::new();
            let offset = self.offset;
            let limit = MAX_LINE_BYTES as u64 + 1;
            let read = (&mut self.input).take(limit).read_until(b'\n', &mut bytes);
            let read = read.map_err(ReadError::Io)?;
            if read == 0 {
                return Ok(None);
            }
            self.offset += read as u64;
            self.number += 1;
            if read > MAX_LINE_BYTES {
                return Err(ReadError::Faulty {
                    line: self.number,
                    fault: OpeningFault::TooLong,
                });
            }
            if !is_passed_over(content(&bytes)) {
                return Ok(Some(Line {
                    number: self.number,
                    offset,
                    bytes,
                }));
            }
        }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<Line, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// A line without its line end and byte order mark.
fn content(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    bytes.trim_ascii_end()
}

fn is_passed_over(content: &[u8]) -> bool {
    matches!(content.trim_ascii_start().first(), None | Some(b'#'))
}

impl Line {
    /// The position of the line.
    pub(super) fn start(&self) -> Result<Start, ReadError> {
        self.parse().map_err(|fault| ReadError::Faulty {
            line: self.number,
            fault,
        })
    }

    fn parse(&self) -> Result<Start, OpeningFault> {
        let text = std::str::from_utf8(content(&self.bytes)).map_err(|error| {
            let offset = error.valid_up_to() + 1;
            OpeningFault::NotUtf8 { offset }
        })?;
        let record = Record::parse_lenient(text)?.record;
        let position = *record.position();
        Ok(Start {
            label: record.id().map(str::to_owned),
            position,
            moves: Vec::new(),
            needs_chess960: position.castling_mode() == CastlingMode::Chess960,
        })
    }
}

/// The position that follows after skipping `skip` positions.
pub(super) fn nth(
    input: impl BufRead,
    first_line: u64,
    skip: usize,
) -> Result<Option<(u64, Start)>, ReadError> {
    let line = Lines::new(input, first_line).nth(skip).transpose()?;
    line.map(|line| Ok((line.number, line.start()?)))
        .transpose()
}
