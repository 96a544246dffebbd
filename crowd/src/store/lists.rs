//! Lists and pairs.

use std::collections::HashMap;

use sea_orm::ActiveValue::{NotSet, Set};
use sea_orm::sea_query::{Expr, ExprTrait as _, Query, SelectStatement};
use sea_orm::{
    ColumnTrait as _, ConnectionTrait, EntityTrait as _, FromQueryResult, PaginatorTrait as _,
    QueryFilter as _, QueryOrder as _, QuerySelect as _, Select, TryInsertResult,
};

use super::entity::{assignment, award, contributor, deed, pair, position};
use super::positions::do_nothing;
use super::{Result, Store, change, select};
use crate::model::{Act, AwardKind, PositionState, Progress, Purpose};

#[derive(Clone, Debug, FromQueryResult)]
pub(crate) struct Had {
    pub(crate) position_id: i64,
    pub(crate) purpose: Purpose,
    pub(crate) state: Progress,
    pub(crate) wanted: String,
}

/// Whom somebody without a partner may join.
#[derive(Clone, Debug)]
pub(crate) enum Waiting {
    /// Those who list now: these open assignments.
    Present(Vec<i64>),
    /// Those who have finished without a partner.
    Finished,
}

/// Finished lists that are not held, of positions in one of these states, in order of their numbers.
pub(super) fn finished_of(states: &[PositionState]) -> Select<assignment::Entity> {
    let is_known = position::Column::State.is_in(states.iter().copied());
    let known = select(position::Column::Id, is_known);
    assignment::Entity::find()
        .filter(assignment::Column::PositionId.in_subquery(known))
        .filter(assignment::Column::State.eq(Progress::Finished))
        .filter(assignment::Column::Held.eq(false))
        .order_by_asc(assignment::Column::Id)
}

impl Store {
    pub(crate) async fn assignment_by_token(
        &self,
        token: &str,
    ) -> Result<Option<assignment::Model>> {
        let found = assignment::Entity::find().filter(assignment::Column::Token.eq(token));
        Ok(found.one(self.readers()).await?)
    }

    pub(crate) async fn assignment_by_id(&self, id: i64) -> Result<Option<assignment::Model>> {
        let found = assignment::Entity::find_by_id(id);
        Ok(found.one(self.readers()).await?)
    }

    pub(crate) async fn open_assignment(
        &self,
        contributor: i64,
        purpose: Purpose,
        wanted: &str,
    ) -> Result<Option<assignment::Model>> {
        let found = assignment::Entity::find()
            .filter(assignment::Column::ContributorId.eq(contributor))
            .filter(assignment::Column::Purpose.eq(purpose))
            .filter(assignment::Column::Wanted.eq(wanted))
            .filter(assignment::Column::State.eq(Progress::Open));
        Ok(found.one(self.readers()).await?)
    }

    /// Whether the contributor has finished the position, with a list that counts.
    pub(crate) async fn has_finished(&self, contributor: i64, position: i64) -> Result<bool> {
        let found = assignment::Entity::find()
            .filter(assignment::Column::Held.eq(false))
            .filter(assignment::Column::ContributorId.eq(contributor))
            .filter(assignment::Column::PositionId.eq(position))
            .filter(assignment::Column::State.eq(Progress::Finished));
        Ok(found.count(self.readers()).await? > 0)
    }

    pub(crate) async fn had(&self, contributor: i64) -> Result<Vec<Had>> {
        let found = assignment::Entity::find()
            .select_only()
            .column(assignment::Column::PositionId)
            .column(assignment::Column::Purpose)
            .column(assignment::Column::State)
            .column(assignment::Column::Wanted)
            .filter(assignment::Column::ContributorId.eq(contributor));
        Ok(found.into_model().all(self.readers()).await?)
    }

    /// Number of a contributor's assignments issued since then that have ended without an answer.
    pub(crate) async fn count_left(&self, contributor: i64, since: i64) -> Result<u64> {
        let found = assignment::Entity::find()
            .filter(assignment::Column::ContributorId.eq(contributor))
            .filter(assignment::Column::State.is_in([Progress::Skipped, Progress::Expired]))
            .filter(assignment::Column::IssuedAt.gt(since));
        Ok(found.count(self.readers()).await?)
    }

