//! Lists and pairs.

use std::collections::HashMap;

use sea_orm::ActiveValue::{NotSet, Set};
use sea_orm::sea_query::{Expr, ExprTrait as _, SelectStatement};
use sea_orm::{
    ColumnTrait as _, ConnectionTrait, EntityTrait as _, FromQueryResult, QueryFilter as _,
    QueryOrder as _, QuerySelect as _, Select, TryInsertResult,
};

use super::entity::list::{self, Column};
use super::entity::{award, contributor, deed, pair, position};
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
    /// Those who list now: these open lists.
    Present(Vec<i64>),
    Finished,
}

pub(super) fn begun_by(contributor: i64) -> Select<list::Entity> {
    list::Entity::find().filter(Column::ContributorId.eq(contributor))
}

fn finished() -> Select<list::Entity> {
    list::Entity::find().filter(Column::State.eq(Progress::Finished))
}

/// Finished lists that are evidence, whether they count or not.
fn of_crowd() -> Select<list::Entity> {
    finished().filter(Column::Purpose.is_in(Purpose::CROWD))
}

/// Finished lists that are not held, of positions in one of these states, in order of their numbers.
fn finished_of(states: &[PositionState]) -> Select<list::Entity> {
    let is_known = position::Column::State.is_in(states.iter().copied());
    let known = select(position::Column::Id, is_known);
    finished()
        .filter(Column::PositionId.in_subquery(known))
        .filter(Column::Held.eq(false))
        .order_by_asc(Column::Id)
}

impl Store {
    pub(crate) async fn list_by_token(&self, token: &str) -> Result<Option<list::Model>> {
        self.one(list::Entity::find().filter(Column::Token.eq(token)))
            .await
    }

    pub(crate) async fn open_list(
        &self,
        contributor: i64,
        purpose: Purpose,
        wanted: &str,
    ) -> Result<Option<list::Model>> {
        let found = begun_by(contributor)
            .filter(Column::Purpose.eq(purpose))
            .filter(Column::Wanted.eq(wanted))
            .filter(Column::State.eq(Progress::Open));
        self.one(found).await
    }

    /// Whether the contributor has finished the position, with a list that counts.
    pub(crate) async fn has_finished(&self, contributor: i64, position: i64) -> Result<bool> {
        let found = begun_by(contributor)
            .filter(Column::Held.eq(false))
            .filter(Column::PositionId.eq(position))
            .filter(Column::State.eq(Progress::Finished));
        Ok(self.count(found).await? > 0)
    }

    pub(crate) async fn had(&self, contributor: i64) -> Result<Vec<Had>> {
        let found = begun_by(contributor).select_only().columns([
            Column::PositionId,
            Column::Purpose,
            Column::State,
            Column::Wanted,
        ]);
        Ok(found.into_model().all(self.readers()).await?)
    }

    /// Number of a contributor's lists issued since then that have ended without an answer.
    pub(crate) async fn count_left(&self, contributor: i64, since: i64) -> Result<u64> {
        let found = begun_by(contributor)
            .filter(Column::State.is_in([Progress::Skipped, Progress::Expired]))
            .filter(Column::IssuedAt.gt(since));
        self.count(found).await
    }

    /// Erases the networks of lists that need them no more: of positions that are closed, and of
    /// those that were never finished. A disputed position may be opened again.
    pub(crate) async fn forget_networks(&self) -> Result<()> {
        let is_pending =
            position::Column::State.is_in([PositionState::Open, PositionState::Disputed]);
        let pending = select(position::Column::Id, is_pending);
        let needless = Column::PositionId
            .not_in_subquery(pending)
            .or(Column::State.is_in([Progress::Skipped, Progress::Expired]));
        let needless = Column::Network.is_not_null().and(needless);
        let erased = (Column::Network, Expr::value(Option::<i64>::None));
        change::<list::Entity>(self.writer(), erased, needless).await?;
        Ok(())
    }

