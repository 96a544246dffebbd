//! State that upkeep keeps between rounds.

use std::collections::HashMap;
use std::sync::Arc;

use crate::trust::suspicion::TimedList;

/// State that upkeep keeps between rounds.
#[derive(Debug)]
pub(super) struct Memory {
    /// Number of finished lists at the last aggregation.
    pub(super) lists: u64,
    /// Whether contributors or positions have changed since.
    pub(super) is_stale: bool,
    /// Cached timed lists for comparison, by assignment.
    pub(super) timed: HashMap<i64, Arc<TimedList>>,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            lists: 0,
            is_stale: true,
            timed: HashMap::new(),
        }
    }
}

impl Memory {
    /// Records that a contributor was excluded or readmitted, or that positions were added or
    /// reopened.
    pub(super) fn changed(&mut self) {
        self.is_stale = true;
    }
}
