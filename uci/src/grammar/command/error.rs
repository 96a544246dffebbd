//! Parse errors of commands, with their place.

use chess::notation::fen::ParseFenError;
use chess::notation::uci_move::ParseUciMoveError;

/// A command that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {fault}")]
pub struct ParseCommandError {
    /// The rejected line.
    pub line: String,
    /// Position of the fault, in bytes from 1.
    pub column: usize,
    /// The fault at that place.
    #[source]
    pub fault: CommandFault,
}

/// The ways in which a command is malformed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandFault {
    /// The line ends too early.
    #[error("the line ends, expected {expected}")]
    Missing {
        /// What should have followed.
        expected: &'static str,
    },
    /// A word that is not valid at its place.
    #[error("unexpected '{found}', expected {expected}")]
    Unexpected {
        /// The word.
        found: String,
        /// What would be valid there.
        expected: &'static str,
    },
    /// Not a number, or out of range.
    #[error("'{found}' is no {what}, expected a number from {least} to {most}")]
    NotANumber {
        /// The word.
        found: String,
        /// The meaning of the number.
        what: &'static str,
        /// Minimum value.
        least: i64,
        /// Maximum value.
        most: u64,
    },
    /// A limit given twice.
    #[error("'{key}' is given twice")]
    Repeated {
        /// The name of the limit.
        key: String,
    },
    /// Not a move.
    #[error(transparent)]
    Move(#[from] ParseUciMoveError),
    /// Not a legal position.
    #[error("{0}")]
    Fen(#[source] ParseFenError),
}
