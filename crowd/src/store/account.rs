//! Everything about one contributor: reading it, and deleting it.

use sea_orm::sea_query::{Expr, ExprTrait as _, Query, SelectStatement};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _};

use super::entity::{
    assignment, award, contributor, event, flag, pair, position, reliability, session, student,
};
use super::sets::change_students;
use super::{Result, Store};

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
    Query::select()
        .column(assignment::Column::Id)
        .from(assignment::Entity)
        .and_where(assignment::Column::ContributorId.eq(contributor))
        .to_owned()
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
        let positions = position::Entity::find()
            .filter(
                position::Column::Id.in_subquery(
                    Query::select()
                        .column(assignment::Column::PositionId)
                        .from(assignment::Entity)
                        .and_where(assignment::Column::ContributorId.eq(id))
                        .to_owned(),
                ),
            )
            .all(db)
            .await?;
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
        let busy = Query::select()
            .column(assignment::Column::ContributorId)
            .from(assignment::Entity)
            .to_owned();
        let students = Query::select()
            .column(student::Column::ContributorId)
            .from(student::Entity)
            .to_owned();
        let of_idle = Query::select()
            .column(contributor::Column::Id)
            .from(contributor::Entity)
            .and_where(contributor::Column::CreatedAt.lt(idle))
            // People with a phrase may come back on another device, however long ago they were
            // here.
            .and_where(contributor::Column::PhraseHash.is_null())
            .and_where(contributor::Column::Id.not_in_subquery(busy))
            .and_where(contributor::Column::Id.not_in_subquery(students))
            .to_owned();
        let db = self.begin().await?;
        let ended = session::Column::CreatedAt
            .lt(session)
            .or(session::Column::ContributorId.in_subquery(of_idle.clone()));
        // Rows that refer to others go first, here and below: foreign keys are checked at once.
        session::Entity::delete_many()
            .filter(ended)
            .exec(&db)
            .await?;
        let forgotten = contributor::Entity::delete_many()
            .filter(contributor::Column::Id.in_subquery(of_idle))
            .exec(&db)
            .await?;
        db.commit().await?;
        Ok(forgotten.rows_affected)
    }

    /// Deletes a contributor with all their lists; returns false if there is no such contributor.
    ///
    /// The other of a pair waits for a partner again, and keeps the points for their agreement.
    pub(crate) async fn delete_contributor(&self, id: i64) -> Result<bool> {
        use pair::Column::{FirstAssignment, SecondAssignment};
        let none = || Expr::value(Option::<i64>::None);
        let db = self.begin().await?;
        pair::Entity::update_many()
            .col_expr(SecondAssignment, none())
            .filter(SecondAssignment.in_subquery(own(id)))
            .exec(&db)
            .await?;
        pair::Entity::update_many()
            // A pair always has a first, so the partner who stays moves to that place.
            .col_expr(FirstAssignment, Expr::col(SecondAssignment))
            .col_expr(SecondAssignment, none())
            .filter(FirstAssignment.in_subquery(own(id)))
            .filter(SecondAssignment.is_not_null())
            .exec(&db)
            .await?;
        pair::Entity::delete_many()
            .filter(FirstAssignment.in_subquery(own(id)))
            .exec(&db)
            .await?;
        // Flags on other people's lists name the person whose list theirs resembles.
        let flags = flag::Column::ContributorId
            .eq(id)
            .or(flag::Column::Other.eq(id));
        flag::Entity::delete_many().filter(flags).exec(&db).await?;
        award::Entity::delete_many()
            .filter(award::Column::ContributorId.eq(id))
            .exec(&db)
            .await?;
        event::Entity::delete_many()
            .filter(event::Column::AssignmentId.in_subquery(own(id)))
            .exec(&db)
            .await?;
        assignment::Entity::delete_many()
            .filter(assignment::Column::ContributorId.eq(id))
            .exec(&db)
            .await?;
        let of_student = student::Entity::find().filter(student::Column::ContributorId.eq(id));
        for row in of_student.all(&db).await? {
            change_students(&db, row.class_id, -1).await?;
        }
        student::Entity::delete_many()
            .filter(student::Column::ContributorId.eq(id))
            .exec(&db)
            .await?;
        reliability::Entity::delete_many()
            .filter(reliability::Column::ContributorId.eq(id))
            .exec(&db)
            .await?;
        session::Entity::delete_many()
            .filter(session::Column::ContributorId.eq(id))
            .exec(&db)
            .await?;
        let deleted = contributor::Entity::delete_by_id(id).exec(&db).await?;
        db.commit().await?;
        Ok(deleted.rows_affected == 1)
    }
}
