//! Flags lists that do not look like a person's own work.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{A_ROUND, Failures, Memory, on_a_thread};
use crate::model::{ListEvent, MoveText, Op, Timestamp, moves_of};
use crate::service::context::{AssignmentContext, events};
use crate::service::{Service, ServiceError, UpkeepReport};
use crate::store::NewFlag;
use crate::store::entity::{assignment, event};
use crate::trust::orders::generator_orders;
use crate::trust::suspicion::{Flag, TimedList, TimedMove, flags};

/// Maximum number of other lists of a position to compare a list with: the newest.
const OTHERS: usize = 50;
/// Maximum number of lists cached for that.
const KEPT: usize = 5_000;

impl Service {
    /// Checks the lists that have not been checked yet.
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
        if memory.timed.len() > KEPT {
            memory.timed.clear();
        }
        let mut by_position: BTreeMap<i64, Vec<assignment::Model>> = BTreeMap::new();
        for row in self.store().lists_at(positions_of(&unchecked)).await? {
            by_position.entry(row.position_id).or_default().push(row);
        }
        let mut failures = Failures::default();
        for list in unchecked {
            let others = by_position
                .get(&list.position_id)
                .map_or(&[][..], Vec::as_slice);
            match self.flag(memory, &list, others, now).await {
                Ok(raised) => report.flags += raised,
                Err(error) => failures.note_of_one(error)?,
            }
        }
        failures.first_or(())
    }

    /// Checks one list; returns the number of flags raised.
    async fn flag(
        &self,
        memory: &mut Memory,
        list: &assignment::Model,
        others: &[assignment::Model],
        now: Timestamp,
    ) -> Result<u64, ServiceError> {
        let found = self.flags_of(memory, list, others).await?;
        Ok(self.store().put_flags(list, found, now.0).await?)
    }

    async fn flags_of(
        &self,
        memory: &mut Memory,
        list: &assignment::Model,
        others: &[assignment::Model],
    ) -> Result<Vec<NewFlag>, ServiceError> {
        let given = AssignmentContext::read(list)?;
        if !given.mode.asks_for_list() {
            return Ok(Vec::new());
        }
        let mine = self.timed(memory, list).await?;
        let mut theirs = Vec::new();
        let earlier = others.iter().rev().filter(|other| other.id != list.id);
        for other in earlier.take(OTHERS) {
            theirs.push(TimedList::clone(&*self.timed(memory, other).await?));
        }
        let position = self.positions().get(list.position_id)?.position;
        let work = move || flags(&mine, &theirs, &generator_orders(&position));
        let found = on_a_thread(work).await?;
        Ok(found.into_iter().map(new_flag).collect())
    }

    async fn timed(
        &self,
        memory: &mut Memory,
        row: &assignment::Model,
    ) -> Result<Arc<TimedList>, ServiceError> {
        if let Some(known) = memory.timed.get(&row.id) {
            return Ok(Arc::clone(known));
        }
        let kept = self.store().events(row.id).await?;
        let list = Arc::new(timed_list(row, &kept, &events(&kept)?));
        memory.timed.insert(row.id, Arc::clone(&list));
        Ok(list)
    }
}

fn positions_of(rows: &[assignment::Model]) -> Vec<i64> {
    let mut positions: Vec<i64> = rows.iter().map(|row| row.position_id).collect();
    positions.sort_unstable();
    positions.dedup();
    positions
}

fn timed_list(row: &assignment::Model, kept: &[event::Model], list: &[ListEvent]) -> TimedList {
    let timed = |text: MoveText| {
        let last = list.iter().rposition(|e| e.op == Op::Add && e.mv == text)?;
        Some(TimedMove {
            text,
            at_ms: list[last].at_ms,
            received_at: kept.get(last).map(|event| Timestamp(event.received_at)),
        })
    };
    TimedList {
        contributor: row.contributor_id,
        issued_at: Some(Timestamp(row.issued_at)),
        moves: moves_of(list).into_iter().filter_map(timed).collect(),
    }
}

fn new_flag(flag: Flag) -> NewFlag {
    NewFlag {
        kind: flag.kind.as_str(),
        detail: flag.detail,
        score: flag.score,
        other: flag.other.unwrap_or(0),
    }
}
