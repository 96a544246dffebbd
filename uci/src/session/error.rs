//! Why a request cannot be made.

use super::State;

/// Why a request cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SessionError {
    /// Not in this state.
    #[error("cannot send {command} while {state}")]
    OutOfTurn {
        /// What would have been sent.
        command: &'static str,
        /// How the session stands.
        state: State,
    },
    /// The engine has declared no such option.
    #[error("the engine has no option '{name}'")]
    UnknownOption {
        /// The name asked for.
        name: String,
    },
    /// The option does not take this value.
    #[error("option '{name}' cannot be {value:?}, expected {expected}")]
    BadValue {
        /// The name of the option.
        name: String,
        /// The value, none where there was none.
        value: String,
        /// What it takes.
        expected: String,
    },
    /// `go perft` is no search: no `bestmove` answers it.
    #[error("go perft is not answered by bestmove: send it as a line, and read lines")]
    Perft,
}
