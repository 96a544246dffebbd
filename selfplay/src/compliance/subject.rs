//! The engine under test.

use std::time::Duration;

use uci::{Cancel, CommandLine};

/// The engine under test, and the settings of its checks.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Command that starts the engine.
    pub command: CommandLine,
    /// Options to set in each process; a button has no value.
    pub options: Vec<(String, Option<String>)>,
    /// Time limits of answers.
    pub patience: Patience,
    /// Cancels every wait.
    pub cancel: Cancel,
}

/// Time limits of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Maximum time for any answer.
    pub answer: Duration,
    /// Allowed delay of an answer beyond its time limit, by the wall clock of this program.
    pub margin: Duration,
}
