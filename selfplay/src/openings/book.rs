//! An opening book: its file, and the offsets of its openings.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use flate2::CrcReader;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::epd_lines::{self, Line, Lines};
use super::error::{self, OpeningError, ReadError};
use super::file;
use super::index::Index;
use super::pgn_games::{self, Games};
use super::start::Start;
use crate::model::{BookFormat, Opening};

/// Number of positions checked at once, on all CPUs.
const BATCH: usize = 512;

/// A book that has been read once and checked.
#[derive(Debug)]
pub(super) struct Book {
    path: PathBuf,
    format: BookFormat,
    plies: Option<u32>,
    chess960: bool,
    index: Index,
    /// Length and CRC-32 of the uncompressed file.
    sum: (u64, u32),
    file: Mutex<File>,
}

impl Book {
    /// Reads a book and checks every opening in it.
    pub(super) fn open(
        path: &Path,
        format: BookFormat,
        plies: Option<u32>,
        chess960: bool,
        interrupt: &AtomicBool,
    ) -> Result<Self, OpeningError> {
        let cannot_read = |error| ReadError::Io(error).in_book(path);
        let file = file::open(path, interrupt).map_err(|error| error.in_book(path))?;
        let mut book = Self {
            path: path.to_owned(),
            format,
            plies,
            chess960,
            index: Index::new(),
            sum: (0, 0),
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
        self.index.len()
    }

    pub(super) fn fingerprint(&self) -> String {
        let (length, crc) = self.sum;
        format!("{length}-{crc:08x}")
    }

    /// The opening with this number in the book.
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

    fn find(&self, number: u64) -> Result<Option<(u64, Start)>, ReadError> {
        let place = self.index.before(number);
        let skip = usize::try_from(number - place.number).expect("places are near");
        // A thread that panicked with the lock leaves only a file position, which is set here.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(place.offset))
            .map_err(ReadError::Io)?;
        let input = BufReader::new(&mut *file);
        let found = match self.format {
            BookFormat::Epd => epd_lines::nth(input, place.line, skip),
            BookFormat::Pgn => pgn_games::nth(input, place.line, self.plies, skip),
        }?;
        if let Some((line, start)) = &found {
            self.check(*line, start)?;
        }
        Ok(found)
    }

    /// Reads the whole book.
    fn read(&mut self, input: impl BufRead, interrupt: &AtomicBool) -> Result<(), ReadError> {
        match self.format {
            BookFormat::Epd => {
                let mut lines = Lines::new(input, 1).peekable();
                while lines.peek().is_some() {
                    error::go_on(interrupt)?;
                    let batch = lines.by_ref().take(BATCH).collect();
                    self.read_batch(batch)?;
                }
            }
            BookFormat::Pgn => {
                for game in Games::new(input, 1, self.plies) {
                    error::go_on(interrupt)?;
                    let game = game?;
                    self.check(game.line, &game.start)?;
                    self.index.push(game.offset, game.line);
                }
            }
        }
        Ok(())
    }

    /// Checks lines on all CPUs; reports the first faulty one.
    fn read_batch(&mut self, lines: Vec<Result<Line, ReadError>>) -> Result<(), ReadError> {
        let place_of = |line: Result<Line, ReadError>| {
            let line = line?;
            self.check(line.number, &line.start()?)?;
            Ok((line.offset, line.number))
        };
        let places: Vec<_> = lines.into_par_iter().map(place_of).collect();
        for place in places {
            let (offset, line) = place?;
            self.index.push(Some(offset), line);
        }
        Ok(())
    }

    fn check(&self, line: u64, start: &Start) -> Result<(), ReadError> {
        let checked = start.check(self.chess960);
        checked.map_err(|fault| ReadError::Faulty { line, fault })
    }
}
