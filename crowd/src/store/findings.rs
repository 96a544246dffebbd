//! Results of aggregation: estimates, reliabilities, test cases, queue items; flags.

use sea_orm::ActiveValue::{NotSet, Set};
use sea_orm::sea_query::{Expr, ExprTrait as _, OnConflict};
use sea_orm::{
    ActiveModelTrait, ColumnTrait as _, EntityTrait, IntoActiveModel, PaginatorTrait as _,
    QueryFilter as _, QueryOrder as _, QuerySelect as _, TryInsertResult,
};

use super::entity::{assignment, estimate, flag, moderation, reliability, test_case};
use super::positions::{change_state, do_nothing};
use super::{Result, Store, change, delete};
use crate::model::{PositionState, QueueState, Resolution};

#[derive(Clone, Debug)]
pub(crate) struct Decision<'a> {
    pub(crate) item: i64,
    pub(crate) resolution: Resolution,
    pub(crate) note: &'a str,
    pub(crate) by: &'a str,
    pub(crate) at: i64,
    pub(crate) position_becomes: PositionState,
}

impl Store {
    pub(crate) async fn put_estimates(&self, rows: &[estimate::Model]) -> Result<()> {
        use estimate::Column;
        let key = [Column::PositionId, Column::Mv];
        let over = [Column::Yes, Column::No, Column::DawidSkene];
        let over = OnConflict::columns(key).update_columns(over).to_owned();
        for few in rows.chunks(SHORT) {
            let rows = few.iter().cloned().map(estimate::ActiveModel::from);
            let put = estimate::Entity::insert_many(rows).on_conflict(over.clone());
            put.exec_without_returning(self.writer()).await?;
        }
        Ok(())
    }

    pub(crate) async fn put_reliabilities(&self, rows: &[reliability::Model]) -> Result<()> {
        use reliability::Column;
        let key = [Column::ContributorId, Column::Class];
        let over = [Column::Reliability, Column::Labels];
        let over = OnConflict::columns(key).update_columns(over).to_owned();
        for few in rows.chunks(SHORT) {
            let rows = few.iter().cloned().map(reliability::ActiveModel::from);
            let put = reliability::Entity::insert_many(rows).on_conflict(over.clone());
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
        let found = test_case::Entity::find().order_by_asc(test_case::Column::PositionId);
        Ok(found.all(self.readers()).await?)
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
        Ok(test_case::Entity::find().count(self.readers()).await?)
    }

    /// All queue items, open and resolved, newest first.
    pub(crate) async fn queue(&self) -> Result<Vec<moderation::Model>> {
        let found = moderation::Entity::find().order_by_desc(moderation::Column::Id);
        Ok(found.all(self.readers()).await?)
    }

    pub(crate) async fn queue_item(&self, id: i64) -> Result<Option<moderation::Model>> {
        let found = moderation::Entity::find_by_id(id);
        Ok(found.one(self.readers()).await?)
    }

    /// Resolves an open queue item; returns false if it is not open.
    pub(crate) async fn decide(&self, decision: &Decision<'_>) -> Result<bool> {
        use moderation::Column;
        let transaction = self.begin().await?;
        let decided = moderation::Entity::update_many()
            .col_expr(Column::State, Expr::value(QueueState::Resolved))
            .col_expr(Column::Resolution, Expr::value(decision.resolution))
            .col_expr(Column::Note, Expr::value(decision.note))
            .col_expr(Column::ResolvedAt, Expr::value(decision.at))
            .col_expr(Column::DecidedBy, Expr::value(decision.by))
            .filter(Column::Id.eq(decision.item))
            .filter(Column::State.eq(QueueState::Open))
            .exec(&transaction)
            .await?;
        if decided.rows_affected == 0 {
            transaction.rollback().await?;
            return Ok(false);
        }
        let item = moderation::Entity::find_by_id(decision.item)
            .one(&transaction)
            .await?;
        if let Some(item) = item {
            let (was, is) = (PositionState::Disputed, decision.position_becomes);
            change_state(&transaction, item.position_id, was, is).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    /// The flags of these lists, in order.
    pub(crate) async fn flags_of(&self, lists: Vec<i64>) -> Result<Vec<flag::Model>> {
        let found = flag::Entity::find()
            .filter(flag::Column::AssignmentId.is_in(lists))
            .order_by_asc(flag::Column::Id);
        Ok(found.all(self.readers()).await?)
    }

    pub(crate) async fn flags(&self) -> Result<Vec<flag::Model>> {
        let found = flag::Entity::find().order_by_desc(flag::Column::Id);
        Ok(found.all(self.readers()).await?)
    }
}

/// Number of rows per statement, so that submissions wait a few milliseconds at most.
const SHORT: usize = 100;

impl Store {
    /// Inserts the flags of a list and marks it as checked; returns the number of new flags.
    pub(crate) async fn put_flags(
        &self,
        list: &assignment::Model,
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
        let checked = (assignment::Column::Checked, Expr::value(true));
        let is_it = assignment::Column::Id.eq(list.id);
        change::<assignment::Entity>(&transaction, checked, is_it).await?;
        transaction.commit().await?;
        Ok(raised)
    }
}
