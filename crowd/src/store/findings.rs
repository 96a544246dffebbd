//! Results of aggregation: estimates, reliabilities, test cases, queue items; flags.

use std::collections::HashSet;

use sea_orm::ActiveValue::{NotSet, Set};
use sea_orm::sea_query::{Expr, ExprTrait as _, IntoIden, OnConflict};
use sea_orm::{
    ActiveModelTrait, ColumnTrait as _, EntityTrait, IntoActiveModel, QueryFilter as _,
    QueryOrder as _, QuerySelect as _, TryInsertResult,
};

use super::entity::{estimate, flag, list, moderation, reliability, test_case};
use super::positions::{change_state, do_nothing};
use super::{Result, Store, change, delete};
use crate::model::{PositionState, QueueState, Resolution};

#[derive(Clone, Copy, Debug)]
pub struct Ruling<'a> {
    pub resolution: Resolution,
    /// The reason, of which at most 2000 characters are kept.
    pub note: &'a str,
    pub by: &'a str,
}

impl Store {
    pub(crate) async fn put_estimates(&self, rows: &[estimate::Model]) -> Result<()> {
        use estimate::Column::{DawidSkene, Mv, No, PositionId, Yes};
        let rows = rows.iter().cloned().map(estimate::ActiveModel::from);
        self.put(rows.collect(), &[PositionId, Mv], &[Yes, No, DawidSkene])
            .await
    }

    pub(crate) async fn put_reliabilities(&self, rows: &[reliability::Model]) -> Result<()> {
        use reliability::Column::{Class, ContributorId, Labels, Reliability};
        let rows = rows.iter().cloned().map(reliability::ActiveModel::from);
        self.put(
            rows.collect(),
            &[ContributorId, Class],
            &[Reliability, Labels],
        )
        .await
    }

    /// Inserts rows; those whose key is there get the new values of some columns.
    async fn put<A, C>(&self, rows: Vec<A>, key: &[C], changed: &[C]) -> Result<()>
    where
        A: ActiveModelTrait + Send,
        C: IntoIden + Copy,
    {
        let mut over = OnConflict::columns(key.iter().copied());
        over.update_columns(changed.iter().copied());
        for few in rows.chunks(SHORT) {
            let put = A::Entity::insert_many(few.iter().cloned()).on_conflict(over.clone());
            put.exec_without_returning(self.writer()).await?;
        }
        Ok(())
    }

    /// Makes an open position a test case; returns false if it is no longer open.
    pub(crate) async fn agree(&self, case: test_case::Model) -> Result<bool> {
        let case = test_case::ActiveModel::from(case);
        let position = *case.position_id.as_ref();
        self.leave_open(position, PositionState::Agreed, case).await
    }

    /// Adds an open position to the moderators' queue; returns false if it is no longer open.
    pub(crate) async fn dispute(&self, position: i64, moves: String, now: i64) -> Result<bool> {
        let item = moderation::ActiveModel {
            position_id: Set(position),
            moves: Set(moves),
            state: Set(QueueState::Open),
            created_at: Set(now),
            ..Default::default()
        };
        self.leave_open(position, PositionState::Disputed, item)
            .await
    }

