//! Books of positions, one per line.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

use chess::notation::pgn::{ParsePgnError, PgnGame, PgnReader, ReadPgnError};
use chess::rules::CastlingMode;
use epd::Record;

use super::error::{OpeningFault, ReadError};
use super::start::OpeningStart;

/// Maximum length of a line, which bounds memory use for files that are not books.
const MAX_LINE_BYTES: usize = 1 << 16;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A line that is neither empty nor a comment.
#[derive(Clone, Debug)]
pub(super) struct BookLine {
    /// The line number, from 1.
    pub(super) number: u64,
    /// The offset of its first byte, from where reading began.
    pub(super) offset: u64,
    bytes: Vec<u8>,
}

/// The lines of a book that contain positions.
#[derive(Debug)]
pub(super) struct BookLines<R> {
    input: R,
    number: u64,
    offset: u64,
}

impl<R: BufRead> BookLines<R> {
    pub(super) fn new(input: R, first_line: u64) -> Self {
        Self {
            input,
            number: first_line - 1,
            offset: 0,
        }
    }

    fn read(&mut self) -> Result<Option<BookLine>, ReadError> {
        loop {
            let mut bytes = Vec::new();
            let offset = self.offset;
            // One more byte shows that a line is too long.
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
                    fault: OpeningFault(format!("the line is longer than {MAX_LINE_BYTES} bytes")),
                });
            }
            // Empty lines and comments are skipped.
            if !matches!(
                content(&bytes).trim_ascii_start().first(),
                None | Some(b'#')
            ) {
                return Ok(Some(BookLine {
                    number: self.number,
                    offset,
                    bytes,
                }));
            }
        }
    }
}

impl<R: BufRead> Iterator for BookLines<R> {
    type Item = Result<BookLine, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// A line without its line end and byte order mark.
fn content(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    bytes.trim_ascii_end()
}

impl BookLine {
    pub(super) fn start(&self) -> Result<OpeningStart, ReadError> {
        self.parse().map_err(|fault| ReadError::Faulty {
            line: self.number,
            fault,
        })
    }

    fn parse(&self) -> Result<OpeningStart, OpeningFault> {
        let text = std::str::from_utf8(content(&self.bytes)).map_err(|error| {
            // Windows PowerShell redirects output into files as UTF-16.
            if self.offset == 0 && matches!(self.bytes[..], [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
                return OpeningFault("the book is UTF-16, expected UTF-8".to_owned());
            }
            let byte = error.valid_up_to() + 1;
            OpeningFault(format!("byte {byte} of the line is not UTF-8"))
        })?;
        let parsed = Record::parse_lenient(text);
        let record = parsed
            .map_err(|error| OpeningFault(error.to_string()))?
            .record;
        let position = *record.position();
        Ok(OpeningStart {
            label: record.id().map(str::to_owned),
            position,
            moves: Vec::new(),
            needs_chess960: position.castling_mode() == CastlingMode::Chess960,
        })
    }
}

/// The position that follows after skipping `skip` positions.
pub(super) fn nth_line(
    input: impl BufRead,
    first_line: u64,
    skip: usize,
) -> Result<Option<(u64, OpeningStart)>, ReadError> {
    let line = BookLines::new(input, first_line).nth(skip).transpose()?;
    line.map(|line| Ok((line.number, line.start()?)))
        .transpose()
}

// Books of games.

#[derive(Clone, Debug)]
pub(super) struct FoundFormat {
    /// The line on which it begins, from 1.
    pub(super) line: u64,
    /// The offset of that line, from where reading began; `None` if something precedes the game on
    /// its line.
    pub(super) offset: Option<u64>,
    pub(super) start: OpeningStart,
}

pub(super) struct BookGames<R> {
    reader: PgnReader<MarkedLines<R>>,
    marks: Rc<RefCell<Marks>>,
    first_line: u64,
    plies: usize,
}

impl<R: BufRead> BookGames<R> {
    /// Reads from a line on, whose number is `first_line`, and takes `plies` plies of each game.
    pub(super) fn new(input: R, first_line: u64, plies: Option<u32>) -> Self {
        let marks = Rc::new(RefCell::new(Marks::default()));
        let input = MarkedLines {
            input,
            marks: Rc::clone(&marks),
        };
        Self {
            reader: PgnReader::new(input),
            marks,
            first_line,
            plies: plies.map_or(usize::MAX, |plies| {
                usize::try_from(plies).unwrap_or(usize::MAX)
            }),
        }
    }