    /// Erases the networks of lists that need them no more: of positions that are closed, and of
    /// those that were never finished. A disputed position may be opened again.
    pub(crate) async fn forget_networks(&self) -> Result<()> {
        use assignment::Column;
        let is_pending =
            position::Column::State.is_in([PositionState::Open, PositionState::Disputed]);
        let pending = select(position::Column::Id, is_pending);
        let needless = Column::PositionId
            .not_in_subquery(pending)
            .or(Column::State.is_in([Progress::Skipped, Progress::Expired]));
        let needless = Column::Network.is_not_null().and(needless);
        let erased = (Column::Network, Expr::value(Option::<i64>::None));
        change::<assignment::Entity>(self.writer(), erased, needless).await?;
        Ok(())
    }

    /// Number of open assignments of each position issued since then.
    pub(crate) async fn locks(&self, since: i64) -> Result<HashMap<i64, i64>> {
        let found = assignment::Entity::find()
            .select_only()
            .column(assignment::Column::PositionId)
            .column_as(assignment::Column::Id.count(), "locks")
            .filter(assignment::Column::State.eq(Progress::Open))
            .filter(assignment::Column::IssuedAt.gt(since))
            .group_by(assignment::Column::PositionId)
            .into_tuple::<(i64, i64)>();
        Ok(found.all(self.readers()).await?.into_iter().collect())
    }

    pub(crate) async fn add_assignment(
        &self,
        new: assignment::Model,
    ) -> Result<Option<assignment::Model>> {
        insert(self.writer(), new).await
    }

    /// Inserts an assignment that waits for a partner.
    pub(crate) async fn add_waiting(
        &self,
        new: assignment::Model,
    ) -> Result<Option<assignment::Model>> {
        let now = new.issued_at;
        let transaction = self.begin().await?;
        let Some(made) = insert(&transaction, new).await? else {
            return Ok(None);
        };
        let waiting = pair::ActiveModel {
            position_id: Set(made.position_id),
            first_assignment: Set(made.id),
            second_assignment: Set(None),
            created_at: Set(now),
            ..Default::default()
        };
        let added = pair::Entity::insert(waiting);
        added.exec_without_returning(&transaction).await?;
        transaction.commit().await?;
        Ok(Some(made))
    }

    /// Inserts an assignment that joins a waiting one; `None` also if another request was faster.
    pub(crate) async fn join_pair(
        &self,
        waiting: i64,
        new: assignment::Model,
    ) -> Result<Option<assignment::Model>> {
        let transaction = self.begin().await?;
        let Some(made) = insert(&transaction, new).await? else {
            return Ok(None);
        };
        let second = (pair::Column::SecondAssignment, Expr::value(made.id));
        let is_free = pair::Column::SecondAssignment.is_null();
        let waits = pair::Column::Id.eq(waiting).and(is_free);
        if change::<pair::Entity>(&transaction, second, waits).await? == 0 {
            transaction.rollback().await?;
            return Ok(None);
        }
        transaction.commit().await?;
        Ok(Some(made))
    }

