//! Games that other machines have played.

use serde::{Deserialize, Serialize};

/// Who played a game of a fleet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The name of the worker.
    pub worker: String,
    /// What the times of the configuration were multiplied by; `None` where there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_scale: Option<f64>,
}

/// A worker whose games do not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetAside {
    /// The name of the worker.
    pub worker: String,
    /// Why, with the numbers.
    pub reason: String,
    /// How many of its games were recorded, and are no longer.
    pub games: u64,
    /// Where these games are kept, from the run directory.
    pub kept: String,
}
