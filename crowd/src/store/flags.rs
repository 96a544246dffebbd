//! Flags, and which lists have been checked for them.

use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _, TryInsertResult};

use super::entity::{assignment, flag};
use super::positions::do_nothing;
use super::{Store, StoreError};

/// A flag to insert.
#[derive(Clone, Debug)]
pub(crate) struct NewFlag {
    pub(crate) kind: &'static str,
    pub(crate) detail: String,
    /// Its strength, from 0 to 1.
    pub(crate) score: f64,
    /// The contributor whose list it resembles; 0 if none.
    pub(crate) other: i64,
}

impl Store {
    /// Inserts the flags of a list and marks it as checked; returns the number of new flags.
    pub(crate) async fn put_flags(
        &self,
        list: &assignment::Model,
        flags: Vec<NewFlag>,
        now: i64,
    ) -> Result<u64, StoreError> {
        let rows = flags.into_iter().map(|new| flag::ActiveModel {
            assignment_id: Set(list.id),
            contributor_id: Set(list.contributor_id),
            position_id: Set(list.position_id),
            kind: Set(new.kind.to_owned()),
            other: Set(new.other),
            detail: Set(new.detail),
            score: Set(new.score),
            created_at: Set(now),
            ..Default::default()
        });
        let transaction = self.begin().await?;
        let raised = flag::Entity::insert_many(rows)
            .on_conflict(do_nothing())
            .try_insert();
        let raised = match raised.exec_without_returning(&transaction).await? {
            TryInsertResult::Inserted(rows) => rows,
            TryInsertResult::Conflicted | TryInsertResult::Empty => 0,
        };
        assignment::Entity::update_many()
            .col_expr(assignment::Column::Checked, Expr::value(true))
            .filter(assignment::Column::Id.eq(list.id))
            .exec(&transaction)
            .await?;
        transaction.commit().await?;
        Ok(raised)
    }
}
