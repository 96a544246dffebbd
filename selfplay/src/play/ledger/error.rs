//! Errors of a run directory.

use std::io;
use std::path::PathBuf;

use kit::journal::JournalError;

use crate::play::schedule::ScheduleError;

/// Why a run directory cannot be created, read or written.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    #[error("{} exists already: a run is never written over", path.display())]
    Exists { path: PathBuf },
    #[error("{} exists already, expected a new file, or append=on (of --pgn), epd-append = true", path.display())]
    OutputExists { path: PathBuf },
    #[error("pgn and epd-output name the same file, {}, expected one for each", path.display())]
    OutputTwice { path: PathBuf },
    #[error("{} is in the run directory, which has games.pgn: expected a file outside", path.display())]
    OutputInside { path: PathBuf },
    #[error("{} is not a regular file, expected a file for games", path.display())]
    OutputNoFile { path: PathBuf },
    #[error(
        "{} was changed since the run wrote to it: expected its games from byte {at} on; move the \
         file away, and `selfplay resume` writes them anew", path.display()
    )]
    OutputChanged { path: PathBuf, at: u64 },
    #[error("{} is not a run directory: config.json is missing", path.display())]
    NotARun { path: PathBuf },
    #[error(
        "{} is the directory of a tuning: `selfplay tune --show` shows it, `selfplay resume` resumes it",
        path.display()
    )]
    Tuning { path: PathBuf },
    #[error("{} is in use by another process{}", path.display(), process.map_or_else(String::new, |process| format!(", {process}")))]
    InUse { path: PathBuf, process: Option<u32> },
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    /// The configuration cannot be written as JSON: a path is not valid Unicode.
    #[error("cannot write {}: {source}", path.display())]
    NotText {
        path: PathBuf,
        source: serde_json::Error,
    },
    #[error("{}:{line}:{column}: {reason}", path.display())]
    Config {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        reason: String,
    },
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The opening of a game cannot be read.
    #[error("{reason}")]
    Opening { reason: String },
    #[error("{}: {source}", path.display())]
    Schedule {
        path: PathBuf,
        source: ScheduleError,
    },
}

/// What is wrong with a record: it is not one, not of this run, or not a game of chess.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RecordFault(pub(super) String);

impl LedgerError {
    /// Returns true if the machine is to blame, and not the command line or the files.
    pub fn is_environment(&self) -> bool {
        match self {
            Self::Write { .. } | Self::InUse { .. } => true,
            Self::Journal(error) => !error.is_bad_input(),
            _ => false,
        }
    }
}
