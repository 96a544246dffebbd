//! The state of a run: its schedule, its recorded games and its results. Pure.

use std::fmt;
use std::time::Duration;

use super::tally::Tally;
use crate::distinct::{Identities, Identity};
use crate::model::{GameRecord, RunConfig, SetAside};
use crate::pair_test::PairTest;
use crate::schedule::{Next, Schedule, ScheduleError};
use crate::stats::SprtState;

/// The state of a run.
#[derive(Clone, Debug)]
pub struct State {
    /// The configuration.
    pub config: RunConfig,
    /// Decides the next game.
    pub schedule: Schedule,
    /// The results so far.
    pub tally: Tally,
    /// Quarantined fleet workers, whose games do not count.
    pub set_aside: Vec<SetAside>,
    /// What the run waits for, if that takes long.
    pub awaited: Option<Awaited>,
}

/// An engine that keeps the run waiting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Awaited {
    /// The name of the engine.
    pub engine: String,
    /// The answer it owes.
    pub what: AwaitedAnswer,
    /// The time waited so far.
    pub elapsed: Duration,
}

/// The answer that an engine owes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AwaitedAnswer {
    /// `uciok`.
    Uciok,
    /// The answer to this command, before the first game.
    Trial(String),
    /// Its move of this number in a game, from 1.
    Move(u32),
}

impl fmt::Display for Awaited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (engine, seconds) = (&self.engine, self.elapsed.as_secs());
        match &self.what {
            AwaitedAnswer::Uciok => write!(f, "waiting for uciok of '{engine}'"),
            AwaitedAnswer::Trial(asked) => {
                write!(f, "waiting for {engine}, {asked}, {seconds} s")
            }
            AwaitedAnswer::Move(number) => {
                write!(f, "waiting for {engine}, move {number}, {seconds} s")
            }
        }
    }
}

impl State {
    /// The state after these games, in any order.
    ///
    /// # Errors
    ///
    /// If they do not belong to this run.
    pub fn new(config: RunConfig, records: &[GameRecord]) -> Result<Self, ScheduleError> {
        let identities = records.iter();
        let identities = identities.map(|record| (record.plan.game, Identity::of(record)));
        Self::resumed(config, records, &identities.collect())
    }

    /// The state after these games, whose `identities` stand in for openings and moves.
    ///
    /// # Errors
    ///
    /// If they do not belong to this run.
    ///
    /// # Panics
    ///
    /// If the identity of a game is missing.
    pub fn resumed(
        config: RunConfig,
        records: &[GameRecord],
        identities: &Identities,
    ) -> Result<Self, ScheduleError> {
        let mut state = Self {
            schedule: Schedule::new(&config)?,
            tally: Tally::new(&config),
            set_aside: Vec::new(),
            awaited: None,
            config,
        };
        // In schedule order, so that games of later stages follow those they depend on.
        let mut in_order: Vec<&GameRecord> = records.iter().collect();
        in_order.sort_by_key(|record| record.plan.game);
        for record in in_order {
            let identity = identities.get(&record.plan.game);
            state.count(record, *identity.expect("each game has one"))?;
        }
        Ok(state)
    }

    /// Counts a game.
    ///
    /// # Errors
    ///
    /// If it does not belong to this run, or was counted before.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), ScheduleError> {
        self.count(record, Identity::of(record))
    }

    fn count(&mut self, record: &GameRecord, identity: Identity) -> Result<(), ScheduleError> {
        let joined = self.schedule.record(&record.plan, record.result)?;
        self.tally.add(record, identity, &joined);
        Ok(())
    }

    /// The state of the test, if there is one.
    pub fn verdict(&self) -> Option<SprtState> {
        let test = self.tally.test()?;
        Some(if self.schedule.clone().next() == Next::Done {
            test.final_state()
        } else {
            test.state()
        })
    }

    /// Returns true if no game is left to play.
    pub fn is_over(&self) -> bool {
        self.is_decided() || self.schedule.clone().next() == Next::Done
    }

    /// Returns true if the test has stopped or was found invalid.
    pub fn is_decided(&self) -> bool {
        let state = self.tally.test().map(PairTest::state);
        state.is_some_and(|state| state != SprtState::Running)
    }
}

#[cfg(test)]
mod tests;
