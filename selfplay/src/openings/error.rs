//! Errors of openings, with their location.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The file cannot be opened, read or decompressed.
    #[error("cannot read the opening book {}: {source}", path.display())]
    Io {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// The path is a pipe or a device, which cannot be read twice.
    #[error("the opening book {} is not a regular file", path.display())]
    NotAFile { path: PathBuf },
    #[error("interrupted")]
    Interrupted,
    #[error("no opening in the book {}", path.display())]
    Empty { path: PathBuf },
    #[error("{}:{line}: {fault}", path.display())]
    Faulty {
        path: PathBuf,
        /// The line of the opening, or of the fault in a game, from 1.
        line: u64,
        #[source]
        fault: OpeningFault,
    },
    /// The whole file is not what its name or its format says.
    #[error("cannot use the opening book {}: {reason}", path.display())]
    Unusable { path: PathBuf, reason: String },
    #[error("the opening book {} was changed while it was in use", path.display())]
    Changed { path: PathBuf },
}

/// Why an opening cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OpeningFault(pub(super) String);

/// Why the next opening of a book cannot be read.
#[derive(Debug)]
pub(super) enum ReadError {
    Io(io::Error),
    NotAFile,
    Interrupted,
    Unusable(String),
    Faulty { line: u64, fault: OpeningFault },
}

impl ReadError {
    pub(super) fn in_book(self, path: &std::path::Path) -> OpeningError {
        let path = path.to_owned();
        match self {
            Self::Io(source) => OpeningError::Io { path, source },
            Self::NotAFile => OpeningError::NotAFile { path },
            Self::Interrupted => OpeningError::Interrupted,
            Self::Unusable(reason) => OpeningError::Unusable { path, reason },
            Self::Faulty { line, fault } => OpeningError::Faulty { path, line, fault },
        }
    }
}

/// Returns an error once the user has interrupted reading.
pub(super) fn go_on(interrupt: &AtomicBool) -> Result<(), ReadError> {
    if interrupt.load(Ordering::Relaxed) {
        return Err(ReadError::Interrupted);
    }
    Ok(())
}
