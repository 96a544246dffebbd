//! What can be wrong with a run directory.

use std::io;
use std::path::PathBuf;

use chess::notation::fen::ParseFenError;
use chess::notation::pgn::WritePgnError;

use crate::schedule::ScheduleError;

/// A record that is no game of chess.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnError {
    /// The first position cannot be read.
    #[error("the first position: {0}")]
    Fen(#[from] ParseFenError),
    /// A move that is not legal where it stands.
    #[error("ply {ply} is '{text}', which is no legal move there")]
    Move {
        /// Which ply, from 1, those of the opening included.
        ply: usize,
        /// The move.
        text: String,
    },
    /// PGN has no form for it.
    #[error("the game cannot be written as PGN: {0}")]
    Write(#[from] WritePgnError),
}

/// Why a run directory cannot be made, read or written.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// There is something already.
    #[error("{} exists already: a run is never written over", path.display())]
    Exists {
        /// The directory.
        path: PathBuf,
    },
    /// There is no run.
    #[error("{} is no run directory: it has no {name}", path.display())]
    NotARun {
        /// The directory.
        path: PathBuf,
        /// What is missing.
        name: &'static str,
    },
    /// It is the directory of a tuning.
    #[error(
        "{} is the directory of a tuning: selfplay tune --show shows it, --resume goes on with it",
        path.display()
    )]
    Tuning {
        /// The directory.
        path: PathBuf,
    },
    /// Another process writes it.
    #[error("{} is in use by another process{}", path.display(), holder(*process))]
    InUse {
        /// The directory.
        path: PathBuf,
        /// The number of the process, if it is known.
        process: Option<u32>,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The configuration has what cannot be written: a path that is no text.
    #[error("cannot write {}: {source}", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// What it is.
        source: serde_json::Error,
    },
    /// The configuration is not one of ours.
    #[error("{}:{line}:{column}: {reason}", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// Where, from 1.
        line: usize,
        /// Where, from 1.
        column: usize,
        /// Why not.
        reason: String,
    },
    /// A line of the ledger is not a record.
    #[error("{}:{line}: {reason}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong.
        reason: RecordFault,
    },
    /// The opening of a game cannot be had.
    #[error("{reason}")]
    Opening {
        /// Why not.
        reason: String,
    },
    /// The configuration cannot be scheduled.
    #[error("{}: {source}", path.display())]
    Schedule {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: ScheduleError,
    },
}

/// What is wrong with a record.
#[derive(Debug, thiserror::Error)]
pub enum RecordFault {
    /// It cannot be read.
    #[error("column {column}: {reason}")]
    Json {
        /// Where, from 1.
        column: usize,
        /// Why.
        reason: String,
    },
    /// A line without end.
    #[error("the line has more than {most} bytes, which no record has")]
    TooLong {
        /// The longest line that is read.
        most: u64,
    },
    /// The bytes are no text.
    #[error("byte {offset} of the line is not UTF-8")]
    NotUtf8 {
        /// Where, from 1.
        offset: usize,
    },
    /// An engine that the run does not have.
    #[error("engine {engine} plays, expected 0 to {last}")]
    Engine {
        /// Its place in the configuration.
        engine: usize,
        /// The last place.
        last: usize,
    },
    /// It is no game of this run.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// Its parts contradict each other.
    #[error("a game that ended by '{termination}' {what}")]
    Fault {
        /// How it ended.
        termination: &'static str,
        /// The contradiction.
        what: &'static str,
    },
    /// It begins otherwise than the run would have it.
    #[error("it does not begin with opening {number} of the run")]
    Opening {
        /// The number of the opening, from 0.
        number: u64,
    },
    /// It went on when it was over.
    #[error("ply {ply} was played after the end of the game by '{end}'")]
    PlayedOn {
        /// The first ply too many, from 1, those of the opening included.
        ply: usize,
        /// How it had ended.
        end: &'static str,
    },
    /// It did not end as is said.
    #[error("the record says that it ended by {told}, but the board {found}")]
    Ending {
        /// What is said.
        told: String,
        /// What the board says.
        found: String,
    },
    /// Its moves cannot be played.
    #[error(transparent)]
    Moves(#[from] PgnError),
}

impl LedgerError {
    /// Whether the machine is to blame, and not what was asked or what is in the files.
    pub const fn is_environment(&self) -> bool {
        matches!(self, Self::Write { .. } | Self::InUse { .. })
    }
}

fn holder(process: Option<u32>) -> String {
    process.map_or_else(String::new, |process| format!(", {process}"))
}

/// What an error of the JSON reader says, without the place, which is told in front.
pub(super) fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}
