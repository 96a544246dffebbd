//! Errors of a schedule and of the records it receives.

use crate::model::GamePlan;

/// A run that cannot be scheduled, or a record that does not belong to this run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// A number of engines or rounds that cannot be scheduled.
    #[error("{found} {what}, expected {expected}")]
    Number {
        found: u64,
        what: &'static str,
        expected: String,
    },
    /// A game that was recorded before.
    #[error("game {game} is recorded twice")]
    Repeated { game: u64 },
    /// A game beyond the end of this schedule.
    #[error("game {game} is beyond the schedule, which has games 0 to {last}")]
    Beyond { game: u64, last: u64 },
    /// A game that differs from the scheduled one.
    #[error(
        "game {} is recorded as engine {} against engine {} from opening {}, but scheduled as engine \
         {} against engine {} from opening {}: the configuration is not that of the run",
        found.game, found.white.0, found.black.0, found.pairing.opening,
        expected.white.0, expected.black.0, expected.pairing.opening
    )]
    Different {
        found: Box<GamePlan>,
        expected: Box<GamePlan>,
    },
    /// A game of a round whose pairings are not known yet.
    #[error("game {game} is recorded, but games before it, on which it depends, are not")]
    TooEarly { game: u64 },
}
