//! The lists of positions whose answer is known.

use std::collections::HashSet;

use sea_orm::{
    ColumnTrait as _, EntityTrait as _, PaginatorTrait as _, QueryFilter as _, QuerySelect as _,
};

use super::assignments::finished_of;
use super::entity::{assignment, flag};
use super::{Result, Store};
use crate::model::{PositionState, Purpose};

impl Store {
    /// Whole lists that their owners finished and that are not held, of positions in one of these states.
    pub(crate) async fn whole_lists(
        &self,
        states: &[PositionState],
    ) -> Result<Vec<assignment::Model>> {
        let found = finished_of(states)
            .filter(assignment::Column::Complete.eq(true))
            // The other modes ask about some candidates only, so a missing move means nothing.
            .filter(assignment::Column::Purpose.is_in([
                Purpose::Campaign,
                Purpose::Timed,
                Purpose::Pair,
            ]));
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
