use std::time::Duration;

use crate::trust::Rule;

/// What can be set about the work of the crowd.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// What all random choices are made from; the same seed and requests give the same choices.
    pub seed: u64,
    /// How many counted lists a position needs before it can be certified.
    pub min_lists: u32,
    /// A person whose reliability in a class is below this is not counted where that class occurs.
    pub min_reliability: f64,
    /// How sure each move must be, one way or the other.
    pub certainty: f64,
    /// How many counted lists may leave a position unsettled before it goes to a moderator.
    pub unsettled_lists: u32,
    /// How long a timed list may take, by the person's own clock.
    pub time_limit: Duration,
    /// How much longer than the time limit the server waits for the last events.
    pub grace: Duration,
    /// How long an assignment counts as a list to come, when positions are chosen.
    pub lock: Duration,
    /// How long an assignment may be worked on; then it is closed.
    pub expiry: Duration,
    /// How many events a list may have.
    pub max_events: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            min_lists: 3,
            min_reliability: 0.7,
            certainty: 0.95,
            unsettled_lists: 12,
            time_limit: Duration::from_secs(90),
            grace: Duration::from_secs(10),
            lock: Duration::from_mins(15),
            expiry: Duration::from_hours(24),
            max_events: 1000,
        }
    }
}

impl Settings {
    /// When the crowd counts as sure.
    pub fn rule(&self) -> Rule {
        Rule {
            min_lists: self.min_lists,
            min_reliability: self.min_reliability,
            certainty: self.certainty,
        }
    }

    /// The time limit in milliseconds.
    pub(super) fn time_limit_ms(&self) -> u32 {
        u32::try_from(self.time_limit.as_millis()).unwrap_or(u32::MAX)
    }
}
