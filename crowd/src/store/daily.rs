//! Boards of the day, and the lists that count for them: one for each contributor and day.

use std::collections::HashSet;

use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait as _, Condition, EntityTrait as _, PaginatorTrait as _, QueryFilter as _,
    QueryOrder as _, QuerySelect as _,
};

use super::entity::{daily_board, daily_list, position};
use super::{Result, Store};

/// Maximum number of values per query; both databases limit them.
const AT_ONCE: usize = 1_000;

/// How a list compares with those of other people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ranking {
    /// Number of finished lists of others.
    pub(crate) others: u64,
    /// Number of those with fewer points, or as many and more time.
    pub(crate) beaten: u64,
    /// The upper median of the legal moves that others found; none without others.
    pub(crate) median_found: Option<i64>,
}

impl Store {
    /// The boards of these days, both included, by day.
    pub(crate) async fn daily_boards(&self, from: i64, to: i64) -> Result<Vec<daily_board::Model>> {
        let found = daily_board::Entity::find()
            .filter(daily_board::Column::Day.between(from, to))
            .order_by_asc(daily_board::Column::Day);
        Ok(found.all(self.readers()).await?)
    }

    /// Stores boards, except of days that have one.
    pub(crate) async fn add_daily_boards(&self, boards: Vec<daily_board::Model>) -> Result<()> {
        let rows = boards.into_iter().map(daily_board::ActiveModel::from);
        let added = daily_board::Entity::insert_many(rows).on_conflict_do_nothing();
        added.exec_without_returning(self.writer()).await?;
        Ok(())
    }

    /// Which of these keys of equal positions the crowd's positions have.
    pub(crate) async fn keys_of_positions(&self, keys: &[String]) -> Result<HashSet<String>> {
        let mut taken = HashSet::new();
        for few in keys.chunks(AT_ONCE) {
            let found = position::Entity::find()
                .select_only()
                .column(position::Column::SameAs)
                .filter(position::Column::SameAs.is_in(few.iter().map(String::as_str)))
                .into_tuple::<String>();
            taken.extend(found.all(self.readers()).await?);
        }
        Ok(taken)
    }

    /// Begins the list of a contributor and day, unless they have one; returns it as it is then.
    pub(crate) async fn begin_daily_list(
        &self,
        contributor: i64,
        day: i64,
        now: i64,
    ) -> Result<Option<daily_list::Model>> {
        let new = daily_list::Model {
            contributor_id: contributor,
            day,
            started_at: now,
            finished_at: None,
            moves: None,
            points: 0,
            found: 0,
            took_ms: 0,
        };
        let added = daily_list::Entity::insert(daily_list::ActiveModel::from(new));
        let added = added.on_conflict_do_nothing();
        added.exec_without_returning(self.writer()).await?;
        // The writer's connection is asked: it sees what it has just written.
        let found = daily_list::Entity::find_by_id((contributor, day));
        Ok(found.one(self.writer()).await?)
    }

    pub(crate) async fn daily_list(
        &self,
        contributor: i64,
        day: i64,
    ) -> Result<Option<daily_list::Model>> {
        let found = daily_list::Entity::find_by_id((contributor, day));
        Ok(found.one(self.readers()).await?)
    }

    /// Finishes a list with the values of the row; returns false if there is none that is open.
    pub(crate) async fn finish_daily_list(&self, list: &daily_list::Model) -> Result<bool> {
        use daily_list::Column;
        let finished = daily_list::Entity::update_many()
            .col_expr(Column::FinishedAt, Expr::value(list.finished_at))
            .col_expr(Column::Moves, Expr::value(list.moves.clone()))
            .col_expr(Column::Points, Expr::value(list.points))
            .col_expr(Column::Found, Expr::value(list.found))
            .col_expr(Column::TookMs, Expr::value(list.took_ms))
            .filter(Column::ContributorId.eq(list.contributor_id))
            .filter(Column::Day.eq(list.day))
            // One list a day counts: later requests to finish find none that is open.
            .filter(Column::FinishedAt.is_null())
            .exec(self.writer())
            .await?;
        Ok(finished.rows_affected == 1)
    }

    /// The days of a contributor's finished lists.
    pub(crate) async fn daily_days(&self, contributor: i64) -> Result<Vec<i64>> {
        let found = daily_list::Entity::find()
            .select_only()
            .column(daily_list::Column::Day)
            .filter(daily_list::Column::ContributorId.eq(contributor))
            .filter(daily_list::Column::FinishedAt.is_not_null())
            .into_tuple::<i64>();
        Ok(found.all(self.readers()).await?)
    }

    pub(crate) async fn count_daily_lists(&self, day: i64) -> Result<u64> {
        use daily_list::Column;
        let found = daily_list::Entity::find()
            .filter(Column::Day.eq(day))
            .filter(Column::FinishedAt.is_not_null());
        Ok(found.count(self.readers()).await?)
    }

    /// How a list compares with the finished lists of the other people of its day.
    pub(crate) async fn daily_ranking(&self, list: &daily_list::Model) -> Result<Ranking> {
        use daily_list::Column;
        let db = self.readers();
        let others = daily_list::Entity::find()
            .filter(Column::Day.eq(list.day))
            .filter(Column::FinishedAt.is_not_null())
            .filter(Column::ContributorId.ne(list.contributor_id));
        let slower = Condition::all()
            .add(Column::Points.eq(list.points))
            .add(Column::TookMs.gt(list.took_ms));
        let worse = Condition::any()
            .add(Column::Points.lt(list.points))
            .add(slower);
        let count = others.clone().count(db).await?;
        let middle = others
            .clone()
            .select_only()
            .column(Column::Found)
            .order_by_asc(Column::Found)
            .offset(count / 2)
            .limit(1)
            .into_tuple::<i64>();
        Ok(Ranking {
            others: count,
            beaten: others.filter(worse).count(db).await?,
            median_found: middle.one(db).await?,
        })
    }
}
