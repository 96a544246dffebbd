//! Errors of a run directory.

use std::io;
use std::path::PathBuf;

use chess::notation::fen::ParseFenError;
use chess::notation::pgn::WritePgnError;

use crate::play::schedule::ScheduleError;

/// Why a record is not a game of chess.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnError {
    /// The starting position cannot be parsed.
    #[error("the first position: {0}")]
    Fen(#[from] ParseFenError),
    #[error("ply {ply} is '{text}', which is not legal there")]
    Move {
        /// The ply, from 1, opening included.
        ply: usize,
        text: String,
    },
    #[error("the game cannot be written as PGN: {0}")]
    Write(#[from] WritePgnError),
}

/// Why a run directory cannot be created, read or written.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    #[error("{} exists already: a run is never written over", path.display())]
    Exists { path: PathBuf },
    #[error("{} is not a run directory: {name} is missing", path.display())]
    NotARun { path: PathBuf, name: &'static str },
    #[error(
        "{} is the directory of a tuning: selfplay tune --show shows it, --resume resumes it",
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
    /// A line of the ledger is not a valid record.
    #[error("{}:{line}: {reason}", path.display())]
    Record {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        reason: RecordFault,
    },
    /// The opening of a game cannot be read.
    #[error("{reason}")]
    Opening { reason: String },
    #[error("{}: {source}", path.display())]
    Schedule {
        path: PathBuf,
        source: ScheduleError,
    },
}

#[derive(Debug, thiserror::Error)]
pub enum RecordFault {
    #[error("column {column}: {reason}")]
    Json {
        /// The column, from 1.
        column: usize,
        reason: String,
    },
    /// The line exceeds the maximum length.
    #[error("the line has more than {most} bytes, which no record has")]
    TooLong {
        /// The maximum length, in bytes.
        most: u64,
    },
    /// The line is not UTF-8.
    #[error("byte {offset} of the line is not UTF-8")]
    NotUtf8 {
        /// The position of the first invalid byte, from 1.
        offset: usize,
    },
    /// It names an engine that is not in the configuration.
    #[error("engine {engine} plays, expected 0 to {last}")]
    Engine { engine: usize, last: usize },
    /// The game does not belong to this run.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    #[error("a game that ended by '{termination}' {what}")]
    Fault {
        termination: &'static str,
        what: &'static str,
    },
    #[error("it does not begin with opening {number} of the run")]
    Opening {
        /// The number of the opening, from 0.
        number: u64,
    },
    /// Moves follow after the end of the game.
    #[error("ply {ply} was played after the end of the game by '{end}'")]
    PlayedOn {
        /// The first superfluous ply, from 1, opening included.
        ply: usize,
        end: &'static str,
    },
    #[error("the record says that it ended by {claimed}, but the board {found}")]
    Ending {
        claimed: String,
        /// The ending according to the rules.
        found: String,
    },
    #[error(transparent)]
    Moves(#[from] PgnError),
}

impl LedgerError {
    /// Returns true if the machine is to blame, and not the command line or the files.
    pub const fn is_environment(&self) -> bool {
        matches!(self, Self::Write { .. } | Self::InUse { .. })
    }
}

/// The message of a JSON error without its place, which our messages print in front.
pub(super) fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}
