//! What can go wrong, and where.

use std::io;

use chess::notation::pgn::ReadPgnError;
use engine::eval::network::ReadNetworkError;

use crate::line::ParseLineError;

/// Why a command gave up.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TrainerError {
    /// The arguments are not understood.
    #[error("{0}")]
    Usage(String),
    /// A file cannot be opened, read or written.
    #[error("{path}: {source}")]
    File {
        /// Which.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// A game cannot be read.
    #[error("{path}: {source}")]
    Games {
        /// In which file.
        path: String,
        /// Where in it, and why.
        source: ReadPgnError,
    },
    /// A line is none that `positions` has written.
    #[error("{path}, line {number}: {source}")]
    Line {
        /// In which file.
        path: String,
        /// The line, from 1.
        number: usize,
        /// Why.
        source: ParseLineError,
    },
    /// A file is no network.
    #[error("{path} is no network: {source}")]
    Network {
        /// Which file.
        path: String,
        /// Why not.
        source: ReadNetworkError,
    },
    /// Nothing to learn from, or nothing to judge by.
    #[error("{training} positions to learn from and {hold_out} to judge by, expected some of both")]
    TooFew {
        /// Positions to learn from.
        training: usize,
        /// Positions held out.
        hold_out: usize,
    },
    /// There is no memory for a search.
    #[error(transparent)]
    Hash(#[from] engine::search::HashError),
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
}
