//! Settings of the service.

use std::time::Duration;

use crate::trust::Rule;

#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Random seed; the same seed and requests give the same choices.
    pub seed: u64,
    /// Minimum number of counted lists before a position can be certified.
    pub min_lists: u32,
    /// Minimum reliability in a class; contributors below it are not counted where the class
    /// occurs.
    pub min_reliability: f64,
    /// Required certainty of each move, either way.
    pub certainty: f64,
    /// Assumed maximum share of people who are wrong about the same move.
    pub wrong_share: f64,
    /// Maximum probability that a certified list is wrong, under that assumption.
    pub error_bound: f64,
    /// Number of counted lists after which an unsettled position goes to a moderator.
    pub unsettled_lists: u32,
    /// Time limit of a timed list, by the contributor's own clock.
    pub time_limit: Duration,
    /// How long after the time limit the server still accepts the last events.
    pub grace: Duration,
    /// How long an assignment counts as a pending list when positions are chosen.
    pub lock: Duration,
    /// When an assignment expires and is closed.
    pub expiry: Duration,
    pub max_events: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            min_lists: 3,
            min_reliability: 0.7,
            certainty: 0.95,
            wrong_share: 0.5,
            error_bound: 1e-4,
            unsettled_lists: 24,
            time_limit: Duration::from_secs(90),
            grace: Duration::from_secs(10),
            lock: Duration::from_mins(15),
            expiry: Duration::from_hours(24),
            max_events: 1000,
        }
    }
}

impl Settings {
    pub fn rule(&self) -> Rule {
        Rule {
            min_lists: self.min_lists,
            min_reliability: self.min_reliability,
            certainty: self.certainty,
            wrong_share: self.wrong_share,
            error_bound: self.error_bound,
        }
    }

    pub(super) fn time_limit_ms(&self) -> u32 {
        u32::try_from(self.time_limit.as_millis()).unwrap_or(u32::MAX)
    }
}
