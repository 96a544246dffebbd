//! The progress of a search.

use std::time::Duration;

use serde::{Serialize, Serializer};

/// The progress of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct SearchMoment {
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    /// The time since `go`, by our own clock.
    #[serde(rename = "seconds", serialize_with = "seconds")]
    pub(crate) time: Duration,
}

/// Writes a time as JSON does.
pub(super) fn seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}
