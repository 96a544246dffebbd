//! Settings of the service.

use std::time::Duration;

use crate::trust::{Caps, CertificateRule};

#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Random seed; the same seed and requests give the same choices. Whoever knows it can choose
    /// positions.
    pub seed: u64,
    /// Minimum number of counted lists before a position can be certified.
    pub min_lists: u32,
    /// Minimum reliability in a class; contributors below it are not counted where the class
    /// occurs.
    pub min_reliability: f64,
    pub certainty: f64,
    /// Assumed maximum share of people who are wrong about the same move.
    pub wrong_share: f64,
    /// Maximum probability that a certified list is wrong, under that assumption.
    pub error_bound: f64,
    /// How many people count at one position who come at once, or from one network.
    pub caps: Caps,
    /// The share of open positions with a generator that measure people without their knowledge.
    /// Each position is drawn once.
    pub hidden_share: f64,
    /// How many positions a contributor may leave unanswered in 24 hours.
    pub skips: u32,
    /// Number of counted lists after which an unsettled position goes to a moderator.
    pub unsettled_lists: u32,
    /// Time limit of a timed list, by the contributor's own clock.
    pub time_limit: Duration,
    /// How long after the time limit the server still accepts the last events.
    pub grace: Duration,
    /// How long a list counts as a pending list when positions are chosen.
    pub lock: Duration,
    pub expiry: Duration,
    pub max_events: u32,
    /// When a session ends: as long after it was made as the browser keeps its cookie.
    pub session: Duration,
    /// When people who have never begun a list, and have no recovery phrase, are forgotten.
    pub idle: Duration,
    /// How long after its last request the page of a pair counts as open.
    pub presence: Duration,
    /// The least time per move that hands need. A list that took less does not count until a
    /// moderator allows it; nor does one whose times show a program. If it is 0, no list is held.
    pub hand_per_move: Duration,
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
            caps: Caps {
                // 15 unanimous lists are needed by default, so people of two days must agree.
                per_day: 8,
                per_network: 3,
            },
            hidden_share: 0.125,
            // With five skips, a given position is met at most six times as often as by chance.
            skips: 5,
            unsettled_lists: 24,
            time_limit: Duration::from_secs(90),
            grace: Duration::from_secs(10),
            lock: Duration::from_mins(15),
            expiry: Duration::from_hours(24),
            max_events: 1000,
            // The cookie lasts as long; browsers delete it themselves.
            session: Duration::from_hours(365 * 24),
            idle: Duration::from_hours(30 * 24),
            presence: Duration::from_secs(20),
            // An aimed touch takes about a second, a key 80 ms at the least, and a move has two
            // touches or four keys.
            hand_per_move: Duration::from_millis(250),
        }
    }
}

impl Settings {
    pub fn rule(&self) -> CertificateRule {
        CertificateRule {
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
