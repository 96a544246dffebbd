//! Errors, with their location.

use std::io;

use chess::notation::pgn::ReadPgnError;
use engine::eval::network::ReadNetworkError;

use crate::line::ParseLineError;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TrainerError {
    /// Invalid arguments.
    #[error("{0}")]
    Usage(String),
    /// A file cannot be opened, read or written.
    #[error("{path}: {source}")]
    File { path: String, source: io::Error },
    /// An invalid game.
    #[error("{path}: {source}")]
    Games {
        /// The PGN file.
        path: String,
        /// The error, with its location in the file.
        source: ReadPgnError,
    },
    /// A line that was not written by `positions`.
    #[error("{path}, line {number}: {source}")]
    Line {
        /// The file with the line.
        path: String,
        /// The line number, from 1.
        number: usize,
        source: ParseLineError,
    },
    /// Not a valid network file.
    #[error("{path} is no network: {source}")]
    Network {
        path: String,
        source: ReadNetworkError,
    },
    /// No positions to train on, or none held out.
    #[error("{training} positions to learn from and {hold_out} to judge by, expected some of both")]
    TooFew {
        /// Number of training positions.
        training: usize,
        /// Number of held-out positions.
        hold_out: usize,
    },
    /// Not enough memory for a search.
    #[error(transparent)]
    Hash(#[from] engine::search::HashError),
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
}