    /// Pairs waiting for a partner, at an open position that this contributor has not had, oldest
    /// first; of one campaign, if given.
    pub(crate) async fn waiting_pairs(
        &self,
        contributor: i64,
        campaign: Option<i64>,
        waiting: Waiting,
    ) -> Result<Vec<pair::Model>> {
        let at = || Expr::col((pair::Entity, pair::Column::PositionId));
        let first = Expr::col((pair::Entity, pair::Column::FirstAssignment));
        let mut open = Query::select();
        open.expr(Expr::value(1))
            .from(position::Entity)
            .and_where(Expr::col((position::Entity, position::Column::Id)).eq(at()))
            .and_where(position::Column::State.eq(PositionState::Open));
        if let Some(campaign) = campaign {
            open.and_where(position::Column::CampaignId.eq(campaign));
        }
        let mut alive = Query::select();
        alive
            .expr(Expr::value(1))
            .from(assignment::Entity)
            .and_where(Expr::col((assignment::Entity, assignment::Column::Id)).eq(first));
        match waiting {
            Waiting::Present(ids) => alive
                .and_where(assignment::Column::Id.is_in(ids))
                .and_where(assignment::Column::State.eq(Progress::Open)),
            Waiting::Finished => alive
                .and_where(assignment::Column::State.eq(Progress::Finished))
                .and_where(assignment::Column::Held.eq(false)),
        };
        let mut had = Query::select();
        had.expr(Expr::value(1))
            .from(assignment::Entity)
            .and_where(assignment::Column::ContributorId.eq(contributor))
            .and_where(Expr::col((assignment::Entity, assignment::Column::PositionId)).eq(at()));
        let found = pair::Entity::find()
            .filter(pair::Column::SecondAssignment.is_null())
            .filter(Expr::exists(open))
            .filter(Expr::exists(alive))
            .filter(Expr::exists(had).not())
            .order_by_asc(pair::Column::Id)
            .limit(20);
        Ok(found.all(self.readers()).await?)
    }

    pub(crate) async fn pair_of(&self, assignment: i64) -> Result<Option<pair::Model>> {
        let is_one = pair::Column::FirstAssignment
            .eq(assignment)
            .or(pair::Column::SecondAssignment.eq(assignment));
        let found = pair::Entity::find().filter(is_one);
        Ok(found.one(self.readers()).await?)
    }

    /// Pairs of which both have finished, with lists that count, without points for their agreement.
    pub(crate) async fn unpaid_pairs(&self) -> Result<Vec<pair::Model>> {
        let counts = assignment::Column::Held.eq(false);
        let is_finished = assignment::Column::State.eq(Progress::Finished);
        let finished = select(assignment::Column::Id, counts.and(is_finished));
        let is_paid = award::Column::Kind.eq(AwardKind::Pair);
        let paid = select(award::Column::AssignmentId, is_paid);
        let found = pair::Entity::find()
            .filter(pair::Column::FirstAssignment.in_subquery(finished.clone()))
            .filter(pair::Column::SecondAssignment.in_subquery(finished))
            // The points of both are inserted by one statement, so the first one's show that they
            // are there.
            .filter(pair::Column::FirstAssignment.not_in_subquery(paid))
            .order_by_asc(pair::Column::Id);
        Ok(found.all(self.readers()).await?)
    }

    /// The list of a contributor at a position, if they have had it.
    pub(crate) async fn list_at(
        &self,
        contributor: i64,
        position: i64,
    ) -> Result<Option<assignment::Model>> {
        let found = assignment::Entity::find()
            .filter(assignment::Column::ContributorId.eq(contributor))
            .filter(assignment::Column::PositionId.eq(position));
        // The writer's connection is asked: it sees what was just written.
        Ok(found.one(self.writer()).await?)
    }

    /// The last finished list whose result its owner has not seen.
    pub(crate) async fn unseen(&self, contributor: i64) -> Result<Option<assignment::Model>> {
        let found = assignment::Entity::find()
            .filter(assignment::Column::ContributorId.eq(contributor))
            .filter(assignment::Column::Seen.eq(false))
            .filter(assignment::Column::State.eq(Progress::Finished))
            .order_by_desc(assignment::Column::Id);
        Ok(found.one(self.readers()).await?)
    }

    /// Notes that the owner of a list has seen its result, and of those before it.
    pub(crate) async fn set_seen(&self, contributor: i64, list: i64) -> Result<()> {
        use assignment::Column;
        let new = Column::ContributorId
            .eq(contributor)
            .and(Column::Id.lte(list))
            .and(Column::State.eq(Progress::Finished))
            .and(Column::Seen.eq(false));
        let seen = (Column::Seen, Expr::value(true));
        change::<assignment::Entity>(self.writer(), seen, new).await?;
        Ok(())
    }

