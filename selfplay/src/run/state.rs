//! All that is known of a run: what is played, what is recorded, what it comes to. Pure.

use super::tally::Tally;
use crate::model::{GameRecord, RunConfig, SetAside};
use crate::schedule::{Schedule, ScheduleError};
use crate::stats::SprtState;

/// A run as it stands.
#[derive(Clone, Debug)]
pub struct State {
    /// How it is set up.
    pub config: RunConfig,
    /// Who plays next.
    pub schedule: Schedule,
    /// What the games come to.
    pub tally: Tally,
    /// Workers of a fleet whose games do not count.
    pub set_aside: Vec<SetAside>,
    /// The name of an engine that lets us wait for its first answer.
    pub awaited: Option<String>,
}

impl State {
    /// A run with these games, in any order.
    ///
    /// # Errors
    ///
    /// When they are not of this run.
    pub fn new(config: RunConfig, records: &[GameRecord]) -> Result<Self, ScheduleError> {
        let mut state = Self {
            schedule: Schedule::new(&config)?,
            tally: Tally::new(&config),
            set_aside: Vec::new(),
            awaited: None,
            config,
        };
        // In the order of the schedule, so that games of later stages follow those they depend on.
        let mut in_order: Vec<&GameRecord> = records.iter().collect();
        in_order.sort_by_key(|record| record.plan.game);
        for record in in_order {
            state.add(record)?;
        }
        Ok(state)
    }

    /// Counts a game.
    ///
    /// # Errors
    ///
    /// When it is not of this run, or was counted before.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), ScheduleError> {
        let joined = self.schedule.record(&record.plan, record.result)?;
        self.tally.add(record, &joined);
        Ok(())
    }

    /// What the test has come to, if there is one.
    pub fn verdict(&self) -> Option<SprtState> {
        self.tally.test().map(super::Test::state)
    }

    /// Whether the test is decided.
    pub fn is_decided(&self) -> bool {
        self.verdict()
            .is_some_and(|state| state != SprtState::Running)
    }
}

#[cfg(test)]
mod tests;
