//! The posting side: waits for the results of a job, and judges them.

use std::collections::BTreeMap;

use kit::Progress;
use queue::{AskError, FollowError, Following, Progress as JobProgress, Recorded};

use super::protocol::Searches;
use crate::run::ledger::{SearchOutcome, Trial};
use crate::run::plan::RunCase;
use crate::run::wire::{CaseResult, ReadResultError};

/// Results per call to the broker: each may hold a transcript.
pub(crate) const PAGE: u32 = 1_000;

/// A job, seen by the process that posted it.
pub(crate) struct PostedJob<'a> {
    pub(crate) following: Following<'a>,
    pub(crate) searches: &'a Searches,
    pub(crate) cases: &'a [RunCase],
    pub(crate) progress: &'a Progress,
}

/// The results of a job so far.
#[derive(Debug, Default)]
pub(crate) struct JobResults {
    /// By unit.
    pub(crate) outcomes: BTreeMap<usize, SearchOutcome>,
    /// Number of searches of each worker.
    pub(crate) workers: BTreeMap<String, u64>,
}

impl PostedJob<'_> {
    /// Waits until the job is complete, or an interrupt comes, and reads the results.
    ///
    /// # Errors
    ///
    /// When the broker fails or cannot be reached, the job was stopped before it was complete, or a
    /// result is invalid.
    pub(crate) fn wait(&self) -> Result<JobResults, FollowError> {
        let units = self.searches.list.len();
        self.progress.begin(units as u64, "searches");
        let mut report = |progress: &JobProgress| {
            let done = usize::try_from(progress.done).unwrap_or(units);
            self.progress.reach(done, units);
        };
        loop {
            let is_complete = match self.following.wait(&mut report) {
                Err(FollowError::Ask(AskError::Interrupted)) => return Ok(JobResults::default()),
                waited => waited?,
            };
            let results = match self.read() {
                Err(FollowError::Ask(_)) if !is_complete => JobResults::default(),
                results => results?,
            };
            // Results that were discarded at this moment are searched again.
            let is_whole = !is_complete || results.outcomes.len() == units;
            if is_whole || self.following.rest().is_err() {
                return Ok(results);
            }
        }
    }

    /// Reads and judges all results.
    fn read(&self) -> Result<JobResults, FollowError> {
        let mut results = JobResults::default();
        self.following
            .results(|recorded| self.take(recorded, &mut results))?;
        Ok(results)
    }

    fn take(&self, recorded: &Recorded, results: &mut JobResults) -> Result<(), String> {
        let unit = usize::try_from(recorded.key).unwrap_or(usize::MAX);
        let outcome = self.judge(unit, &recorded.value)?;
        results.outcomes.insert(unit, outcome);
        *results.workers.entry(recorded.worker.clone()).or_default() += 1;
        Ok(())
    }

    fn judge(&self, unit: usize, text: &str) -> Result<SearchOutcome, String> {
        let searches = &self.searches.list;
        let search = searches.get(unit).ok_or_else(|| {
            let units = searches.len();
            format!("there is no such unit, expected one below {units}")
        });
        let result: CaseResult = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let outcome = result.judge(&self.cases[search?.0]);
        outcome.map_err(|error: ReadResultError| error.to_string())
    }
}

impl JobResults {
    /// Adds the results to those of the engine.
    pub(crate) fn record(self, searches: &Searches, trial: &mut Trial) {
        for (unit, outcome) in self.outcomes {
            let (case, repeat) = searches.list[unit];
            trial.record(case, repeat, outcome);
        }
    }
}
