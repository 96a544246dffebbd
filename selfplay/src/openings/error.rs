//! What can be wrong with openings, and where.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use chess::notation::pgn::PgnReason;
use epd::ParseRecordError;

use crate::model::Termination;

/// Why there are no openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The file cannot be opened, read or unpacked.
    #[error("cannot read the opening book {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// It cannot be read twice: a pipe, a device.
    #[error("the opening book {} is no regular file", path.display())]
    NotAFile {
        /// Where it is.
        path: PathBuf,
    },
    /// The user wants no more.
    #[error("interrupted")]
    Interrupted,
    /// Nothing in it.
    #[error("no opening in the book {}", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// More is passed over than there is.
    #[error(
        "start {start} is beyond the {openings} openings of {}, expected 0 to {}",
        path.display(), openings - 1
    )]
    StartBeyond {
        /// The file.
        path: PathBuf,
        /// How many are passed over.
        start: u64,
        /// How many there are.
        openings: u64,
    },
    /// An opening that cannot be played.
    #[error("{}:{line}: {fault}", path.display())]
    Faulty {
        /// The file.
        path: PathBuf,
        /// The line in which it stands, or begins to be wrong, from 1.
        line: u64,
        /// What is wrong.
        #[source]
        fault: OpeningFault,
    },
    /// The file is not what it was when it was opened.
    #[error("the opening book {} was changed while it was in use", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

/// Why an opening cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningFault {
    /// The record cannot be read.
    #[error(transparent)]
    Epd(#[from] ParseRecordError),
    /// The game cannot be read.
    #[error("column {column}: {reason}")]
    Pgn {
        /// Where, from 1, in characters.
        column: usize,
        /// Why.
        reason: PgnReason,
    },
    /// The line is not text.
    #[error("byte {offset} of the line is not UTF-8")]
    NotUtf8 {
        /// Where, from 1.
        offset: usize,
    },
    /// The line is too long for a position.
    #[error("the line is longer than {} bytes", super::epd_lines::MAX_LINE_BYTES)]
    TooLong,
    /// A position, or a game, that only Chess960 has.
    #[error("Chess960 in a book that is said to be of standard chess")]
    Chess960,
    /// Nothing is left to play.
    #[error("the game is over after {plies} plies of the opening: {}", end.as_str())]
    Over {
        /// After how many plies of the opening.
        plies: usize,
        /// How it ended.
        end: Termination,
    },
}

/// Why the next opening of a book cannot be had.
#[derive(Debug)]
pub(super) enum ReadError {
    Io(io::Error),
    NotAFile,
    Interrupted,
    Faulty { line: u64, fault: OpeningFault },
}

impl ReadError {
    pub(super) fn in_book(self, path: &std::path::Path) -> OpeningError {
        let path = path.to_owned();
        match self {
            Self::Io(source) => OpeningError::Io { path, source },
            Self::NotAFile => OpeningError::NotAFile { path },
            Self::Interrupted => OpeningError::Interrupted,
            Self::Faulty { line, fault } => OpeningError::Faulty { path, line, fault },
        }
    }
}

/// An error once the user wants no more.
pub(super) fn go_on(interrupt: &AtomicBool) -> Result<(), ReadError> {
    if interrupt.load(Ordering::Relaxed) {
        return Err(ReadError::Interrupted);
    }
    Ok(())
}
