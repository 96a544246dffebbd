//! Periodic work: closes overdue lists, flags odd lists, aggregates answers, compares certified
//! positions with the generators, awards points.
//!
//! Only one round runs at a time. Long computations run on separate threads; rows are written in
//! small batches, so that submissions never wait long for `SQLite`'s single writer.

mod aggregate;
mod decide;
mod hidden;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::core::{Memory, on_a_thread};
use super::record::timed_list;
use super::rows::{ListContext, events};
use super::{Service, ServiceError};
use crate::model::{PositionState, Timestamp};
use crate::store::StoreError;
use crate::store::entity::{flag, list};
use crate::trust::orders::generator_orders;
use crate::trust::suspicion::{Flag, TimedList, copies, flags};

/// Maximum number of lists that one round scores or checks for flags.
const A_ROUND: u64 = 100;

impl Service {
    /// Expires, flags, aggregates, certifies, compares, scores; one round at a time. A step that
    /// fails does not prevent the others.
    /// Returns the first error; completed steps are kept, and the next round continues.
    pub async fn upkeep(&self, now: Timestamp) -> Result<UpkeepReport, ServiceError> {
        // The lock is held for the whole round, so that no person is deleted in the middle.
        let mut memory = self.memory().await;
        let mut report = UpkeepReport::default();
        let mut failures = Failures::default();
        // Timed lists whose time is up count as well, so they are closed before lists are looked
        // at.
        failures.note(self.close_all_overdue(now, &mut report).await);
        // Copies are held before they count.
        failures.note(self.flag_all(&mut memory, now, &mut report).await);
        let looked_at = self.look_at_lists(&mut memory, now, &mut report).await;
        failures.note(looked_at);
        // Positions that were just closed are paid in the same round.
        failures.note(self.score_all(&mut report).await);
        failures.note(self.delete_old_classes(now).await);
        failures.first_or(report)
    }

    /// Aggregates and decides, if anything has changed since the last time.
    async fn look_at_lists(
        &self,
        memory: &mut Memory,
        now: Timestamp,
        report: &mut UpkeepReport,
    ) -> Result<(), ServiceError> {
        // The lists are counted before they are read: one that comes meanwhile is seen in the next
        // round.
        let lists = self.store().count_evidence().await?;
        let is_stale = memory.is_stale || self.are_positions_new().await?;
        if !is_stale && lists == memory.lists {
            return Ok(());
        }
        self.draw_hidden().await?;
        self.aggregate().await?;
        self.decide(now, report).await?;
        // Positions that were just decided need their networks no more.
        self.store().forget_networks().await?;
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
            let one = self.store().find::<list::Entity>(pair.first_list).await?;
            let Some(one) = one else { continue };
            if let Some(other) = self.other_of_pair(one.id).await? {
                self.score_pair(&one, &other).await?;
            }
        }
        Ok(())
    }

    async fn score_all(&self, report: &mut UpkeepReport) -> Result<(), ServiceError> {
        let states = PositionState::ALL.into_iter();
        let states: Vec<_> = states.filter(|state| state.is_answer_known()).collect();
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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UpkeepReport {
    pub expired: u64,
    pub scored: u64,
    pub aggregated: bool,
    pub agreed: u64,
    pub disputed: u64,
    pub flags: u64,
}

impl UpkeepReport {
    pub fn did_something(self) -> bool {
        self != Self::default()
    }
}

/// Maximum number of other lists of a position to compare a list with: the newest.
const OTHERS: usize = 50;
/// Maximum number of lists cached for that.
const KEPT: usize = 5_000;

impl Service {
    pub(super) async fn flag_all(
        &self,
        memory: &mut Memory,
        now: Timestamp,
        report: &mut UpkeepReport,
    ) -> Result<(), ServiceError> {
        let unchecked = self.store().unchecked(A_ROUND).await?;
        if unchecked.is_empty() {
            return Ok(());
        }
        if self.are_positions_new().await? {
            self.read_positions().await?;
            memory.is_stale = true;
        }
        if memory.timed.len() > KEPT {
            memory.timed.clear();
        }
        let mut by_position: BTreeMap<i64, Vec<list::Model>> = BTreeMap::new();
        let mut positions: Vec<i64> = unchecked.iter().map(|row| row.position_id).collect();
        positions.sort_unstable();
        positions.dedup();
        for row in self.store().lists_at(positions).await? {
            by_position.entry(row.position_id).or_default().push(row);
        }
        let mut failures = Failures::default();
        for list in unchecked {
            let others = by_position
                .get(&list.position_id)
                .map_or(&[][..], Vec::as_slice);
            match self.flags_of(memory, &list, others, now).await {
                Ok(found) => report.flags += self.store().put_flags(&list, found).await?,
                Err(error) => failures.note_of_one(error)?,
            }
        }
        failures.first_or(())
    }

    async fn flags_of(
        &self,
        memory: &mut Memory,
        list: &list::Model,
        others: &[list::Model],
        now: Timestamp,
    ) -> Result<Vec<flag::Model>, ServiceError> {
        let given = ListContext::read(list)?;
        if !given.purpose.asks_for_list() {
            return Ok(Vec::new());
        }
        let mine = self.timed(memory, list).await?;
        let (mut ids, mut theirs) = (Vec::new(), Vec::new());
        let earlier = others.iter().rev().filter(|other| other.id != list.id);
        for other in earlier.take(OTHERS) {
            ids.push(other.id);
            theirs.push(TimedList::clone(&*self.timed(memory, other).await?));
        }
        let position = self.positions().get(list.position_id)?.position;
        let work = move || {
            let found = flags(&mine, &theirs, &generator_orders(&position));
            (found, copies(&mine, &theirs))
        };
        let (found, copies) = on_a_thread(work).await?;
        if self.holds_lists() && !copies.is_empty() {
            let mut copies: Vec<i64> = copies.into_iter().map(|index| ids[index]).collect();
            copies.push(list.id);
            memory.is_stale |= self.store().hold(copies).await?;
        }
        let row = |found: Flag| flag::Model {
            id: 0, // The database gives it one.
            list_id: list.id,
            contributor_id: list.contributor_id,
            position_id: list.position_id,
            kind: found.kind,
            detail: found.detail,
            score: found.score,
            // The column is part of a unique key, in which empty values would not be equal.
            other: found.other.unwrap_or(0),
            created_at: now,
        };
        Ok(found.into_iter().map(row).collect())
    }

    async fn timed(
        &self,
        memory: &mut Memory,
        row: &list::Model,
    ) -> Result<Arc<TimedList>, ServiceError> {
        if let Some(known) = memory.timed.get(&row.id) {
            return Ok(Arc::clone(known));
        }
        let kept = self.store().events(row.id).await?;
        let given = (row.contributor_id, Timestamp(row.issued_at));
        let list = Arc::new(timed_list(given, &kept, &events(&kept)?));
        memory.timed.insert(row.id, Arc::clone(&list));
        Ok(list)
    }
}
