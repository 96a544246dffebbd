//! What can be wrong with a command, and where.

use chess::notation::fen::ParseFenError;
use chess::notation::uci_move::ParseUciMoveError;

/// A command that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {fault}")]
pub struct ParseCommandError {
    /// The line.
    pub line: String,
    /// Where in it the fault lies, in bytes from 1.
    pub column: usize,
    /// What is wrong.
    #[source]
    pub fault: CommandFault,
}

/// Why a command cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandFault {
    /// The line ends too soon.
    #[error("the line ends, expected {expected}")]
    Missing {
        /// What should have followed.
        expected: &'static str,
    },
    /// A word that does not belong where it stands.
    #[error("unexpected '{found}', expected {expected}")]
    Unexpected {
        /// The word.
        found: String,
        /// What may stand there.
        expected: &'static str,
    },
    /// Not a number, or beyond the range.
    #[error("'{found}' is no {what}, expected a number from {least} to {most}")]
    NotANumber {
        /// The word.
        found: String,
        /// What the number stands for.
        what: &'static str,
        /// The least that is allowed.
        least: i64,
        /// The most that is allowed.
        most: u64,
    },
    /// A limit given twice.
    #[error("'{key}' is given twice")]
    Repeated {
        /// Its name.
        key: String,
    },
    /// Not a move.
    #[error(transparent)]
    Move(#[from] ParseUciMoveError),
    /// Not a legal position.
    #[error("{0}")]
    Fen(#[source] ParseFenError),
}
