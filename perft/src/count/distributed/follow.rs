//! The posting side's loop: polls a job until it is done or has failed.

use std::time::{Duration, Instant};

use kit::Progress;
use kit::output::grouped;
use queue::{Alarm, AskError, Broker, Progress as JobProgress, RECENT_MS, RetryPolicy, undecided};

use super::job::JobKind;
use super::now;
use super::results::{JobResults, ResultError};
use crate::count::result::{CompletionStatus, Unseen};
use crate::count::units::Units;

const PAGE: u32 = 10_000;

/// A posted job, seen by the process that posted it.
pub(crate) struct Follow<'a> {
    pub(crate) broker: &'a dyn Broker,
    pub(crate) job: &'a str,
    pub(crate) kind: JobKind,
    pub(crate) units: &'a Units,
    /// Polling interval.
    pub(crate) poll: Duration,
    /// How long to wait for a second count of a unit once all units are counted.
    pub(crate) wait_for_second: Duration,
    pub(crate) retry: RetryPolicy<'a>,
    pub(crate) progress: &'a Progress,
}

/// The outcome of a job.
#[derive(Debug)]
pub(crate) struct Followed {
    pub(crate) status: CompletionStatus,
    pub(crate) results: JobResults,
    /// Leaf nodes already known at the start.
    pub(crate) resumed: u128,
    /// Number of units that were compared.
    pub(crate) compared: u64,
    /// Number of units that should be compared.
    pub(crate) to_compare: u64,
    /// How probable it is that a liar went unseen, as far as the broker knows.
    pub(crate) unseen: Unseen,
    /// Differences that nobody has decided: the sum cannot be trusted.
    pub(crate) undecided: Vec<Alarm>,
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
    /// Follows the job until it is done or stopped, or an interrupt comes.
    pub(crate) fn run(&self) -> Result<Followed, FollowError> {
        let mut results = JobResults::new(self.kind, self.units.list.len());
        let mut resumed = None;
        let mut last_compared = (0, now());
        loop {
            let polled = self.poll(&mut results, &mut last_compared);
            let resumed = *resumed.get_or_insert_with(|| self.units.sum(&results.counts));
            let polled = polled.and_then(|followed| {
                if followed.is_none() {
                    self.retry.rest(self.poll)?;
                }
                Ok(followed)
            });
            match polled {
                Ok(None) => {}
                Ok(Some(followed)) => {
                    return Ok(Followed {
                        resumed,
                        ..followed
                    });
                }
                Err(FollowError::Ask(AskError::Interrupted)) => {
                    return Ok(Followed {
                        status: CompletionStatus::Interrupted,
                        results,
                        resumed,
                        compared: last_compared.0,
                        to_compare: 0,
                        unseen: Unseen::CERTAIN,
                        undecided: Vec::new(),
                        reason: None,
                    });
                }
                Err(error) => {
                    if matches!(error, FollowError::Result(ResultError::Overflow { .. })) {
                        // The count cannot be completed. Without the permission or a connection to
                        // stop the job, the workers find out by themselves.
                        let _ = self.broker.stop(self.job, &error.to_string());
                    }
                    return Err(error);
                }
            }
        }
    }

