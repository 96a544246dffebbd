//! Everything about one contributor: reading it, and deleting it.

use std::collections::HashMap;

use sea_orm::sea_query::{Expr, ExprTrait as _, SelectStatement};
use sea_orm::{ColumnTrait as _, Condition, EntityTrait, QueryFilter as _, QueryOrder as _};

use super::entity::{
    award, contributor, event, flag, list, pair, position, reliability, session, student,
};
use super::sets::change_students;
use super::{Result, Store, change, delete, select};

#[derive(Clone, Debug)]
pub(crate) struct Records {
    pub(crate) person: contributor::Model,
    pub(crate) sessions: Vec<session::Model>,
    pub(crate) lists: Vec<list::Model>,
    /// Those of the lists, by their numbers.
    pub(crate) positions: HashMap<i64, position::Model>,
    pub(crate) events: Vec<event::Model>,
    pub(crate) awards: Vec<award::Model>,
    pub(crate) students: Vec<student::Model>,
    pub(crate) flags: Vec<flag::Model>,
    pub(crate) reliabilities: Vec<reliability::Model>,
}

fn own(contributor: i64) -> SelectStatement {
    let is_own = list::Column::ContributorId.eq(contributor);
    select(list::Column::Id, is_own)
}

impl Store {
    /// Everything about a contributor; `None` if there is no such contributor.
    pub(crate) async fn records_of(&self, id: i64) -> Result<Option<Records>> {
        let Some(person) = self.find::<contributor::Entity>(id).await? else {
            return Ok(None);
        };
        let is_own = list::Column::ContributorId.eq(id);
        let had = select(list::Column::PositionId, is_own);
        let positions = position::Entity::find().filter(position::Column::Id.in_subquery(had));
        let events = event::Entity::find()
            .filter(event::Column::ListId.in_subquery(own(id)))
            .order_by_asc(event::Column::ListId)
            .order_by_asc(event::Column::Seq);
        let positions = self.all(positions).await?.into_iter();
        Ok(Some(Records {
            person,
            positions: positions.map(|position| (position.id, position)).collect(),
            events: self.all(events).await?,
            lists: {
                use list::Column::{ContributorId, Id};
                self.rows::<list::Entity>((ContributorId, id), Id).await?
            },
            sessions: {
                use session::Column::{ContributorId, CreatedAt};
                self.rows::<session::Entity>((ContributorId, id), CreatedAt)
                    .await?
            },
            awards: {
                use award::Column::{ContributorId, ListId};
                self.rows::<award::Entity>((ContributorId, id), ListId)
                    .await?
            },
            students: {
                use student::Column::{ContributorId, JoinedAt};
                self.rows::<student::Entity>((ContributorId, id), JoinedAt)
                    .await?
            },
            flags: {
                use flag::Column::{ContributorId, Id};
                self.rows::<flag::Entity>((ContributorId, id), Id).await?
            },
            reliabilities: {
                use reliability::Column::{Class, ContributorId};
                self.rows::<reliability::Entity>((ContributorId, id), Class)
                    .await?
            },
        }))
    }

    /// The rows of a contributor, in the order of a column.
    async fn rows<E: EntityTrait>(
        &self,
        (owner, id): (E::Column, i64),
        order: E::Column,
    ) -> Result<Vec<E::Model>> {
        let found = E::find().filter(owner.eq(id)).order_by_asc(order);
        self.all(found).await
    }

    /// Deletes sessions made before `session`, and people made before `idle` without any list, class or recovery
    /// phrase; returns the number of people.
    pub(crate) async fn forget_idle(&self, session: i64, idle: i64) -> Result<u64> {
        use contributor::Column;
        let busy = select(list::Column::ContributorId, Condition::all());
        let students = select(student::Column::ContributorId, Condition::all());
        let is_idle = Condition::all()
            .add(Column::CreatedAt.lt(idle))
            // People with a phrase may come back on another device, however long ago they were
            // here.
            .add(Column::PhraseHash.is_null())
            .add(Column::Id.not_in_subquery(busy))
            .add(Column::Id.not_in_subquery(students));
        let db = self.begin().await?;
        let of_idle = select(Column::Id, is_idle.clone());
        let ended = session::Column::CreatedAt
            .lt(session)
            .or(session::Column::ContributorId.in_subquery(of_idle));
        // Rows that refer to others go first, here and below: foreign keys are checked at once.
        delete::<session::Entity>(&db, ended).await?;
        let forgotten = delete::<contributor::Entity>(&db, is_idle).await?;
        db.commit().await?;
        Ok(forgotten)
    }

    /// Deletes a contributor with all their lists; returns false if there is no such contributor.
    ///
    /// The other of a pair waits for a partner again, and keeps the points for their agreement.
    pub(crate) async fn delete_contributor(&self, id: i64) -> Result<bool> {
        use pair::Column::{FirstList, SecondList};
        let none = || Expr::value(Option::<i64>::None);
        let db = self.begin().await?;
        let left = (SecondList, none());
        change::<pair::Entity>(&db, left, SecondList.in_subquery(own(id))).await?;
        pair::Entity::update_many()
            // A pair always has a first, so the partner who stays moves to that place.
            .col_expr(FirstList, Expr::col(SecondList))
            .col_expr(SecondList, none())
            .filter(FirstList.in_subquery(own(id)))
            .filter(SecondList.is_not_null())
            .exec(&db)
            .await?;
        delete::<pair::Entity>(&db, FirstList.in_subquery(own(id))).await?;
        // Flags on other people's lists name the person whose list theirs resembles.
        let flags = flag::Column::ContributorId
            .eq(id)
            .or(flag::Column::Other.eq(id));
        delete::<flag::Entity>(&db, flags).await?;
        delete::<award::Entity>(&db, award::Column::ContributorId.eq(id)).await?;
        let events = event::Column::ListId.in_subquery(own(id));
        delete::<event::Entity>(&db, events).await?;
        delete::<list::Entity>(&db, list::Column::ContributorId.eq(id)).await?;
        let is_student = student::Column::ContributorId.eq(id);
        let of_student = student::Entity::find().filter(is_student.clone());
        for row in of_student.all(&db).await? {
            change_students(&db, row.class_id, -1).await?;
        }
        delete::<student::Entity>(&db, is_student).await?;
        delete::<reliability::Entity>(&db, reliability::Column::ContributorId.eq(id)).await?;
        delete::<session::Entity>(&db, session::Column::ContributorId.eq(id)).await?;
        let deleted = contributor::Entity::delete_by_id(id).exec(&db).await?;
        db.commit().await?;
        Ok(deleted.rows_affected == 1)
    }
}
