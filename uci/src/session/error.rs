//! Errors of session requests.

use super::State;

/// The reasons why a request is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    /// The command is not allowed in this state.
    #[error("cannot send {command} while {state}")]
    OutOfTurn {
        /// The command that would have been sent.
        command: &'static str,
        /// The current state.
        state: State,
    },
    /// The engine has declared no such option.
    #[error("the engine has no option '{name}'")]
    UnknownOption {
        /// The name asked for.
        name: String,
    },
    /// The option rejects this value.
    #[error("option '{name}' cannot be {value:?}, expected {expected}")]
    BadValue {
        /// The name of the option.
        name: String,
        /// The value; empty if there was none.
        value: String,
        /// The values it accepts.
        expected: String,
    },
    /// `go perft` is not a search: no `bestmove` answers it.
    #[error("go perft is not answered by bestmove: send it as a line, and read lines")]
    Perft,
}