    /// Number of open lists of each position issued since then.
    pub(crate) async fn locks(&self, since: i64) -> Result<HashMap<i64, i64>> {
        let found = list::Entity::find()
            .select_only()
            .column(Column::PositionId)
            .column_as(Column::Id.count(), "locks")
            .filter(Column::State.eq(Progress::Open))
            .filter(Column::IssuedAt.gt(since))
            .group_by(Column::PositionId)
            .into_tuple::<(i64, i64)>();
        Ok(found.all(self.readers()).await?.into_iter().collect())
    }

    pub(crate) async fn add_list(&self, new: list::Model) -> Result<Option<list::Model>> {
        insert(self.writer(), new).await
    }

    pub(crate) async fn add_waiting(&self, new: list::Model) -> Result<Option<list::Model>> {
        let transaction = self.begin().await?;
        let Some(made) = insert(&transaction, new).await? else {
            return Ok(None);
        };
        let waiting = pair::ActiveModel {
            position_id: Set(made.position_id),
            first_list: Set(made.id),
            created_at: Set(made.issued_at),
            ..Default::default()
        };
        let added = pair::Entity::insert(waiting);
        added.exec_without_returning(&transaction).await?;
        transaction.commit().await?;
        Ok(Some(made))
    }

    /// Inserts a list that joins a waiting one; `None` also if another request was faster.
    pub(crate) async fn join_pair(
        &self,
        waiting: i64,
        new: list::Model,
    ) -> Result<Option<list::Model>> {
        let transaction = self.begin().await?;
        let Some(made) = insert(&transaction, new).await? else {
            return Ok(None);
        };
        let second = (pair::Column::SecondList, Expr::value(made.id));
        let is_free = pair::Column::SecondList.is_null();
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
        let first = Expr::col((pair::Entity, pair::Column::FirstList));
        // Subqueries of one row: each list that ever was finished would be looked at otherwise.
        let is_at = Expr::col((position::Entity, position::Column::Id)).eq(at());
        let mut is_open = is_at.and(position::Column::State.eq(PositionState::Open));
        if let Some(campaign) = campaign {
            is_open = is_open.and(position::Column::CampaignId.eq(campaign));
        }
        let is_first = Expr::col((list::Entity, Column::Id)).eq(first);
        let waits = is_first.and(match waiting {
            Waiting::Present(ids) => Column::Id.is_in(ids).and(Column::State.eq(Progress::Open)),
            Waiting::Finished => Column::Held
                .eq(false)
                .and(Column::State.eq(Progress::Finished)),
        });
        let is_there = Expr::col((list::Entity, Column::PositionId)).eq(at());
        let had = is_there.and(Column::ContributorId.eq(contributor));
        let found = pair::Entity::find()
            .filter(pair::Column::SecondList.is_null())
            .filter(Expr::exists(select(position::Column::Id, is_open)))
            .filter(Expr::exists(select(Column::Id, waits)))
            .filter(Expr::exists(select(Column::Id, had)).not())
            .order_by_asc(pair::Column::Id)
            .limit(20);
        self.all(found).await
    }

    pub(crate) async fn pair_of(&self, list: i64) -> Result<Option<pair::Model>> {
        let is_one = pair::Column::FirstList
            .eq(list)
            .or(pair::Column::SecondList.eq(list));
        self.one(pair::Entity::find().filter(is_one)).await
    }

    /// Pairs of which both have finished, with lists that count, without points for their agreement.
    pub(crate) async fn unpaid_pairs(&self) -> Result<Vec<pair::Model>> {
        let counts = Column::Held.eq(false);
        let is_finished = Column::State.eq(Progress::Finished);
        let finished = select(Column::Id, counts.and(is_finished));
        let is_paid = award::Column::Kind.eq(AwardKind::Pair);
        let paid = select(award::Column::ListId, is_paid);
        let found = pair::Entity::find()
            .filter(pair::Column::FirstList.in_subquery(finished.clone()))
            .filter(pair::Column::SecondList.in_subquery(finished))
            // The points of both are inserted by one statement, so the first one's show that they
            // are there.
            .filter(pair::Column::FirstList.not_in_subquery(paid))
            .order_by_asc(pair::Column::Id);
        self.all(found).await
    }

