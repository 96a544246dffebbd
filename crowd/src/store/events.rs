//! Events of lists, each stored once, in order, without gaps; and closing lists.

use std::collections::HashSet;

use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, ExprTrait as _};
use sea_orm::{
    ColumnTrait as _, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr,
    EntityTrait as _, QueryFilter as _, QueryOrder as _, Statement, TryInsertResult, Value,
};

use super::entity::{event, list};
use super::open::begin;
use super::{Result, Store, TOGETHER, not_answered};
use crate::model::{ListEvent, Progress};
use web::batch::Batcher;

#[derive(Clone, Debug)]
pub(crate) struct NewEvents {
    pub(crate) list: i64,
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
            // An event before the first new one has a negative index, which becomes one that none
            // has.
            let index = usize::try_from(kept.seq - self.first).unwrap_or(usize::MAX);
            self.events.get(index).is_some_and(|new| {
                // The time of arrival is left out, as it differs when a browser sends an event
                // again.
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
    /// The list is not open, its time is over, or events are missing before these.
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
    pub(crate) complete: bool,
    pub(crate) held: bool,
}

/// Stores events, each with the time when they came.
pub(super) type EventRecorder = Batcher<(NewEvents, i64), Result<Kept>>;

pub(super) fn recorder(writer: DatabaseConnection) -> EventRecorder {
    Batcher::start(TOGETHER, move |all| record_all(writer.clone(), all))
}

async fn record_all(writer: DatabaseConnection, all: Vec<(NewEvents, i64)>) -> Vec<Result<Kept>> {
    if all.len() > 1 {
        match record_together(&writer, &all).await {
            Ok(None) => {}
            Ok(Some(kept)) => return kept.into_iter().map(Ok).collect(),
            Err(error) => return all.iter().map(|_| Err(error.clone())).collect(),
        }
    }
    let mut kept = Vec::with_capacity(all.len());
    for (new, now) in &all {
        kept.push(record(&writer, new, *now).await);
    }
    kept
}

/// Maximum number of events in one statement; both databases limit its values.
const EVENTS_AT_ONCE: usize = 1000;

/// Stores the events of several lists in one transaction, or returns `None` and stores nothing if they
/// must be looked at one by one: some are stored already, or two are of the same list.
async fn record_together(
    writer: &DatabaseConnection,
    all: &[(NewEvents, i64)],
) -> Result<Option<Vec<Kept>>> {
    let lists: HashSet<i64> = all.iter().map(|(new, _)| new.list).collect();
    let events: usize = all.iter().map(|(new, _)| new.events.len()).sum();
    if lists.len() < all.len() || events > EVENTS_AT_ONCE {
        return Ok(None);
    }
    let transaction = begin(writer).await?;
    let taken = take_all(&transaction, all).await?;
    let taken_of = |(new, _): &&(NewEvents, i64)| taken.contains(&new.list);
    let accepted: Vec<&(NewEvents, i64)> = all.iter().filter(taken_of).collect();
    let events: usize = accepted.iter().map(|(new, _)| new.events.len()).sum();
    let rows = accepted.iter().map(|(new, now)| (new, *now));
    if insert(&transaction, rows).await? != events as u64 {
        transaction.rollback().await?;
        return Ok(None);
    }
    transaction.commit().await?;
    let kept = |one| {
        if taken_of(&one) {
            Kept::All
        } else {
            Kept::Refused
        }
    };
    Ok(Some(all.iter().map(kept).collect()))
}

/// What [`keep`] does first, for several lists; returns those that accept their events.
async fn take_all(
    transaction: &DatabaseTransaction,
    all: &[(NewEvents, i64)],
) -> Result<HashSet<i64>> {
    // Only `SQLite` writes in groups, so this is its dialect: it names the columns of `VALUES`
    // column1, column2 and so on.
    let rows = vec!["(?, ?, ?, ?)"; all.len()].join(", ");
    let sql = format!(
        "UPDATE list SET event_count = MAX(event_count, new.column3) \
         FROM (VALUES {rows}) AS new WHERE id = new.column1 AND state = ? \
         AND event_count >= new.column2 - 1 AND expires_at > new.column4 RETURNING id"
    );
    let values = all.iter().flat_map(|(new, now)| -> [Value; 4] {
        let last = new.last();
        [
            new.list.into(),
            new.first.into(),
            last.into(),
            (*now).into(),
        ]
    });
    let values = values.chain([Progress::Open.into()]);
    let taken = Statement::from_sql_and_values(DbBackend::Sqlite, sql, values);
    let taken = transaction.query_all_raw(taken).await?;
    let ids = taken.iter().map(|row| row.try_get("", "id"));
    Ok(ids.collect::<Result<_, DbErr>>()?)
}

async fn record(writer: &DatabaseConnection, new: &NewEvents, now: i64) -> Result<Kept> {
    let transaction = begin(writer).await?;
    // The count of events rises before a conflict is found; the rollback below takes it back.
    let kept = keep(&transaction, new, now).await?;
    if kept == Kept::All {
        transaction.commit().await?;
    } else {
        transaction.rollback().await?;
    }
    Ok(kept)
}

impl Store {
    pub(crate) async fn record(&self, new: &NewEvents, now: i64) -> Result<Kept> {
        match &self.recorder {
            Some(recorder) => {
                let kept = recorder.ask((new.clone(), now)).await;
                kept.unwrap_or_else(|| Err(not_answered()))
            }
            None => record(self.writer(), new, now).await,
        }
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
                let events = events_of(&transaction, new.list).await?;
                Ok(Ok((transaction, events)))
            }
            refused => {
                transaction.rollback().await?;
                Ok(Err(refused))
            }
        }
    }

