//! What can be wrong with a schedule, or with what it is fed.

use crate::model::{Format, GamePlan};

/// A run that cannot be scheduled, or a record that is not of this run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// Nobody to play against.
    #[error("{found} engines, expected two or more")]
    TooFewEngines {
        /// How many there are.
        found: usize,
    },
    /// A match of more than two.
    #[error("{found} engines in a match, expected two")]
    NotAMatch {
        /// How many there are.
        found: usize,
    },
    /// Nothing to play, or more than can be counted.
    #[error("{found} rounds, expected 1 to {}", super::wave::MAX_ROUNDS)]
    Rounds {
        /// How many there are.
        found: u64,
    },
    /// A game that was recorded before.
    #[error("game {game} is recorded twice")]
    Repeated {
        /// The game.
        game: u64,
    },
    /// A game that this schedule does not have.
    #[error("game {game} is beyond the schedule, which has games 0 to {last}")]
    Beyond {
        /// The game.
        game: u64,
        /// The last that there is.
        last: u64,
    },
    /// A game that was not played as this schedule has it.
    #[error(
        "game {} is recorded as engine {} against engine {} from opening {}, but scheduled as engine \
         {} against engine {} from opening {}: the configuration is not that of the run",
        found.game, found.white.0, found.black.0, found.pairing.opening,
        expected.white.0, expected.black.0, expected.pairing.opening
    )]
    Different {
        /// As recorded.
        found: Box<GamePlan>,
        /// As scheduled.
        expected: Box<GamePlan>,
    },
    /// A game of a round whose pairings are not known yet.
    #[error("game {game} is recorded, but games before it, on which it depends, are not")]
    TooEarly {
        /// The game.
        game: u64,
    },
}

/// Whether the configuration can be scheduled at all.
pub(super) fn check(format: Format, engines: usize, rounds: u64) -> Result<(), ScheduleError> {
    if engines < 2 {
        return Err(ScheduleError::TooFewEngines { found: engines });
    }
    if format == Format::Match && engines != 2 {
        return Err(ScheduleError::NotAMatch { found: engines });
    }
    if rounds == 0 || rounds > super::wave::MAX_ROUNDS {
        return Err(ScheduleError::Rounds { found: rounds });
    }
    Ok(())
}
