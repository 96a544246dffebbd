//! An opening book: its file, and the offsets of its openings.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use flate2::CrcReader;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use rayon::slice::ParallelSliceMut as _;

use super::error::{self, OpeningError, ReadError};
use super::formats::{self, BookGames, BookLine, BookLines};
use super::polyglot;
use super::start::OpeningStart;
use super::unpack::open;
use crate::model::{BookFormat, Opening};

/// Number of positions checked at once, on all CPUs.
const BATCH: usize = 512;

/// A book that has been read once and checked.
#[derive(Debug)]
pub(super) struct OpeningBook {
    path: PathBuf,
    format: BookFormat,
    plies: Option<u32>,
    chess960: bool,
    index: Index,
    /// Number of openings that lead to the position of an earlier one.
    duplicates: u64,
    /// The lines of a Polyglot book, which needs no index.
    lines: Option<polyglot::PolyglotLines>,
    /// Length and CRC-32 of the uncompressed file.
    sum: (u64, u32),
    file: Mutex<File>,
}

impl OpeningBook {
    /// Reads a book and checks every opening in it.
    pub(super) fn open(
        path: &Path,
        format: BookFormat,
        plies: Option<u32>,
        chess960: bool,
        interrupt: &AtomicBool,
    ) -> Result<Self, OpeningError> {
        let cannot_read = |error| ReadError::Io(error).in_book(path);
        let file = open(path, interrupt).map_err(|error| error.in_book(path))?;
        let mut book = Self {
            path: path.to_owned(),
            format,
            plies,
            chess960,
            index: Index::with_capacity(MAX_PLACES),
            duplicates: 0,
            lines: None,
            sum: (0, 0),
            // Both handles share one position in the file, which each read sets under the lock.
            file: Mutex::new(file.try_clone().map_err(cannot_read)?),
        };
        let mut input = CrcReader::new(BufReader::with_capacity(1 << 16, file));
        book.read(&mut input, interrupt)
            .map_err(|error| error.in_book(path))?;
        let length = input
            .get_ref()
            .get_ref()
            .metadata()
            .map_err(cannot_read)?
            .len();
        book.sum = (length, input.crc().sum());
        if book.len() == 0 {
            return Err(OpeningError::Empty { path: book.path });
        }
        Ok(book)
    }

    pub(super) fn len(&self) -> u64 {
        let lines = self.lines.as_ref();
        lines.map_or(self.index.len(), polyglot::PolyglotLines::len)
    }

    pub(super) const fn duplicates(&self) -> u64 {
        self.duplicates
    }

    pub(super) fn fingerprint(&self) -> String {
        let (length, crc) = self.sum;
        format!("{length}-{crc:08x}")
    }

    pub(super) fn get(&self, number: u64) -> Result<Opening, OpeningError> {
        let found = self
            .find(number)
            .map_err(|error| error.in_book(&self.path))?;
        let (line, start) = found.ok_or_else(|| OpeningError::Changed {
            path: self.path.clone(),
        })?;
        // Only the file name: labels go into published games, which must not reveal local paths.
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        let place = format!("{}:{line}", Path::new(name).display());
        Ok(start.into_opening(place, self.chess960))
    }

    fn find(&self, number: u64) -> Result<Option<(u64, OpeningStart)>, ReadError> {
        if let Some(lines) = &self.lines {
            return Ok(Some((number + 1, lines.get(number))));
        }
        let place = self.index.before(number);
        let skip = usize::try_from(number - place.number).expect("places are near");
        // A thread that panicked with the lock leaves only a file position, which is set here.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(place.offset))
            .map_err(ReadError::Io)?;
        let input = BufReader::new(&mut *file);
        let found = match self.format {
            BookFormat::Epd => formats::nth_line(input, place.line, skip),
            BookFormat::Pgn => formats::nth_game(input, place.line, self.plies, skip),
            BookFormat::Polyglot => Ok(None),
        }?;
        if let Some((line, start)) = &found {
            // The file may have been changed since it was read.
            self.check(*line, start)?;
        }
        Ok(found)
    }

    fn read(&mut self, mut input: impl BufRead, interrupt: &AtomicBool) -> Result<(), ReadError> {
        let mut keys = Vec::new();
        match self.format {
            BookFormat::Epd => {
                let mut lines = BookLines::new(input, 1).peekable();
                while lines.peek().is_some() {
                    error::go_on(interrupt)?;
                    let batch = lines.by_ref().take(BATCH).collect();
                    self.read_batch(batch, &mut keys)?;
                }
            }
            BookFormat::Pgn => {
                // One after another: where the next game begins shows only when this one has been
                // read.
                for game in BookGames::new(input, 1, self.plies) {
                    error::go_on(interrupt)?;
                    let game = game?;
                    keys.push(self.check(game.line, &game.start)?);
                    self.index.push(game.offset, game.line);
                }
            }
            BookFormat::Polyglot => {
                let mut bytes = Vec::new();
                input.read_to_end(&mut bytes).map_err(ReadError::Io)?;
                let book = chess::notation::polyglot::Book::from_bytes(bytes)
                    .map_err(|error| ReadError::Unusable(error.to_string()))?;
                let plies = self.plies.unwrap_or(polyglot::PLIES);
                self.lines = Some(polyglot::PolyglotLines::new(&book, plies, interrupt)?);
            }
        }
        let all = keys.len();
        // 64-bit keys: two of a million different positions share one with a probability of 3e-8.
        keys.par_sort_unstable();
        keys.dedup();
        self.duplicates = (all - keys.len()) as u64;
        Ok(())
    }