    pub(crate) async fn events(&self, list: i64) -> Result<Vec<event::Model>> {
        events_of(self.readers(), list).await
    }

    /// The sequence number of the first event that differs from the stored one.
    pub(crate) async fn conflict(&self, new: &NewEvents) -> Result<Option<i32>> {
        let kept = events_of(self.readers(), new.list).await?;
        Ok(new.conflict(&kept))
    }
}

/// Completes the closing of a list; returns false if another request closed it.
pub(crate) async fn close(
    transaction: DatabaseTransaction,
    list: i64,
    closing: &Closing,
) -> Result<bool> {
    use list::Column;
    let closed = list::Entity::update_many()
        .col_expr(Column::State, Expr::value(Progress::Finished))
        .col_expr(Column::FinishedAt, Expr::value(closing.at))
        .col_expr(Column::Moves, Expr::value(closing.moves.as_str()))
        .col_expr(Column::Refused, Expr::value(closing.refused.as_str()))
        .col_expr(Column::Complete, Expr::value(closing.complete))
        .col_expr(Column::Held, Expr::value(closing.held))
        .filter(Column::Id.eq(list))
        .filter(Column::State.eq(Progress::Open))
        .exec(&transaction)
        .await?;
    transaction.commit().await?;
    Ok(closed.rows_affected == 1)
}

/// The first statement locks the list's row, so that writers of one list are serialised; its
/// conditions also check whether the events are acceptable.
async fn keep(transaction: &DatabaseTransaction, new: &NewEvents, now: i64) -> Result<Kept> {
    use list::Column;
    let count = Expr::col(Column::EventCount);
    // A repeated request may end before the last stored event; the count never falls.
    let more = Expr::case(count.clone().lt(new.last()), new.last()).finally(count);
    let taken = list::Entity::update_many()
        .col_expr(Column::EventCount, more.into())
        .filter(Column::Id.eq(new.list))
        .filter(Column::State.eq(Progress::Open))
        .filter(Column::ExpiresAt.gt(now))
        .filter(Column::EventCount.gte(new.first.saturating_sub(1)))
        .exec(transaction)
        .await?;
    if taken.rows_affected == 0 {
        return Ok(Kept::Refused);
    }
    // If every row was new, none can differ from a stored one.
    if insert(transaction, [(new, now)]).await? == new.events.len() as u64 {
        return Ok(Kept::All);
    }
    let kept = events_of(transaction, new.list).await?;
    Ok(new.conflict(&kept).map_or(Kept::All, Kept::Conflict))
}

/// Inserts events with the times when they came, except those stored before; returns how many.
async fn insert<'a>(
    db: &impl ConnectionTrait,
    all: impl IntoIterator<Item = (&'a NewEvents, i64)>,
) -> Result<u64> {
    let rows = all.into_iter().flat_map(|(new, now)| {
        let numbered = (new.first..).zip(&new.events);
        numbered.map(move |(seq, one)| event::ActiveModel {
            list_id: Set(new.list),
            seq: Set(seq),
            op: Set(one.op),
            mv: Set(one.mv.to_string()),
            at_ms: Set(one.at_ms.into()),
            received_at: Set(now),
        })
    });
    let inserted = event::Entity::insert_many(rows).on_conflict_do_nothing();
    match inserted.exec_without_returning(db).await? {
        TryInsertResult::Inserted(rows) => Ok(rows),
        TryInsertResult::Conflicted | TryInsertResult::Empty => Ok(0),
    }
}

