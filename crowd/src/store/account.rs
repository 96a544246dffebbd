//! Everything about one contributor: reading it, and deleting it.

use sea_orm::sea_query::{Expr, ExprTrait as _, SelectStatement};
use sea_orm::{ColumnTrait as _, Condition, EntityTrait as _, QueryFilter as _, QueryOrder as _};

use super::entity::{
    assignment, award, contributor, event, flag, pair, position, reliability, session, student,
};
use super::sets::change_students;
use super::{Result, Store, change, delete, select};

/// All rows about a contributor.
#[derive(Clone, Debug)]
pub(crate) struct Records {
    pub(crate) person: contributor::Model,
    pub(crate) sessions: Vec<session::Model>,
    /// In the order in which they were assigned, each with its position.
    pub(crate) assignments: Vec<(assignment::Model, Option<position::Model>)>,
    pub(crate) events: Vec<event::Model>,
    pub(crate) awards: Vec<award::Model>,
    pub(crate) students: Vec<student::Model>,
    pub(crate) flags: Vec<flag::Model>,
    pub(crate) reliabilities: Vec<reliability::Model>,
}

/// The assignments of a contributor, as a subquery.
fn own(contributor: i64) -> SelectStatement {
    let is_own = assignment::Column::ContributorId.eq(contributor);
    select(assignment::Column::Id, is_own)
}

impl Store {
    /// Everything about a contributor; `None` if there is no such contributor.
    pub(crate) async fn records_of(&self, id: i64) -> Result<Option<Records>> {
        let db = self.readers();
        let Some(person) = self.contributor_by_id(id).await? else {
            return Ok(None);
        };
        let assignments = assignment::Entity::find()
            .filter(assignment::Column::ContributorId.eq(id))
            .order_by_asc(assignment::Column::Id)
            .all(db)
            .await?;
        let is_own = assignment::Column::ContributorId.eq(id);
        let had = select(assignment::Column::PositionId, is_own);
        let positions = position::Entity::find().filter(position::Column::Id.in_subquery(had));
        let positions = positions.all(db).await?;
        let position_of = |id: i64| positions.iter().find(|one| one.id == id).cloned();
        let sessions = session::Entity::find()
            .filter(session::Column::ContributorId.eq(id))
            .order_by_asc(session::Column::CreatedAt);
        let events = event::Entity::find()
            .filter(event::Column::AssignmentId.in_subquery(own(id)))
            .order_by_asc(event::Column::AssignmentId)
            .order_by_asc(event::Column::Seq);
        let awards = award::Entity::find()
            .filter(award::Column::ContributorId.eq(id))
            .order_by_asc(award::Column::AssignmentId);
        let students = student::Entity::find()
            .filter(student::Column::ContributorId.eq(id))
            .order_by_asc(student::Column::JoinedAt);
        let flags = flag::Entity::find()
            .filter(flag::Column::ContributorId.eq(id))
            .order_by_asc(flag::Column::Id);
        let reliabilities = reliability::Entity::find()
            .filter(reliability::Column::ContributorId.eq(id))
            .order_by_asc(reliability::Column::Class);
        Ok(Some(Records {
            person,
            sessions: sessions.all(db).await?,
            events: events.all(db).await?,
            awards: awards.all(db).await?,
            students: students.all(db).await?,
            flags: flags.all(db).await?,
            reliabilities: reliabilities.all(db).await?,
            assignments: assignments
                .into_iter()
                .map(|row| {
                    let position = position_of(row.position_id);
                    (row, position)
                })
                .collect(),
        }))
    }

    /// Deletes sessions made before `session`, and people made before `idle` without any list, class or recovery
    /// phrase; returns the number of people.
    pub(crate) async fn forget_idle(&self, session: i64, idle: i64) -> Result<u64> {
        use contributor::Column;
        let busy = select(assignment::Column::ContributorId, Condition::all());
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
        use pair::Column::{FirstAssignment, SecondAssignment};
        let none = || Expr::value(Option::<i64>::None);
        let db = self.begin().await?;
        let left = (SecondAssignment, none());
        change::<pair::Entity>(&db, left, SecondAssignment.in_subquery(own(id))).await?;
        pair::Entity::update_many()
            // A pair always has a first, so the partner who stays moves to that place.
            .col_expr(FirstAssignment, Expr::col(SecondAssignment))
            .col_expr(SecondAssignment, none())
            .filter(FirstAssignment.in_subquery(own(id)))
            .filter(SecondAssignment.is_not_null())
            .exec(&db)
            .await?;
        delete::<pair::Entity>(&db, FirstAssignment.in_subquery(own(id))).await?;
        // Flags on other people's lists name the person whose list theirs resembles.
        let flags = flag::Column::ContributorId
            .eq(id)
            .or(flag::Column::Other.eq(id));
        delete::<flag::Entity>(&db, flags).await?;
        delete::<award::Entity>(&db, award::Column::ContributorId.eq(id)).await?;
        let events = event::Column::AssignmentId.in_subquery(own(id));
        delete::<event::Entity>(&db, events).await?;
        delete::<assignment::Entity>(&db, assignment::Column::ContributorId.eq(id)).await?;
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
