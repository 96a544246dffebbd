//! The engine that is checked.

use std::time::Duration;

use uci::{Cancel, CommandLine};

/// The engine, and how it is asked.
#[derive(Clone, Debug)]
pub struct Subject {
    /// How it is started.
    pub command: CommandLine,
    /// Options that are set each time; a button has no value.
    pub options: Vec<(String, Option<String>)>,
    /// How long is waited for what.
    pub patience: Patience,
    /// Ends every wait.
    pub cancel: Cancel,
}

/// How long is waited for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For any answer.
    pub answer: Duration,
    /// So much later than its time an answer may come, by our clock.
    pub margin: Duration,
}