    /// Takes a disputed position out of the queue, and opens it again; returns false if a moderator
    /// has decided.
    pub(crate) async fn reopen(&self, position: i64) -> Result<bool> {
        let transaction = self.begin().await?;
        let (was, is) = (PositionState::Disputed, PositionState::Open);
        if !change_state(&transaction, position, was, is).await? {
            transaction.rollback().await?;
            return Ok(false);
        }
        let is_open = moderation::Column::State.eq(QueueState::Open);
        let items = moderation::Column::PositionId.eq(position).and(is_open);
        delete::<moderation::Entity>(&transaction, items).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Retires an open position, with a resolved queue item that records the time; returns false if
    /// it is not open.
    pub(crate) async fn retire(&self, position: i64, by: &str, now: i64) -> Result<bool> {
        let item = moderation::ActiveModel {
            position_id: Set(position),
            moves: Set("[]".to_owned()),
            state: Set(QueueState::Resolved),
            resolution: Set(Some(Resolution::Retire)),
            created_at: Set(now),
            resolved_at: Set(Some(now)),
            decided_by: Set(Some(by.to_owned())),
            ..Default::default()
        };
        self.leave_open(position, PositionState::Retired, item)
            .await
    }

    /// Changes the state of an open position and inserts the row that says why.
    async fn leave_open<A>(&self, position: i64, becomes: PositionState, row: A) -> Result<bool>
    where
        A: ActiveModelTrait + Send,
        <A::Entity as EntityTrait>::Model: IntoActiveModel<A>,
    {
        let transaction = self.begin().await?;
        // Of two who decide at once, only one finds the position open.
        if !change_state(&transaction, position, PositionState::Open, becomes).await? {
            transaction.rollback().await?;
            return Ok(false);
        }
        let added = A::Entity::insert(row);
        added.exec_without_returning(&transaction).await?;
        transaction.commit().await?;
        Ok(true)
    }

    pub(crate) async fn test_cases(&self) -> Result<Vec<test_case::Model>> {
        self.all(test_case::Entity::find().order_by_asc(test_case::Column::PositionId))
            .await
    }

    pub(crate) async fn certified_at(&self) -> Result<Vec<(i64, i64)>> {
        let found = test_case::Entity::find()
            .select_only()
            .column(test_case::Column::PositionId)
            .column(test_case::Column::CertifiedAt)
            .into_tuple();
        Ok(found.all(self.readers()).await?)
    }

    pub(crate) async fn count_test_cases(&self) -> Result<u64> {
        self.count(test_case::Entity::find()).await
    }

    /// All queue items, open and resolved, newest first.
    pub(crate) async fn queue(&self) -> Result<Vec<moderation::Model>> {
        self.all(moderation::Entity::find().order_by_desc(moderation::Column::Id))
            .await
    }

    /// Resolves an open queue item; returns false if it is not open.
    pub(crate) async fn decide(&self, id: i64, ruling: &Ruling<'_>, at: i64) -> Result<bool> {
        use moderation::Column;
        let transaction = self.begin().await?;
        let decided = moderation::Entity::update_many()
            .col_expr(Column::State, Expr::value(QueueState::Resolved))
            .col_expr(Column::Resolution, Expr::value(ruling.resolution))
            .col_expr(Column::Note, Expr::value(ruling.note))
            .col_expr(Column::ResolvedAt, Expr::value(at))
            .col_expr(Column::DecidedBy, Expr::value(ruling.by))
            .filter(Column::Id.eq(id))
            .filter(Column::State.eq(QueueState::Open))
            .exec(&transaction)
            .await?;
        if decided.rows_affected == 0 {
            transaction.rollback().await?;
            return Ok(false);
        }
        let item = moderation::Entity::find_by_id(id).one(&transaction).await?;
        if let Some(item) = item {
            let (was, is) = (
                PositionState::Disputed,
                ruling.resolution.position_becomes(),
            );
            change_state(&transaction, item.position_id, was, is).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    pub(crate) async fn flagged_lists(&self) -> Result<HashSet<i64>> {
        let found = flag::Entity::find()
            .select_only()
            .column(flag::Column::ListId);
        let found = found.into_tuple::<i64>().all(self.readers()).await?;
        Ok(found.into_iter().collect())
    }

    pub(crate) async fn count_flags(&self) -> Result<u64> {
        self.count(flag::Entity::find()).await
    }

    pub(crate) async fn flags_of(&self, lists: Vec<i64>) -> Result<Vec<flag::Model>> {
        let found = flag::Entity::find()
            .filter(flag::Column::ListId.is_in(lists))
            .order_by_asc(flag::Column::Id);
        self.all(found).await
    }

    pub(crate) async fn flags(&self) -> Result<Vec<flag::Model>> {
        self.all(flag::Entity::find().order_by_desc(flag::Column::Id))
            .await
    }
}

/// Number of rows per statement, so that submissions wait a few milliseconds at most.
const SHORT: usize = 100;

impl Store {
    /// Inserts the flags of a list and marks it as checked; returns the number of new flags.
    pub(crate) async fn put_flags(
        &self,
        list: &list::Model,
        flags: Vec<flag::Model>,
    ) -> Result<u64> {
        let rows = flags.into_iter().map(|flag| flag::ActiveModel {
            id: NotSet,
            ..flag.into()
        });
        let transaction = self.begin().await?;
        let raised = flag::Entity::insert_many(rows)
            .on_conflict(do_nothing())
            .try_insert();
        let raised = match raised.exec_without_returning(&transaction).await? {
            TryInsertResult::Inserted(rows) => rows,
            TryInsertResult::Conflicted | TryInsertResult::Empty => 0,
        };
        let checked = (list::Column::Checked, Expr::value(true));
        let is_it = list::Column::Id.eq(list.id);
        change::<list::Entity>(&transaction, checked, is_it).await?;
        transaction.commit().await?;
        Ok(raised)
    }
}