    fn found(&self, game: &PgnGame) -> FoundFormat {
        let offset = self.marks.borrow_mut().offset_of(game.place.line);
        FoundFormat {
            line: self.line(game.place.line),
            offset: (game.place.column == 1).then_some(offset).flatten(),
            start: OpeningStart {
                label: None,
                position: game.start,
                moves: game.moves().take(self.plies).collect(),
                needs_chess960: game.mode == CastlingMode::Chess960,
            },
        }
    }

    /// Converts a line number counted from where reading began into one of the book.
    fn line(&self, line: usize) -> u64 {
        self.first_line + line as u64 - 1
    }

    fn fault(&self, error: ReadPgnError) -> ReadError {
        match error {
            ReadPgnError::Game(ParsePgnError { place, reason }) => ReadError::Faulty {
                line: self.line(place.line),
                fault: OpeningFault(format!("column {}: {reason}", place.column)),
            },
            ReadPgnError::Io(error) => ReadError::Io(error),
        }
    }
}

impl<R: BufRead> Iterator for BookGames<R> {
    type Item = Result<FoundFormat, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let game = self.reader.next()?;
        Some(match game {
            Ok(game) => Ok(self.found(&game)),
            Err(error) => Err(self.fault(error)),
        })
    }
}

/// The opening of the game that follows after skipping `skip` games.
pub(super) fn nth_game(
    input: impl BufRead,
    first_line: u64,
    plies: Option<u32>,
    skip: usize,
) -> Result<Option<(u64, OpeningStart)>, ReadError> {
    let found = BookGames::new(input, first_line, plies)
        .nth(skip)
        .transpose()?;
    Ok(found.map(|found| (found.line, found.start)))
}

/// Line offsets for the PGN reader, which knows line numbers only.
#[derive(Debug)]
struct Marks {
    /// The number of the first line kept, from 1.
    first: usize,
    offsets: VecDeque<u64>,
    read: u64,
    after_return: bool,
}

impl Default for Marks {
    fn default() -> Self {
        Self {
            first: 1,
            offsets: VecDeque::from([0]),
            read: 0,
            after_return: false,
        }
    }
}

impl Marks {
    /// Notes bytes that were read. Lines end with `\n`, `\r\n` or `\r`, as for the PGN reader.
    fn note(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.read += 1;
            match byte {
                b'\n' if self.after_return => {
                    *self
                        .offsets
                        .back_mut()
                        .expect("a line was begun after the return") = self.read;
                }
                b'\n' | b'\r' => self.offsets.push_back(self.read),
                _ => {}
            }
            self.after_return = byte == b'\r';
        }
    }

    /// The offset of a line. Earlier lines are dropped, since games come in order.
    fn offset_of(&mut self, line: usize) -> Option<u64> {
        let before = line.checked_sub(self.first)?.min(self.offsets.len());
        self.offsets.drain(..before);
        self.first += before;
        self.offsets.front().copied()
    }
}

/// An input that notes where its lines begin.
#[derive(Debug)]
struct MarkedLines<R> {
    input: R,
    marks: Rc<RefCell<Marks>>,
}

impl<R: BufRead> Read for MarkedLines<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(into)?;
        self.marks.borrow_mut().note(&into[..read]);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for MarkedLines<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        // The buffer is already filled; an error would have occurred before.
        if let Ok(bytes) = self.input.fill_buf() {
            self.marks
                .borrow_mut()
                .note(&bytes[..amount.min(bytes.len())]);
        }
        self.input.consume(amount);
    }
}