    /// Checks lines on all CPUs; reports the first faulty one.
    fn read_batch(
        &mut self,
        lines: Vec<Result<BookLine, ReadError>>,
        keys: &mut Vec<u64>,
    ) -> Result<(), ReadError> {
        let place_of = |line: Result<BookLine, ReadError>| {
            let line = line?;
            let key = self.check(line.number, &line.start()?)?;
            Ok((line.offset, line.number, key))
        };
        let places: Vec<_> = lines.into_par_iter().map(place_of).collect();
        for place in places {
            let (offset, line, key) = place?;
            keys.push(key);
            self.index.push(Some(offset), line);
        }
        Ok(())
    }

    fn check(&self, line: u64, start: &OpeningStart) -> Result<u64, ReadError> {
        let checked = start.check(self.chess960);
        checked.map_err(|fault| ReadError::Faulty { line, fault })
    }
}

// An index of the offsets of openings in a file, in little memory.
//
// At first every opening has an entry; once there are too many, every second one, then every
// fourth, and so on. Others are found by skipping openings from the last entry before them.

/// Maximum number of entries: 0.2 MB.
const MAX_PLACES: usize = 1 << 13;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BookPlace {
    /// Its number in the book, from 0.
    number: u64,
    /// The byte offset of its line.
    offset: u64,
    /// Its line, from 1.
    line: u64,
}

/// The number of openings in a book, and the locations of some of them.
#[derive(Clone, Debug)]
struct Index {
    places: Vec<BookPlace>,
    len: u64,
    /// No two entries are closer than this number of openings.
    step: u64,
    max_places: usize,
}

impl Index {
    fn with_capacity(max_places: usize) -> Self {
        Self {
            places: Vec::new(),
            len: 0,
            step: 1,
            max_places,
        }
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Adds the next opening. `offset` is `None` if it does not begin a line, since reading cannot
    /// start there.
    pub(super) fn push(&mut self, offset: Option<u64>, line: u64) {
        let number = self.len;
        self.len += 1;
        let is_due = self
            .places
            .last()
            .is_none_or(|last| number - last.number >= self.step);
        // Reading from the start of the file always works.
        let offset = if number == 0 { Some(0) } else { offset };
        let line = if number == 0 { 1 } else { line };
        let (true, Some(offset)) = (is_due, offset) else {
            return;
        };
        if self.places.len() == self.max_places {
            self.thin_out();
        }
        self.places.push(BookPlace {
            number,
            offset,
            line,
        });
    }

    /// The last entry at or before an opening.
    ///
    /// # Panics
    ///
    /// If there is no such opening.
    pub(super) fn before(&self, number: u64) -> BookPlace {
        assert!(number < self.len, "opening {number} of {}", self.len);
        let after = self.places.partition_point(|place| place.number <= number);
        self.places[after - 1]
    }

    fn thin_out(&mut self) {
        self.step *= 2;
        let mut index = 0;
        self.places.retain(|_| {
            index += 1;
            // The first entry stays: every opening can be found from there.
            index % 2 == 1
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_near_and_few() {
        let mut index = Index::with_capacity(8);
        for number in 0..1000 {
            index.push(Some(number * 10), number + 1);
            assert!(index.places.len() <= 8);
        }
        assert_eq!((index.len(), index.step), (1000, 128));
        for number in 0..1000 {
            let place = index.before(number);
            assert!(
                place.number <= number && number - place.number < 256,
                "{number}: {place:?}"
            );
            let expected = (place.number * 10, place.number + 1);
            assert_eq!((place.offset, place.line), expected);
        }
    }

    #[test]
    fn an_opening_within_a_line_has_no_place() {
        let mut index = Index::with_capacity(8);
        for (offset, line) in [(None, 1), (None, 1), (Some(70), 2), (None, 2)] {
            index.push(offset, line);
        }
        let places: Vec<_> = (0..4).map(|number| index.before(number)).collect();
        let first = BookPlace {
            number: 0,
            offset: 0,
            line: 1,
        };
        let third = BookPlace {
            number: 2,
            offset: 70,
            line: 2,
        };
        assert_eq!(places, [first, first, third, third]);
    }
}
