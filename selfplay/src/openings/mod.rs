//! Openings: books of positions and games, two of them in the program, and the start positions of
//! Chess960.
//!
//! A book is read completely when it is opened, and every opening in it is checked: it must parse,
//! its moves must be legal, and the game must not be over in it. Any fault is an error with file
//! and line, and no game is played. Only a small index of the book is kept in memory, however large
//! the book is; an opening is read again from the file when a game needs it.
//!
//! A compressed book (gzip, Zstandard, or the only file in a ZIP archive) is recognised by its first
//! bytes, and decompressed once into an unnamed temporary file, which disappears with the process
//! however that ends.
//!
//! - **EPD**: one position per line, with four fields and operations or the six fields of a FEN, as
//!   read by [`epd::Record::parse_lenient`]; `hmvc` and `fmvn` are used. Empty lines and comments,
//!   which begin with `#`, are skipped.
//! - **PGN**: as read by [`chess::notation::pgn`]. The first plies of each game are the opening; a
//!   shorter game is used as a whole. Variations are skipped. Every move of a game must be legal,
//!   including those that are not played.
//! - **Polyglot**: every line of the book from the start position, to a number of plies.
//!
//! An opening is rejected if the game is over at any of its plies: by checkmate, stalemate,
//! insufficient material, threefold repetition or the fifty-move rule.

mod book;
mod builtin;
mod error;
mod formats;
mod order;
mod polyglot;
mod start;
#[cfg(test)]
mod tests;
mod unpack;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use book::OpeningBook;
use order::Permutation;

use crate::model::{BookOrder, Opening, OpeningSource};
pub use error::OpeningError;
pub use order::{DOUBLE_POSITIONS, POSITIONS};

/// The openings of a run. Shared by all workers.
#[derive(Debug)]
pub struct Openings {
    source: Source,
    order: Option<Permutation>,
    start: u64,
}

#[derive(Debug)]
enum Source {
    Startpos,
    BuiltIn(builtin::BuiltinLines),
    Book(OpeningBook),
    /// Those that a test of a lab brings.
    Listed(Vec<Opening>),
    Chess960,
    DoubleChess960,
}

impl Openings {
    /// Opens the configured source. `seed` determines every order except that of the book.
    ///
    /// # Errors
    ///
    /// If a book cannot be read, or contains a faulty opening; the error names the first one.
    pub fn open(source: &OpeningSource, seed: u64) -> Result<Self, OpeningError> {
        Self::open_unless(source, seed, &AtomicBool::new(false))
    }

    /// Like [`Openings::open`], but stops once the flag is set: a large book takes seconds.
    pub fn open_unless(
        source: &OpeningSource,
        seed: u64,
        interrupt: &AtomicBool,
    ) -> Result<Self, OpeningError> {
        let found = match source {
            OpeningSource::Startpos => Source::Startpos,
            OpeningSource::BuiltIn { book, .. } => {
                Source::BuiltIn(builtin::BuiltinLines::from_book(*book))
            }
            OpeningSource::Chess960 => Source::Chess960,
            OpeningSource::DoubleChess960 => Source::DoubleChess960,
            OpeningSource::Book {
                path,
                format,
                plies,
                chess960,
                ..
            } => Source::Book(OpeningBook::open(
                path, *format, *plies, *chess960, interrupt,
            )?),
        };
        // Start positions are drawn at random; of one position, the order makes no difference.
        let (order, start) = source.order().unwrap_or((BookOrder::Random, 0));
        let mut openings = Self {
            source: found,
            order: None,
            start,
        };
        let len = openings.len();
        // A start beyond the book begins anew, as the openings do after the last one.
        openings.start %= len;
        if order == BookOrder::Random {
            openings.order = Some(Permutation::new(len, seed));
        }
        Ok(openings)
    }

    /// The openings of a list of EPD or FEN lines, shuffled by the seed unless it is `None`.
    ///
    /// # Errors
    ///
    /// If a line is no opening, or there are none; the error names the first such line.
    pub fn listed(
        lines: &[String],
        chess960: bool,
        seed: Option<u64>,
    ) -> Result<Self, OpeningError> {
        // Errors name a file; a list of a test has none.
        let book = || PathBuf::from("openings");
        let text = lines.join("\n");
        let mut openings = Vec::new();
        for line in formats::BookLines::new(text.as_bytes(), 1) {
            let line = line.map_err(|error| error.in_book(&book()))?;
            let (path, number) = (book(), line.number);
            let start = line.start().map_err(|error| error.in_book(&path))?;
            let checked = start.check(chess960);
            checked.map_err(|fault| OpeningError::Faulty {
                path,
                line: number,
                fault,
            })?;
            openings.push(start.into_opening(format!("line {number}"), chess960));
        }
        if openings.is_empty() {
            return Err(OpeningError::Empty { path: book() });
        }
        let len = openings.len() as u64;
        Ok(Self {
            source: Source::Listed(openings),
            order: seed.map(|seed| Permutation::new(len, seed)),
            start: 0,
        })
    }

    #[expect(clippy::len_without_is_empty, reason = "it is never empty")]
    pub fn len(&self) -> u64 {
        match &self.source {
            Source::Startpos => 1,
            Source::BuiltIn(lines) => lines.len(),
            Source::Book(book) => book.len(),
            Source::Listed(openings) => openings.len() as u64,
            Source::Chess960 => POSITIONS,
            Source::DoubleChess960 => DOUBLE_POSITIONS,
        }
    }

    /// Number of openings of a book that lead to the same position as another: their games are those
    /// of the other again.
    pub fn duplicates(&self) -> u64 {
        match &self.source {
            Source::Book(book) => book.duplicates(),
            _ => 0,
        }
    }

    /// The opening with this number in the order of the run; after the last one, the first follows.
    pub fn get(&self, number: u64) -> Result<Opening, OpeningError> {
        // The remainder comes first: the sum of the numbers as given may overflow.
        let place = (number % self.len() + self.start) % self.len();
        let place = self.order.as_ref().map_or(place, |order| order.at(place));
        match &self.source {
            Source::Startpos => Ok(Opening::startpos()),
            Source::BuiltIn(lines) => Ok(lines.get(place)),
            Source::Book(book) => book.get(place),
            Source::Listed(openings) => {
                let place = usize::try_from(place).expect("below their number");
                Ok(openings[place].clone())
            }
            Source::Chess960 => Ok(order::opening(place)),
            Source::DoubleChess960 => Ok(order::double_opening(place)),
        }
    }

    /// Length and CRC-32 of the uncompressed book, so that a resumed run can verify that it is
    /// unchanged; `None` without a book.
    pub fn fingerprint(&self) -> Option<String> {
        match &self.source {
            Source::BuiltIn(lines) => Some(lines.fingerprint()),
            Source::Book(book) => Some(book.fingerprint()),
            _ => None,
        }
    }
}