async fn events_of(db: &impl ConnectionTrait, list: i64) -> Result<Vec<event::Model>> {
    let found = event::Entity::find()
        .filter(event::Column::ListId.eq(list))
        .order_by_asc(event::Column::Seq);
    Ok(found.all(db).await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Op;

    fn events(list: i64, first: i32, moves: &[&str]) -> (NewEvents, i64) {
        let numbered = (first..).zip(moves);
        let event = |(seq, mv): (i32, &&str)| ListEvent {
            seq: u32::try_from(seq).expect("from 1"),
            op: Op::Add,
            mv: mv.parse().expect("a move"),
            at_ms: 0,
        };
        let new = NewEvents {
            list,
            first,
            events: numbered.map(event).collect(),
        };
        (new, 5)
    }

    /// Lists 1 to 4, of which the third is finished and the fourth overdue.
    async fn store() -> Store {
        let store = Store::open("sqlite::memory:").await.expect("a database");
        let rows = [("open", 9), ("open", 9), ("finished", 9), ("open", 3)];
        let rows = (1..).zip(rows).map(|(id, (state, until))| {
            format!(
                "({id}, 't{id}', {id}, 1, 'campaign', '{state}', 0, {until}, 0, FALSE, FALSE, FALSE)"
            )
        });
        let rows: Vec<String> = rows.collect();
        let sql = format!(
            "PRAGMA foreign_keys = OFF; INSERT INTO list (id, token, contributor_id, position_id, \
             purpose, state, issued_at, expires_at, event_count, complete, checked, scored) VALUES {}",
            rows.join(", ")
        );
        let made = store.writer().execute_unprepared(&sql).await;
        made.expect("lists");
        store
    }

    #[tokio::test]
    async fn a_group_is_stored_as_one_by_one() {
        use Kept::{All, Conflict, Refused};
        let groups = [
            // Gaps, finished and overdue lists are refused, and the others kept.
            (
                vec![
                    events(1, 1, &["e2e4", "d2d4"]),
                    events(2, 2, &["e2e4"]),
                    events(3, 1, &["e2e4"]),
                    events(4, 1, &["e2e4"]),
                ],
                vec![All, Refused, Refused, Refused],
            ),
            // Repeated events are the same or not; the rest of the group is kept.
            (
                vec![events(1, 2, &["c2c4"]), events(2, 1, &["e2e4"])],
                vec![Conflict(2), All],
            ),
            (
                vec![events(1, 2, &["d2d4", "c2c4"]), events(2, 1, &["e2e4"])],
                vec![All, All],
            ),
            // Two of one list come in order.
            (
                vec![events(2, 2, &["d2d4"]), events(2, 3, &["c2c4"])],
                vec![All, All],
            ),
        ];
        let (together, apart) = (store().await, store().await);
        for (group, expected) in groups {
            let mut found = Vec::new();
            for (new, now) in &group {
                let kept = record(apart.writer(), new, *now).await;
                found.push(kept.expect("stored or not"));
            }
            assert_eq!(found, expected);
            let kept = record_all(together.writer().clone(), group).await;
            let kept: Vec<Kept> = kept.into_iter().map(|kept| kept.expect("done")).collect();
            assert_eq!(kept, expected);
        }
        for list in 1..=4 {
            let stored = together.events(list).await.expect("events");
            assert_eq!(stored, apart.events(list).await.expect("events"));
            let row = together.find::<list::Entity>(list).await.expect("a row");
            let count = row.expect("it is there").event_count;
            assert_eq!(usize::try_from(count), Ok(stored.len()), "list {list}");
        }
    }

    #[tokio::test]
    async fn people_who_arrive_together_get_a_session_each() {
        let store = store().await;
        let mut arrivals = tokio::task::JoinSet::new();
        for n in 0..100_i64 {
            let store = store.clone();
            arrivals.spawn(async move {
                let added = store.add_contributor(None, format!("hash {n}"), n).await;
                (n, added.expect("added").expect("nobody has no name"))
            });
        }
        let mut ids = HashSet::new();
        while let Some(arrived) = arrivals.join_next().await {
            let (n, id) = arrived.expect("no panic");
            let found = store.contributor_by_session(&format!("hash {n}")).await;
            assert_eq!(found.expect("a query").expect("a session").id, id);
            assert!(ids.insert(id), "{id} is somebody else");
        }
    }
}
