//! Periodic work: closes overdue lists, aggregates answers, compares certified positions with the
//! generators, awards points, flags odd lists.
//!
//! Only one round runs at a time. Long computations run on separate threads; rows are written in
//! small batches, so that submissions never wait long for `SQLite`'s single writer.

mod aggregate;
mod decide;
mod flags;

use super::memory::Memory;
use super::{PositionState, Service, ServiceError, UpkeepReport};
use crate::model::Timestamp;
use crate::store::StoreError;

/// Maximum number of lists that one round scores or checks for flags.
const A_ROUND: u64 = 100;

impl Service {
    /// Expires, aggregates, certifies, compares, scores, flags; one round at a time. A step that
    /// fails does not prevent the others.
    ///
    /// # Errors
    ///
    /// The first error; completed steps are kept, and the next round continues.
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

    /// Aggregates and decides, if anything has changed since the last time.
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

    /// Whether another program has added positions; positions are never removed.
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

    /// Awards pairs their points if the program ended between finishing and awarding.
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

/// Keeps the first error while the work continues.
#[derive(Debug, Default)]
struct Failures(Option<ServiceError>);

impl Failures {
    fn note<T>(&mut self, done: Result<T, ServiceError>) {
        if let Err(error) = done {
            self.0.get_or_insert(error);
        }
    }

    /// Records the error of one row; the other rows are still processed, unless the database itself
    /// fails.
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

/// Runs a long computation on a separate thread.
pub(super) async fn on_a_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ServiceError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| ServiceError::Background(error.to_string()))
}
