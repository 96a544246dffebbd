//! What upkeep remembers from round to round.

use std::collections::HashMap;
use std::sync::Arc;

use crate::trust::suspicion::TimedList;

/// What upkeep remembers from round to round.
#[derive(Debug)]
pub(super) struct Memory {
    /// How many lists were finished when answers were last aggregated.
    pub(super) lists: u64,
    /// Whether people or positions were changed since.
    pub(super) is_stale: bool,
    /// Lists with times that others are held against, by assignment.
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
    /// Says that somebody's lists count now or no longer, or that positions were added or opened.
    pub(super) fn changed(&mut self) {
        self.is_stale = true;
    }
}
