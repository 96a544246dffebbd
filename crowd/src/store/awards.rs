//! Awarded points. The key of an award is the assignment and the kind, so that none is given twice.

use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, ExprTrait as _};
use sea_orm::{
    ColumnTrait as _, ConnectionTrait, DbBackend, EntityTrait as _, FromQueryResult,
    QueryFilter as _, QuerySelect as _,
};

use super::entity::{assignment, award};
use super::{Store, StoreError};

/// Points to award.
#[derive(Clone, Debug)]
pub(crate) struct Award {
    pub(crate) assignment: i64,
    pub(crate) kind: &'static str,
    pub(crate) contributor: i64,
    pub(crate) mode: String,
    pub(crate) points: i64,
    /// Number of correct decisions.
    pub(crate) correct: i64,
    /// Number of all decisions.
    pub(crate) total: i64,
    /// When the list was finished.
    pub(crate) given_at: i64,
}

/// A contributor's totals over a period.
#[derive(Clone, Copy, Debug, Default, FromQueryResult)]
pub(crate) struct Sums {
    pub(crate) contributor_id: i64,
    pub(crate) points: i64,
    /// Number of lists that earned points.
    pub(crate) lists: i64,
    /// Number of correct decisions.
    pub(crate) correct: i64,
    /// Number of all decisions.
    pub(crate) total: i64,
}

impl Store {
    /// Awards points, except those awarded before.
    pub(crate) async fn award(&self, awards: &[Award]) -> Result<(), StoreError> {
        insert(self.writer(), awards).await
    }

    /// Awards the points of a scored list, and marks it as scored.
    pub(crate) async fn score(&self, award: &Award) -> Result<(), StoreError> {
        let transaction = self.begin().await?;
        insert(&transaction, std::slice::from_ref(award)).await?;
        assignment::Entity::update_many()
            .col_expr(assignment::Column::Scored, Expr::value(true))
            .filter(assignment::Column::Id.eq(award.assignment))
            .exec(&transaction)
            .await?;
        Ok(transaction.commit().await?)
    }

    /// The totals of one contributor since then.
    pub(crate) async fn sums_of(&self, contributor: i64, since: i64) -> Result<Sums, StoreError> {
        let mut all = self.sums(None, since, Some(contributor)).await?;
        Ok(all.pop().unwrap_or_default())
    }

    /// The totals of each contributor since then, in one mode or in all.
    pub(crate) async fn sums(
        &self,
        mode: Option<&str>,
        since: i64,
        contributor: Option<i64>,
    ) -> Result<Vec<Sums>, StoreError> {
        use award::Column;
        let db = self.readers();
        let sum = |column: Column| as_bigint(db.get_database_backend(), column);
        let mut found = award::Entity::find()
            .select_only()
            .column(Column::ContributorId)
            .column_as(sum(Column::Points), "points")
            .column_as(Expr::cust("COUNT(DISTINCT assignment_id)"), "lists")
            .column_as(sum(Column::Correct), "correct")
            .column_as(sum(Column::Total), "total")
            .filter(Column::GivenAt.gte(since))
            .group_by(Column::ContributorId);
        if let Some(mode) = mode {
            found = found.filter(Column::Mode.eq(mode));
        }
        if let Some(contributor) = contributor {
            found = found.filter(Column::ContributorId.eq(contributor));
        }
        Ok(found.into_model().all(db).await?)
    }

    /// The awards of an assignment, by kind.
    pub(crate) async fn awards_of(&self, assignment: i64) -> Result<Vec<award::Model>, StoreError> {
        let found = award::Entity::find().filter(award::Column::AssignmentId.eq(assignment));
        Ok(found.all(self.readers()).await?)
    }
}

/// `PostgreSQL` sums 64-bit numbers as decimals; ours are far from overflowing 64 bits.
fn as_bigint(backend: DbBackend, column: award::Column) -> Expr {
    let sum = column.sum();
    match backend {
        DbBackend::Postgres => sum.cast_as("bigint"),
        _ => sum,
    }
}

async fn insert(db: &impl ConnectionTrait, awards: &[Award]) -> Result<(), StoreError> {
    let rows = awards.iter().map(|award| award::ActiveModel {
        assignment_id: Set(award.assignment),
        kind: Set(award.kind.to_owned()),
        contributor_id: Set(award.contributor),
        mode: Set(award.mode.clone()),
        points: Set(award.points),
        correct: Set(award.correct),
        total: Set(award.total),
        given_at: Set(award.given_at),
    });
    let inserted = award::Entity::insert_many(rows).on_conflict_do_nothing();
    inserted.exec_without_returning(db).await?;
    Ok(())
}
