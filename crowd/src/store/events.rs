//! Events of lists, each stored once, in order, without gaps; and closing lists.

use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, ExprTrait as _};
use sea_orm::{
    ColumnTrait as _, ConnectionTrait, DatabaseTransaction, EntityTrait as _, QueryFilter as _,
    QueryOrder as _, TryInsertResult,
};

use super::entity::{assignment, event};
use super::{Result, Store};
use crate::model::{ListEvent, Progress};

#[derive(Clone, Debug)]
pub(crate) struct NewEvents {
    pub(crate) assignment: i64,
    pub(crate) first: i32,
    pub(crate) events: Vec<ListEvent>,
}

impl NewEvents {
    pub(crate) fn last(&self) -> i32 {
        let count = i32::try_from(self.events.len()).unwrap_or(i32::MAX);
        self.first.saturating_add(count).saturating_sub(1)
    }

    /// The sequence number of the first event that differs from the stored one.
    fn conflict(&self, kept: &[event::Model]) -> Option<i32> {
        let differs = kept.iter().find(|kept| {
            let index = usize::try_from(kept.seq - self.first).unwrap_or(usize::MAX);
            self.events.get(index).is_some_and(|new| {
                let new = (new.op, new.mv.as_str(), i64::from(new.at_ms));
                new != (kept.op, &kept.mv, kept.at_ms)
            })
        });
        differs.map(|kept| kept.seq)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// All are stored, now or before.
    All,
    /// The assignment is not open, its time is over, or events are missing before these.
    Refused,
    /// A different event with this sequence number is stored.
    Conflict(i32),
}

#[derive(Clone, Debug)]
pub(crate) struct Closing {
    pub(crate) at: i64,
    /// The moves on it or answered yes, separated by blanks.
    pub(crate) moves: String,
    pub(crate) refused: String,
    /// Whether the contributor closed it, and not the timeout.
    pub(crate) complete: bool,
    /// Whether it waits for a moderator before it counts.
    pub(crate) held: bool,
}

impl Store {
    pub(crate) async fn record(&self, new: &NewEvents, now: i64) -> Result<Kept> {
        let transaction = self.begin().await?;
        let kept = keep(&transaction, new, now).await?;
        if kept == Kept::All {
            transaction.commit().await?;
        } else {
            transaction.rollback().await?;
        }
        Ok(kept)
    }

    /// Begins to close a list: stores the last events and locks its row until the transaction ends.
    pub(crate) async fn begin_closing(
        &self,
        new: &NewEvents,
        now: i64,
    ) -> Result<Result<(DatabaseTransaction, Vec<event::Model>), Kept>> {
        let transaction = self.begin().await?;
        match keep(&transaction, new, now).await? {
            Kept::All => {
                let events = events_of(&transaction, new.assignment).await?;
                Ok(Ok((transaction, events)))
            }
            refused => {
                transaction.rollback().await?;
                Ok(Err(refused))
            }
        }
    }

    pub(crate) async fn events(&self, assignment: i64) -> Result<Vec<event::Model>> {
        events_of(self.readers(), assignment).await
    }

    /// The sequence number of the first event that differs from the stored one.
    pub(crate) async fn conflict(&self, new: &NewEvents) -> Result<Option<i32>> {
        let kept = events_of(self.readers(), new.assignment).await?;
        Ok(new.conflict(&kept))
    }
}

/// Completes the closing of a list; returns false if another request closed it.
pub(crate) async fn close(
    transaction: DatabaseTransaction,
    assignment: i64,
    closing: &Closing,
) -> Result<bool> {
    use assignment::Column;
    let closed = assignment::Entity::update_many()
        .col_expr(Column::State, Expr::value(Progress::Finished))
        .col_expr(Column::FinishedAt, Expr::value(closing.at))
        .col_expr(Column::Moves, Expr::value(closing.moves.as_str()))
        .col_expr(Column::Refused, Expr::value(closing.refused.as_str()))
        .col_expr(Column::Complete, Expr::value(closing.complete))
        .col_expr(Column::Held, Expr::value(closing.held))
        .filter(Column::Id.eq(assignment))
        .filter(Column::State.eq(Progress::Open))
        .exec(&transaction)
        .await?;
    transaction.commit().await?;
    Ok(closed.rows_affected == 1)
}

/// The first statement locks the assignment's row, so that writers of one list are serialised; its
/// conditions also check whether the events are acceptable.
async fn keep(transaction: &DatabaseTransaction, new: &NewEvents, now: i64) -> Result<Kept> {
    use assignment::Column;
    let count = Expr::col(Column::EventCount);
    let more = Expr::case(count.clone().lt(new.last()), new.last()).finally(count);
    let taken = assignment::Entity::update_many()
        .col_expr(Column::EventCount, more.into())
        .filter(Column::Id.eq(new.assignment))
        .filter(Column::State.eq(Progress::Open))
        .filter(Column::ExpiresAt.gt(now))
        .filter(Column::EventCount.gte(new.first.saturating_sub(1)))
        .exec(transaction)
        .await?;
    if taken.rows_affected == 0 {
        return Ok(Kept::Refused);
    }
    if insert(transaction, new, now).await? == new.events.len() as u64 {
        return Ok(Kept::All);
    }
    let kept = events_of(transaction, new.assignment).await?;
    Ok(new.conflict(&kept).map_or(Kept::All, Kept::Conflict))
}

async fn insert(db: &impl ConnectionTrait, new: &NewEvents, now: i64) -> Result<u64> {
    let numbered = (new.first..).zip(&new.events);
    let rows = numbered.map(|(seq, one)| event::ActiveModel {
        assignment_id: Set(new.assignment),
        seq: Set(seq),
        op: Set(one.op),
        mv: Set(one.mv.to_string()),
        at_ms: Set(one.at_ms.into()),
        received_at: Set(now),
    });
    let inserted = event::Entity::insert_many(rows).on_conflict_do_nothing();
    match inserted.exec_without_returning(db).await? {
        TryInsertResult::Inserted(rows) => Ok(rows),
        TryInsertResult::Conflicted | TryInsertResult::Empty => Ok(0),
    }
}

async fn events_of(db: &impl ConnectionTrait, assignment: i64) -> Result<Vec<event::Model>> {
    let found = event::Entity::find()
        .filter(event::Column::AssignmentId.eq(assignment))
        .order_by_asc(event::Column::Seq);
    Ok(found.all(db).await?)
}