    /// Closes overdue assignments except timed lists; returns their number.
    pub(crate) async fn expire(&self, now: i64) -> Result<u64> {
        use assignment::Column;
        let expired = (Column::State, Expr::value(Progress::Expired));
        let is_overdue = Column::State
            .eq(Progress::Open)
            .and(Column::ExpiresAt.lte(now))
            // A timed list counts as it is when its time is up; `timed_out` finds those.
            .and(Column::Purpose.ne(Purpose::Timed));
        change::<assignment::Entity>(self.writer(), expired, is_overdue).await
    }

    /// Timed lists past their time limit.
    pub(crate) async fn timed_out(&self, now: i64) -> Result<Vec<assignment::Model>> {
        let found = assignment::Entity::find()
            .filter(assignment::Column::State.eq(Progress::Open))
            .filter(assignment::Column::ExpiresAt.lte(now))
            .filter(assignment::Column::Purpose.eq(Purpose::Timed))
            .limit(200);
        Ok(found.all(self.readers()).await?)
    }

    /// Closes an open assignment without an answer; returns false if it is not open.
    pub(crate) async fn close_unanswered(&self, id: i64, to: Progress) -> Result<bool> {
        use assignment::Column;
        let is_open = Column::Id.eq(id).and(Column::State.eq(Progress::Open));
        let closed = (Column::State, Expr::value(to));
        Ok(change::<assignment::Entity>(self.writer(), closed, is_open).await? == 1)
    }

    /// Every finished list of the crowd that counts, in order of finishing.
    pub(crate) async fn finished(&self) -> Result<Vec<assignment::Model>> {
        let found = assignment::Entity::find()
            .filter(assignment::Column::Purpose.is_in(Purpose::CROWD))
            .filter(assignment::Column::Held.eq(false))
            .filter(assignment::Column::State.eq(Progress::Finished))
            // The first to finish count within the caps and for their group, so the order decides.
            .order_by_asc(assignment::Column::FinishedAt)
            .order_by_asc(assignment::Column::Id);
        Ok(found.all(self.readers()).await?)
    }

    /// Finished lists that have not been checked for flags.
    pub(crate) async fn unchecked(&self, most: u64) -> Result<Vec<assignment::Model>> {
        let found = assignment::Entity::find()
            .filter(assignment::Column::Purpose.is_in(Purpose::CROWD))
            .filter(assignment::Column::State.eq(Progress::Finished))
            .filter(assignment::Column::Checked.eq(false))
            .order_by_asc(assignment::Column::Id)
            .limit(most);
        Ok(found.all(self.readers()).await?)
    }

    /// Finished lists of these positions, in order of assignment.
    pub(crate) async fn lists_at(&self, positions: Vec<i64>) -> Result<Vec<assignment::Model>> {
        let found = assignment::Entity::find()
            .filter(assignment::Column::PositionId.is_in(positions))
            .filter(assignment::Column::State.eq(Progress::Finished))
            // The order of a second look is the server's, so that it shows nothing about copying.
            .filter(assignment::Column::Purpose.ne(Purpose::Review))
            .order_by_asc(assignment::Column::Id);
        Ok(found.all(self.readers()).await?)
    }

    /// Finished lists that count and have not been scored, of positions in one of these states.
    pub(crate) async fn unscored(
        &self,
        states: &[PositionState],
        most: u64,
    ) -> Result<Vec<assignment::Model>> {
        let found = finished_of(states)
            .filter(assignment::Column::Scored.eq(false))
            .limit(most);
        Ok(found.all(self.readers()).await?)
    }

    pub(crate) async fn count_assignments(&self, state: Progress) -> Result<u64> {
        let found = assignment::Entity::find().filter(assignment::Column::State.eq(state));
        Ok(found.count(self.readers()).await?)
    }

    /// Number of finished lists that are evidence.
    pub(crate) async fn count_evidence(&self) -> Result<u64> {
        let found = assignment::Entity::find()
            .filter(assignment::Column::Purpose.is_in(Purpose::CROWD))
            .filter(assignment::Column::State.eq(Progress::Finished));
        Ok(found.count(self.readers()).await?)
    }