    /// The outcome of the job, if it is over. `last_compared` is the number of compared units, and
    /// when it last changed.
    fn poll(
        &self,
        results: &mut JobResults,
        last_compared: &mut (u64, Instant),
    ) -> Result<Option<Followed>, FollowError> {
        let job = self.retry.ask(|| self.broker.progress(self.job))?;
        match self.read(results) {
            // A result was dropped and replaced: all are read again.
            Err(FollowError::Result(ResultError::Twice { .. })) => *results = self.read_all()?,
            read => read?,
        }
        let nodes = grouped(self.units.sum(&results.counts));
        self.progress.reach(results.done(), self.units.list.len());
        self.progress.say(format!("units, {nodes} nodes"));
        if job.compared != last_compared.0 {
            *last_compared = (job.compared, now());
        }
        let followed = |status| {
            Ok::<_, FollowError>(Followed {
                status,
                results: self.read_all()?,
                resumed: 0,
                compared: job.compared,
                to_compare: job.to_compare,
                unseen: self.unseen()?,
                undecided: Vec::new(),
                reason: job.stopped.clone(),
            })
        };
        if job.is_complete() && !self.expects_second_count(&job, results, last_compared.1)? {
            // Nobody was there to decide these, or to count again what was dropped.
            let undecided = self.undecided(&job)?;
            let mut followed = followed(if !undecided.is_empty() {
                CompletionStatus::Different
            } else if job.compared < job.to_compare || (job.compared == 0 && job.units > 0) {
                CompletionStatus::Unverified
            } else {
                CompletionStatus::Complete
            })?;
            followed.undecided = undecided;
            // Results dropped at this moment are counted again.
            let is_whole = followed.results.done() == self.units.list.len();
            return Ok(is_whole.then_some(followed));
        }
        if job.stopped.is_some() && !job.is_complete() {
            return Ok(Some(followed(CompletionStatus::Stopped)?));
        }
        if let Some(reason) = job.flagged.filter(|_| job.done < job.units) {
            let mut followed = followed(CompletionStatus::Stopped)?;
            followed.reason = Some(format!("three workers cannot do it: {reason}"));
            return Ok(Some(followed));
        }
        Ok(None)
    }

    fn undecided(&self, job: &JobProgress) -> Result<Vec<Alarm>, AskError> {
        if job.alarms == 0 {
            return Ok(Vec::new());
        }
        let alarms = self.retry.ask(|| self.broker.alarms(self.job))?;
        let workers = self.retry.ask(|| self.broker.workers())?;
        Ok(undecided(&alarms, &workers))
    }

    fn unseen(&self) -> Result<Unseen, AskError> {
        let verification = self.retry.ask(|| self.broker.verification(self.job))?;
        Ok(verification.map_or(Unseen::CERTAIN, |known| Unseen {
            of_1_percent: known.unseen_1_percent,
            of_10_percent: known.unseen_10_percent,
        }))
    }

    /// Whether a second count of a unit is under way, or may soon be.
    fn expects_second_count(
        &self,
        job: &JobProgress,
        results: &JobResults,
        last: Instant,
    ) -> Result<bool, AskError> {
        if job.compared >= job.to_compare || job.stopped.is_some() {
            return Ok(false);
        }
        let jobs = self.retry.ask(|| self.broker.jobs())?;
        let mut ours = jobs.iter().filter(|state| state.job.id == self.job);
        if ours.any(|state| state.leased > 0) {
            return Ok(true);
        }
        Ok(last.elapsed() < self.wait_for_second && self.has_others(results)?)
    }

    /// Whether there is a worker besides the one that counted everything, if only one did.
    fn has_others(&self, results: &JobResults) -> Result<bool, AskError> {
        if results.workers.len() != 1 {
            return Ok(true);
        }
        let workers = self.retry.ask(|| self.broker.workers())?;
        let mut others = workers
            .iter()
            .filter(|state| !results.workers.contains_key(&state.worker.name));
        Ok(others.any(|state| state.quarantined.is_none() && state.silent_ms < RECENT_MS))
    }

    fn read_all(&self) -> Result<JobResults, FollowError> {
        let mut results = JobResults::new(self.kind, self.units.list.len());
        self.read(&mut results)?;
        Ok(results)
    }

    /// Reads the results that are not known yet.
    fn read(&self, results: &mut JobResults) -> Result<(), FollowError> {
        loop {
            let after = results.last;
            let page = self
                .retry
                .ask(|| self.broker.results(self.job, after, PAGE))?;
            for recorded in &page {
                results.take(recorded)?;
            }
            if page.len() < PAGE as usize {
                return Ok(());
            }
        }
    }
}
