//! Games played by other machines.

use serde::{Deserialize, Serialize};

/// The fleet worker that played a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The name of the worker.
    pub worker: String,
    /// The factor applied to the configured times; `None` if there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_scale: Option<f64>,
}

/// A quarantined worker, whose games do not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetAside {
    /// The name of the worker.
    pub worker: String,
    /// The reason, with the numbers.
    pub reason: String,
    /// Number of its recorded games that were removed.
    pub games: u64,
    /// The path of the removed games, relative to the run directory.
    pub kept: String,
}