    /// The positions of a contributor's finished lists, each with the time of finishing.
    pub(crate) async fn finish_times(&self, contributor: i64) -> Result<Vec<(i64, i64)>> {
        let found = assignment::Entity::find()
            .select_only()
            .column(assignment::Column::PositionId)
            .column(assignment::Column::FinishedAt)
            .filter(assignment::Column::ContributorId.eq(contributor))
            .filter(assignment::Column::State.eq(Progress::Finished))
            .filter(assignment::Column::FinishedAt.is_not_null())
            .into_tuple();
        Ok(found.all(self.readers()).await?)
    }

    /// A contributor's open and finished lists, newest first, and those that expired with something
    /// on them; with numbers below `before`, if given.
    pub(crate) async fn lists_of(
        &self,
        contributor: i64,
        before: Option<i64>,
        most: u64,
    ) -> Result<Vec<assignment::Model>> {
        let mut found = assignment::Entity::find()
            .filter(assignment::Column::ContributorId.eq(contributor))
            .filter(assignment::Column::State.ne(Progress::Skipped))
            .filter(
                assignment::Column::State
                    .ne(Progress::Expired)
                    .or(assignment::Column::EventCount.gt(0)),
            )
            .order_by_desc(assignment::Column::Id)
            .limit(most);
        if let Some(before) = before {
            found = found.filter(assignment::Column::Id.lt(before));
        }
        Ok(found.all(self.readers()).await?)
    }

    /// Finished lists that wait for a moderator, newest first, without those of quarantined people
    /// and those that one has decided to keep out.
    pub(crate) async fn held(&self, most: u64) -> Result<Vec<assignment::Model>> {
        let is_counted = contributor::Column::Quarantined.eq(false);
        let counted = select(contributor::Column::Id, is_counted);
        // No column says that a list is kept out: the moderators' log is the record of it.
        let kept = subjects_of(Act::Keep);
        let found = assignment::Entity::find()
            .filter(assignment::Column::Held.eq(true))
            .filter(assignment::Column::Id.not_in_subquery(kept))
            .filter(assignment::Column::ContributorId.in_subquery(counted))
            .order_by_desc(assignment::Column::Id)
            .limit(most);
        Ok(found.all(self.readers()).await?)
    }

    /// Has finished lists wait for a moderator, unless one has allowed them; returns whether any of
    /// them did not wait before.
    pub(crate) async fn hold(&self, lists: Vec<i64>) -> Result<bool> {
        use assignment::Column;
        let new = Column::Id
            .is_in(lists)
            .and(Column::Held.eq(false))
            .and(Column::Id.not_in_subquery(subjects_of(Act::Allow)));
        let held = (Column::Held, Expr::value(true));
        Ok(change::<assignment::Entity>(self.writer(), held, new).await? > 0)
    }

    /// Lets a held list count; returns false if there is no such list.
    pub(crate) async fn release(&self, id: i64) -> Result<bool> {
        use assignment::Column;
        let is_held = Column::Id.eq(id).and(Column::Held.eq(true));
        let released = (Column::Held, Expr::value(false));
        Ok(change::<assignment::Entity>(self.writer(), released, is_held).await? == 1)
    }
}

/// What moderators did this to.
fn subjects_of(act: Act) -> SelectStatement {
    let is_so = deed::Column::Act.eq(act);
    select(
        deed::Column::Subject,
        is_so.and(deed::Column::Subject.is_not_null()),
    )
}

/// The inserted row, with its number; `None` if the contributor has an open assignment in that mode, or has had the
/// position.
async fn insert(
    db: &impl ConnectionTrait,
    mut new: assignment::Model,
) -> Result<Option<assignment::Model>> {
    let mut row = assignment::ActiveModel::from(new.clone());
    row.id = NotSet;
    // Requests of one person at once are decided by the unique indexes, not by what was read
    // before.
    let inserted = assignment::Entity::insert(row).on_conflict(do_nothing());
    let TryInsertResult::Inserted(inserted) = inserted.try_insert().exec(db).await? else {
        return Ok(None);
    };
    new.id = inserted.last_insert_id;
    Ok(Some(new))
}
