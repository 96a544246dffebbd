//! Where games begin: books of positions and of games, the first positions of Chess960.
//!
//! A book is read once when it is opened, and every opening in it checked: that it can be read, that
//! its moves are legal, that the game is not over in it. What is wrong is an error with file and line,
//! and no game is played. Of the book only an index is kept in memory, which is small however large
//! the book is; an opening is read again from the file when a game needs it.
//!
//! A book packed by gzip is known by its first bytes, and unpacked once into a temporary file without
//! a name, which vanishes with the process however that ends.
//!
//! - **EPD**: one position a line, with four fields and operations or six fields of a FEN, as
//!   [`epd::Record::parse_lenient`] reads them; `hmvc` and `fmvn` count. Empty lines and comments,
//!   which begin with `#`, are passed over.
//! - **PGN**: as [`chess::notation::pgn`] reads it. The first plies of each game are the opening; a
//!   game that has fewer is an opening as a whole. Variations are passed over. Every move of a game
//!   must be legal, also those that are not played.
//!
//! An opening is over where a game is: by mate, stalemate, dead material, the third repetition or
//! fifty moves, at any of its plies.

mod book;
mod chess960;
mod epd_lines;
mod error;
mod file;
mod index;
mod order;
mod pgn_games;
mod start;

pub use chess960::{DOUBLE_POSITIONS, POSITIONS};
pub use error::{OpeningError, OpeningFault};

use std::sync::atomic::AtomicBool;

use crate::model::{BookOrder, Opening, OpeningSource};
use book::Book;
use order::Permutation;

/// The openings of a run. Shared by all workers.
#[derive(Debug)]
pub struct Openings {
    source: Source,
    /// The order, if it is not that of the source.
    order: Option<Permutation>,
    /// How many are passed over.
    start: u64,
}

#[derive(Debug)]
enum Source {
    Startpos,
    Book(Book),
    Chess960,
    DoubleChess960,
}

impl Openings {
    /// Opens what the configuration names. `seed` decides every order that is not that of a book.
    ///
    /// # Errors
    ///
    /// When a book cannot be read, or an opening in it is faulty: the first such.
    pub fn open(source: &OpeningSource, seed: u64) -> Result<Self, OpeningError> {
        Self::open_unless(source, seed, &AtomicBool::new(false))
    }

    /// As [`Openings::open`], until the flag is set: a large book takes seconds.
    ///
    /// # Errors
    ///
    /// As for [`Openings::open`]; [`OpeningError::Interrupted`] once the flag is set.
    pub fn open_unless(
        source: &OpeningSource,
        seed: u64,
        interrupt: &AtomicBool,
    ) -> Result<Self, OpeningError> {
        let shuffled = |len| Some(Permutation::new(len, seed));
        let (source, order, start) = match source {
            OpeningSource::Startpos => (Source::Startpos, None, 0),
            OpeningSource::Chess960 => (Source::Chess960, shuffled(POSITIONS), 0),
            OpeningSource::DoubleChess960 => {
                (Source::DoubleChess960, shuffled(DOUBLE_POSITIONS), 0)
            }
            OpeningSource::Book {
                path,
                format,
                order,
                start,
                plies,
                chess960,
            } => {
                let book = Book::open(path, *format, *plies, *chess960, interrupt)?;
                let openings = book.len();
                if *start >= openings {
                    let path = path.clone();
                    let start = *start;
                    return Err(OpeningError::StartBeyond {
                        path,
                        start,
                        openings,
                    });
                }
                let order = match order {
                    BookOrder::Sequential => None,
                    BookOrder::Random => shuffled(openings),
                };
                (Source::Book(book), order, *start)
            }
        };
        Ok(Self {
            source,
            order,
            start,
        })
    }

    /// How many openings there are; at least one.
    #[expect(clippy::len_without_is_empty, reason = "it is never empty")]
    pub fn len(&self) -> u64 {
        match &self.source {
            Source::Startpos => 1,
            Source::Book(book) => book.len(),
            Source::Chess960 => POSITIONS,
            Source::DoubleChess960 => DOUBLE_POSITIONS,
        }
    }

    /// The opening with this number in the order of the run; after the last the first comes again.
    ///
    /// # Errors
    ///
    /// When the book can no longer be read, or was changed.
    pub fn get(&self, number: u64) -> Result<Opening, OpeningError> {
        let place = (number % self.len() + self.start) % self.len();
        let place = self.order.as_ref().map_or(place, |order| order.at(place));
        match &self.source {
            Source::Startpos => Ok(start::startpos()),
            Source::Book(book) => book.get(place),
            Source::Chess960 => Ok(chess960::opening(place)),
            Source::DoubleChess960 => Ok(chess960::double_opening(place)),
        }
    }

    /// Length and CRC-32 of the unpacked book, by which a resumed run knows that it is the same;
    /// `None` without a book.
    pub fn fingerprint(&self) -> Option<String> {
        match &self.source {
            Source::Book(book) => Some(book.fingerprint()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
