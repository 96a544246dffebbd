//! The system clock, read at the edge and passed in.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::model::Timestamp;

/// The current time.
#[expect(
    clippy::disallowed_methods,
    reason = "the edge reads the clock for all behind it"
)]
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