    /// The list of a contributor at a position, if they have had it.
    pub(crate) async fn list_at(
        &self,
        contributor: i64,
        position: i64,
    ) -> Result<Option<list::Model>> {
        let found = begun_by(contributor).filter(Column::PositionId.eq(position));
        // The writer's connection is asked: it sees what was just written.
        Ok(found.one(self.writer()).await?)
    }

    /// The last finished list whose result its owner has not seen.
    pub(crate) async fn unseen(&self, contributor: i64) -> Result<Option<list::Model>> {
        let found = begun_by(contributor)
            .filter(Column::Seen.eq(false))
            .filter(Column::State.eq(Progress::Finished))
            .order_by_desc(Column::Id);
        self.one(found).await
    }

    /// Notes that the owner of a list has seen its result, and of those before it.
    pub(crate) async fn set_seen(&self, contributor: i64, list: i64) -> Result<()> {
        let new = Column::ContributorId
            .eq(contributor)
            .and(Column::Id.lte(list))
            .and(Column::State.eq(Progress::Finished))
            .and(Column::Seen.eq(false));
        let seen = (Column::Seen, Expr::value(true));
        change::<list::Entity>(self.writer(), seen, new).await?;
        Ok(())
    }

    /// Closes overdue lists except timed ones; returns their number.
    pub(crate) async fn expire(&self, now: i64) -> Result<u64> {
        let expired = (Column::State, Expr::value(Progress::Expired));
        let is_overdue = Column::State
            .eq(Progress::Open)
            .and(Column::ExpiresAt.lte(now))
            // A timed list counts as it is when its time is up; `timed_out` finds those.
            .and(Column::Purpose.ne(Purpose::Timed));
        change::<list::Entity>(self.writer(), expired, is_overdue).await
    }

    pub(crate) async fn timed_out(&self, now: i64) -> Result<Vec<list::Model>> {
        let found = list::Entity::find()
            .filter(Column::State.eq(Progress::Open))
            .filter(Column::ExpiresAt.lte(now))
            .filter(Column::Purpose.eq(Purpose::Timed))
            .limit(200);
        self.all(found).await
    }

    /// Closes an open list without an answer; returns false if it is not open.
    pub(crate) async fn close_unanswered(&self, id: i64, to: Progress) -> Result<bool> {
        let is_open = Column::Id.eq(id).and(Column::State.eq(Progress::Open));
        let closed = (Column::State, Expr::value(to));
        Ok(change::<list::Entity>(self.writer(), closed, is_open).await? == 1)
    }

    /// Every finished list of the crowd that counts, in order of finishing.
    pub(crate) async fn finished(&self) -> Result<Vec<list::Model>> {
        let found = of_crowd()
            .filter(Column::Held.eq(false))
            // The first to finish count within the caps and for their group, so the order decides.
            .order_by_asc(Column::FinishedAt)
            .order_by_asc(Column::Id);
        self.all(found).await
    }

    pub(crate) async fn unchecked(&self, most: u64) -> Result<Vec<list::Model>> {
        let found = of_crowd().filter(Column::Checked.eq(false));
        self.all(found.order_by_asc(Column::Id).limit(most)).await
    }

    /// Number of finished lists that are evidence.
    pub(crate) async fn count_evidence(&self) -> Result<u64> {
        self.count(of_crowd()).await
    }

    /// Finished lists of these positions, in order of their numbers.
    pub(crate) async fn lists_at(&self, positions: Vec<i64>) -> Result<Vec<list::Model>> {
        let found = finished()
            .filter(Column::PositionId.is_in(positions))
            // The order of a second look is the server's, so that it shows nothing about copying.
            .filter(Column::Purpose.ne(Purpose::Review))
            .order_by_asc(Column::Id);
        self.all(found).await
    }

    /// Finished lists that count and have not been scored, of positions in one of these states.
    pub(crate) async fn unscored(
        &self,
        states: &[PositionState],
        most: u64,
    ) -> Result<Vec<list::Model>> {
        let found = finished_of(states).filter(Column::Scored.eq(false));
        self.all(found.limit(most)).await
    }

