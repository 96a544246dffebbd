//! The posting side's loop: polls a job until it is done or has failed.

use std::time::{Duration, Instant};

use fleet::{Broker, Progress as Stand, Recorded};
use kit::Progress;
use kit::output::grouped;

use super::patience::now;
use super::tally::{ResultError, doubts};
use super::{AskError, Doubt, Patience, Tally};
use crate::count::Ended;
use crate::units::Units;

/// Results read per request.
const PAGE: u32 = 10_000;

/// A posted job, seen by the process that posted it.
pub(crate) struct Follow<'a> {
    pub(crate) broker: &'a dyn Broker,
    pub(crate) job: &'a str,
    pub(crate) units: &'a Units,
    /// Polling interval.
    pub(crate) poll: Duration,
    /// How long to wait for a second count of a unit once all units are counted.
    pub(crate) wait_for_second: Duration,
    pub(crate) patience: Patience<'a>,
    pub(crate) progress: &'a Progress,
}

/// The outcome of a job.
#[derive(Debug)]
pub(crate) struct Followed {
    pub(crate) ended: Ended,
    pub(crate) tally: Tally,
    /// Leaf nodes already known at the start.
    pub(crate) resumed: u128,
    /// Number of units that were compared.
    pub(crate) compared: u64,
    /// Number of units that should be compared.
    pub(crate) to_compare: u64,
    /// Reasons not to trust the sum.
    pub(crate) doubts: Vec<Doubt>,
    /// Why the job was stopped, if it was.
    pub(crate) reason: Option<String>,
}

/// Why a job cannot be followed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FollowError {
    #[error(transparent)]
    Ask(#[from] AskError),
    #[error(transparent)]
    Result(#[from] ResultError),
}

impl Follow<'_> {
    /// Reads all results from the beginning.
    fn tally(&self) -> Result<Tally, FollowError> {
        let mut tally = Tally::new(self.units.list.len());
        self.read(&mut tally)?;
        Ok(tally)
    }

    /// Follows the job until it is done, stopped or in doubt, or an interrupt comes.
    pub(crate) fn run(&self) -> Result<Followed, FollowError> {
        let mut tally = Tally::new(self.units.list.len());
        let mut resumed = None;
        let mut last = (0, now());
        loop {
            let looked = self.look(&mut tally, &mut last);
            let known = *resumed.get_or_insert_with(|| self.units.sum(&tally.counts));
            match looked.and_then(|followed| self.or_rest(followed)) {
                Ok(None) => {}
                Ok(Some(followed)) => {
                    return Ok(Followed {
                        resumed: known,
                        ..followed
                    });
                }
                Err(FollowError::Ask(AskError::Interrupted)) => {
                    return Ok(Followed {
                        resumed: known,
                        compared: last.0,
                        ..Followed::new(Ended::Interrupted, tally)
                    });
                }
                Err(error) => return Err(self.give_up(error)),
            }
        }
    }

    /// Stops a job that cannot be counted, so that no worker continues with it.
    fn give_up(&self, error: FollowError) -> FollowError {
        if matches!(error, FollowError::Result(ResultError::Overflow { .. })) {
            // Without the permission or a connection, the workers find out by themselves.
            let _ = self.broker.stop(self.job, &error.to_string());
        }
        error
    }

    /// Waits if the job is not over yet.
    fn or_rest(&self, followed: Option<Followed>) -> Result<Option<Followed>, FollowError> {
        if followed.is_none() {
            self.patience.rest(self.poll)?;
        }
        Ok(followed)
    }

    /// The outcome of the job, if it is over.
    fn look(
        &self,
        tally: &mut Tally,
        last: &mut (u64, Instant),
    ) -> Result<Option<Followed>, FollowError> {
        let stand = self.patience.ask(|| self.broker.progress(self.job))?;
        self.read_on(tally)?;
        self.show(tally);
        if stand.compared != last.0 {
            *last = (stand.compared, now());
        }
        let followed = |ended| {
            let mut followed = Followed::new(ended, self.tally()?);
            (followed.compared, followed.to_compare) = (stand.compared, stand.to_compare);
            followed.reason.clone_from(&stand.stopped);
            Ok::<_, FollowError>(followed)
        };
        if stand.alarms > 0 {
            let mut followed = followed(Ended::Different)?;
            followed.doubts = self.doubts(&followed.tally)?;
            if !followed.doubts.is_empty() {
                return Ok(Some(followed));
            }
        }
        if stand.is_complete() && !self.expects_second(&stand, last.1)? {
            let followed = followed(Ended::Complete)?;
            // Results dropped at this moment are counted again.
            return Ok((followed.tally.done() == self.units.list.len()).then_some(followed));
        }
        if stand.stopped.is_some() && !stand.is_complete() {
            return Ok(Some(followed(Ended::Stopped)?));
        }
        Ok(None)
    }

    fn doubts(&self, tally: &Tally) -> Result<Vec<Doubt>, AskError> {
        let alarms = self.patience.ask(|| self.broker.alarms(self.job))?;
        let workers = self.patience.ask(|| self.broker.workers())?;
        Ok(doubts(&alarms, &workers, &tally.workers))
    }

    /// Whether a second count is under way, or may soon be.
    fn expects_second(&self, stand: &Stand, last: Instant) -> Result<bool, AskError> {
        if stand.compared >= stand.to_compare || stand.stopped.is_some() {
            return Ok(false);
        }
        let jobs = self.patience.ask(|| self.broker.jobs())?;
        let leased = jobs
            .iter()
            .any(|state| state.job.id == self.job && state.leased > 0);
        Ok(leased || last.elapsed() < self.wait_for_second)
    }

    /// Reads new results; all of them again if a result was dropped and replaced.
    fn read_on(&self, tally: &mut Tally) -> Result<(), FollowError> {
        match self.read(tally) {
            Err(FollowError::Result(ResultError::Twice { .. })) => {
                *tally = self.tally()?;
                Ok(())
            }
            read => read,
        }
    }

    fn read(&self, tally: &mut Tally) -> Result<(), FollowError> {
        loop {
            let page: Vec<Recorded> = self
                .patience
                .ask(|| self.broker.results(self.job, tally.last, PAGE))?;
            for recorded in &page {
                tally.take(recorded)?;
            }
            if page.len() < PAGE as usize {
                return Ok(());
            }
        }
    }

    fn show(&self, tally: &Tally) {
        let nodes = grouped(self.units.sum(&tally.counts));
        self.progress.reach(tally.done(), self.units.list.len());
        self.progress.say(format!("units, {nodes} nodes"));
    }
}

impl Followed {
    fn new(ended: Ended, tally: Tally) -> Self {
        Self {
            ended,
            tally,
            resumed: 0,
            compared: 0,
            to_compare: 0,
            doubts: Vec::new(),
            reason: None,
        }
    }
}
