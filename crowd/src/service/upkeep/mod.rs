//! What is done from time to time: lists out of time are closed, answers are made into estimates, sure positions are
//! held against the generators, points are given, odd lists are flagged.
//!
//! One round goes at a time. What takes long is computed on threads of its own; what is written is written a few rows
//! at a time, so that submissions never wait long for `SQLite`'s one writer.

mod aggregate;
mod decide;
mod flags;

use super::memory::Memory;
use super::{PositionState, Service, ServiceError, UpkeepReport};
use crate::model::Timestamp;
use crate::store::StoreError;

/// How many lists one round scores or looks at for flags.
const A_ROUND: u64 = 100;

impl Service {
    /// Expires, aggregates, certifies, compares, scores, flags; one round at a time. A step that fails keeps none of the
    /// others from being done.
    ///
    /// # Errors
    ///
    /// The first that happened; what was done stays done, and the next round goes on.
    pub async fn upkeep(&self, now: Timestamp) -> Result<UpkeepReport, ServiceError> {
        let mut memory = self.memory().await;
        let mut report = UpkeepReport::default();
        let mut failures = Failures::default();
        failures.note(self.close_all_overdue(now, &mut report).await);
        let looked_at = self.look_at_lists(&mut memory, now, &mut report).await;
        failures.note(looked_at);
        failures.note(self.score_all(&mut report).await);
        failures.note(self.flag_all(&mut memory, now, &mut report).await);
        failures.first_or(report)
    }

    /// Aggregates and decides, if something has changed since that was done.
    async fn look_at_lists(
        &self,
        memory: &mut Memory,
        now: Timestamp,
        report: &mut UpkeepReport,
    ) -> Result<(), ServiceError> {
        let lists = self.store().count_assignments("finished").await?;
        let is_stale = memory.is_stale || self.are_positions_new().await?;
        if !is_stale && lists == memory.lists {
            return Ok(());
        }
        self.aggregate().await?;
        self.decide(now, report).await?;
        memory.is_stale = false;
        memory.lists = lists;
        report.aggregated = true;
        self.pay_pairs().await
    }

    /// Whether another program has added positions: they are added, and never taken away.
    async fn are_positions_new(&self) -> Result<bool, ServiceError> {
        let known = self.positions().all().count();
        Ok(self.store().count_positions().await? != known as u64)
    }

    async fn close_all_overdue(
        &self,
        now: Timestamp,
        report: &mut UpkeepReport,
    ) -> Result<(), ServiceError> {
        report.expired += self.store().expire(now.0).await?;
        let mut failures = Failures::default();
        for row in self.store().timed_out(now.0).await? {
            match self.close_overdue(&row, now).await {
                Ok(closed) => report.expired += u64::from(closed),
                Err(error) => failures.note_of_one(error)?,
            }
        }
        failures.first_or(())
    }

    /// Gives pairs the points that finishing gives, where it was ended before it did.
    async fn pay_pairs(&self) -> Result<(), ServiceError> {
        for pair in self.store().unpaid_pairs().await? {
            let one = self.store().assignment_by_id(pair.first_assignment).await?;
            let Some(one) = one else { continue };
            if let Some(other) = self.other_of_pair(one.id).await? {
                self.score_pair(&one, &other).await?;
            }
        }
        Ok(())
    }

    async fn score_all(&self, report: &mut UpkeepReport) -> Result<(), ServiceError> {
        let states = PositionState::ALL.into_iter();
        let states = states.filter(|state| state.is_answer_known());
        let states: Vec<&str> = states.map(PositionState::as_str).collect();
        let mut failures = Failures::default();
        for row in self.store().unscored(&states, A_ROUND).await? {
            match self.score_if_known(&row).await {
                Ok(scored) => report.scored += u64::from(scored),
                Err(error) => failures.note_of_one(error)?,
            }
        }
        failures.first_or(())
    }
}

/// What went wrong first, while the work went on.
#[derive(Debug, Default)]
struct Failures(Option<ServiceError>);

impl Failures {
    fn note<T>(&mut self, done: Result<T, ServiceError>) {
        if let Err(error) = done {
            self.0.get_or_insert(error);
        }
    }

    /// The same for one row of many: the others are still looked at, unless the database itself fails.
    fn note_of_one(&mut self, error: ServiceError) -> Result<(), ServiceError> {
        if !matches!(error, ServiceError::Store(StoreError::Value { .. })) {
            return Err(error);
        }
        self.0.get_or_insert(error);
        Ok(())
    }

    fn first_or<T>(self, done: T) -> Result<T, ServiceError> {
        self.0.map_or(Ok(done), Err)
    }
}

/// Runs what takes long on a thread of its own.
pub(super) async fn on_a_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ServiceError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| ServiceError::Background(error.to_string()))
}
