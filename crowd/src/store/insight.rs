//! The lists of positions whose answer is known.

use std::collections::HashSet;

use sea_orm::sea_query::Query;
use sea_orm::{
    ColumnTrait as _, EntityTrait as _, PaginatorTrait as _, QueryFilter as _, QueryOrder as _,
    QuerySelect as _,
};

use super::entity::{assignment, flag, position};
use super::{Result, Store};
use crate::model::{Mode, PositionState, Progress};

impl Store {
    /// Whole lists that their owners finished and that are not held, of positions in one of these states.
    pub(crate) async fn whole_lists(
        &self,
        states: &[PositionState],
    ) -> Result<Vec<assignment::Model>> {
        let known = Query::select()
            .column(position::Column::Id)
            .from(position::Entity)
            .and_where(position::Column::State.is_in(states.iter().copied()))
            .to_owned();
        let found = assignment::Entity::find()
            .filter(assignment::Column::PositionId.in_subquery(known))
            .filter(assignment::Column::State.eq(Progress::Finished))
            .filter(assignment::Column::Complete.eq(true))
            .filter(assignment::Column::Held.eq(false))
            .filter(assignment::Column::Mode.is_in([Mode::Calm, Mode::Timed, Mode::Pair]))
            .order_by_asc(assignment::Column::Id);
        Ok(found.all(self.readers()).await?)
    }

    /// The numbers of the assignments that have a flag.
    pub(crate) async fn flagged_lists(&self) -> Result<HashSet<i64>> {
        let found = flag::Entity::find()
            .select_only()
            .column(flag::Column::AssignmentId)
            .into_tuple::<i64>();
        Ok(found.all(self.readers()).await?.into_iter().collect())
    }

    pub(crate) async fn count_flags(&self) -> Result<u64> {
        Ok(flag::Entity::find().count(self.readers()).await?)
    }
}
