//! All that is known of a run: what is played, what is recorded, what it comes to. Pure.

use std::fmt;
use std::time::Duration;

use super::tally::Tally;
use crate::distinct::{Identities, Identity};
use crate::model::{GameRecord, RunConfig, SetAside};
use crate::pair_test::PairTest;
use crate::schedule::{Next, Schedule, ScheduleError};
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
    /// What is waited for, if that takes long.
    pub awaited: Option<Awaited>,
}

/// An engine that lets us wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Awaited {
    /// Its name.
    pub engine: String,
    /// What for.
    pub what: AwaitedAnswer,
    /// How long it has been.
    pub elapsed: Duration,
}

/// What an engine is waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AwaitedAnswer {
    /// Its first answer.
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
    /// A run with these games, in any order.
    ///
    /// # Errors
    ///
    /// When they are not of this run.
    pub fn new(config: RunConfig, records: &[GameRecord]) -> Result<Self, ScheduleError> {
        let identities = records.iter();
        let identities = identities.map(|record| (record.plan.game, Identity::of(record)));
        Self::resumed(config, records, &identities.collect())
    }

    /// A run with these games, of which openings and moves are not needed but what told them from each other.
    ///
    /// # Errors
    ///
    /// When they are not of this run.
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
        // In the order of the schedule, so that games of later stages follow those they depend on.
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
    /// When it is not of this run, or was counted before.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), ScheduleError> {
        self.count(record, Identity::of(record))
    }

    fn count(&mut self, record: &GameRecord, identity: Identity) -> Result<(), ScheduleError> {
        let joined = self.schedule.record(&record.plan, record.result)?;
        self.tally.add(record, identity, &joined);
        Ok(())
    }

    /// What the test has come to, if there is one.
    pub fn verdict(&self) -> Option<SprtState> {
        let test = self.tally.test()?;
        Some(if self.schedule.clone().next() == Next::Done {
            test.final_state()
        } else {
            test.state()
        })
    }

    /// Whether no game is left to be played.
    pub fn is_over(&self) -> bool {
        self.is_decided() || self.schedule.clone().next() == Next::Done
    }

    /// Whether the test is decided, or found invalid.
    pub fn is_decided(&self) -> bool {
        let state = self.tally.test().map(PairTest::state);
        state.is_some_and(|state| state != SprtState::Running)
    }
}

#[cfg(test)]
mod tests;
