//! Errors of a schedule and of the records it receives.

use crate::model::{GamePlan, TournamentFormat};

/// A run that cannot be scheduled, or a record that does not belong to this run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    #[error("{found} engines, expected two or more")]
    TooFewEngines { found: usize },
    /// A match of more than two engines.
    #[error("{found} engines in a match, expected two")]
    NotAMatch { found: usize },
    #[error(
        "{found} rounds, expected 1 to {}",
        crate::play::schedule::pairs::MAX_ROUNDS
    )]
    Rounds { found: u64 },
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

/// Checks that the configuration can be scheduled.
pub(super) fn check(
    format: TournamentFormat,
    engines: usize,
    rounds: u64,
) -> Result<(), ScheduleError> {
    if engines < 2 {
        return Err(ScheduleError::TooFewEngines { found: engines });
    }
    if format == TournamentFormat::Match && engines != 2 {
        return Err(ScheduleError::NotAMatch { found: engines });
    }
    if rounds == 0 || rounds > crate::play::schedule::pairs::MAX_ROUNDS {
        return Err(ScheduleError::Rounds { found: rounds });
    }
    Ok(())
}