    /// Whole lists that their owners finished and that are not held, of positions in one of these states.
    pub(crate) async fn whole_lists(&self, states: &[PositionState]) -> Result<Vec<list::Model>> {
        // The other modes ask about some candidates only, so a missing move means nothing.
        let whole = [Purpose::Campaign, Purpose::Timed, Purpose::Pair];
        let found = finished_of(states)
            .filter(Column::Complete.eq(true))
            .filter(Column::Purpose.is_in(whole));
        self.all(found).await
    }

    pub(crate) async fn count_lists(&self, state: Progress) -> Result<u64> {
        self.count(list::Entity::find().filter(Column::State.eq(state)))
            .await
    }

    /// The positions of a contributor's finished lists, each with the time of finishing.
    pub(crate) async fn finish_times(&self, contributor: i64) -> Result<Vec<(i64, i64)>> {
        let found = begun_by(contributor)
            .select_only()
            .columns([Column::PositionId, Column::FinishedAt])
            .filter(Column::State.eq(Progress::Finished))
            .filter(Column::FinishedAt.is_not_null())
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
    ) -> Result<Vec<list::Model>> {
        let has_something = Column::EventCount.gt(0);
        let found = begun_by(contributor)
            .filter(Column::Id.lt(before.unwrap_or(i64::MAX)))
            .filter(Column::State.ne(Progress::Skipped))
            .filter(Column::State.ne(Progress::Expired).or(has_something))
            .order_by_desc(Column::Id)
            .limit(most);
        self.all(found).await
    }

    /// Finished lists that wait for a moderator, newest first, without those of quarantined people
    /// and those that one has decided to keep out.
    pub(crate) async fn held(&self, most: u64) -> Result<Vec<list::Model>> {
        self.all(held().order_by_desc(Column::Id).limit(most)).await
    }

    /// Whether a list is one of those.
    pub(crate) async fn is_held(&self, id: i64) -> Result<bool> {
        Ok(self.count(held().filter(Column::Id.eq(id))).await? > 0)
    }

    /// Has finished lists wait for a moderator, unless one has allowed them; returns whether any of
    /// them did not wait before.
    pub(crate) async fn hold(&self, lists: Vec<i64>) -> Result<bool> {
        let new = Column::Id
            .is_in(lists)
            .and(Column::Held.eq(false))
            .and(Column::Id.not_in_subquery(subjects_of(Act::Allow)));
        let held = (Column::Held, Expr::value(true));
        Ok(change::<list::Entity>(self.writer(), held, new).await? > 0)
    }

    /// Lets a held list count; returns false if there is no such list.
    pub(crate) async fn release(&self, id: i64) -> Result<bool> {
        let is_held = Column::Id.eq(id).and(Column::Held.eq(true));
        let released = (Column::Held, Expr::value(false));
        Ok(change::<list::Entity>(self.writer(), released, is_held).await? == 1)
    }
}

fn held() -> Select<list::Entity> {
    let is_counted = contributor::Column::Quarantined.eq(false);
    let counted = select(contributor::Column::Id, is_counted);
    list::Entity::find()
        .filter(Column::Held.eq(true))
        // No column says that a list is kept out: the moderators' log is the record of it.
        .filter(Column::Id.not_in_subquery(subjects_of(Act::Keep)))
        .filter(Column::ContributorId.in_subquery(counted))
}

fn subjects_of(act: Act) -> SelectStatement {
    let is_so = deed::Column::Act.eq(act);
    select(
        deed::Column::Subject,
        is_so.and(deed::Column::Subject.is_not_null()),
    )
}

/// The inserted row, with its number; `None` if the contributor has an open list in that mode, or has had the
/// position.
async fn insert(db: &impl ConnectionTrait, mut new: list::Model) -> Result<Option<list::Model>> {
    let mut row = list::ActiveModel::from(new.clone());
    row.id = NotSet;
    // Requests of one person at once are decided by the unique indexes, not by what was read
    // before.
    let inserted = list::Entity::insert(row).on_conflict(do_nothing());
    let TryInsertResult::Inserted(inserted) = inserted.try_insert().exec(db).await? else {
        return Ok(None);
    };
    new.id = inserted.last_insert_id;
    Ok(Some(new))
}
