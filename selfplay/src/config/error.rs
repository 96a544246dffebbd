//! Why what was typed is no run.

use crate::schedule::ScheduleError;
use crate::stats::DesignError;

/// Why there is no such run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// What is said of an engine makes no engine.
    #[error("engine '{name}': {reason}")]
    Engine {
        /// Its name.
        name: String,
        /// What is wrong, and what was expected.
        reason: String,
    },
    /// Engines that nobody can tell from each other.
    #[error(
        "engines {first} and {second} are both named '{name}', expected a name of its own for each"
    )]
    SameName {
        /// The place of one, from 1.
        first: usize,
        /// The place of the other.
        second: usize,
        /// The name.
        name: String,
    },
    /// Something is missing, or means nothing here.
    #[error("{0}")]
    Missing(String),
    /// No test.
    #[error("sprt: {0}")]
    Sprt(#[from] DesignError),
    /// No schedule.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
}
