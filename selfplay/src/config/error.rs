//! Errors in the configuration of a run.

use crate::schedule::ScheduleError;
use crate::stats::DesignError;

/// A configuration that does not describe a valid run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// An engine that is not fully or not validly described.
    #[error("engine '{name}': {reason}")]
    Engine {
        /// The engine's name.
        name: String,
        /// The fault, and what was expected.
        reason: String,
    },
    /// Two engines with the same name.
    #[error(
        "engines {first} and {second} are both named '{name}', expected a name of its own for each"
    )]
    SameName {
        /// Number of the first engine, from 1.
        first: usize,
        /// Number of the second engine, from 1.
        second: usize,
        /// The name that both have.
        name: String,
    },
    /// A value that is missing or has no meaning here.
    #[error("{0}")]
    Missing(String),
    /// The sequential test is invalid.
    #[error("sprt: {0}")]
    Sprt(#[from] DesignError),
    /// The schedule is invalid.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
}
