//! Reversals of decisions, the log of what moderators did, and their sessions.

use sea_orm::ActiveValue::{NotSet, Set};
use sea_orm::sea_query::{Expr, ExprTrait as _};
use sea_orm::{
    ColumnTrait as _, ConnectionTrait, EntityTrait as _, PaginatorTrait as _, QueryFilter as _,
    QueryOrder as _, QuerySelect as _,
};

use super::entity::{award, deed, list, moderation, moderator_session, test_case};
use super::positions::change_state;
use super::{Result, Store, change, delete, select};
use crate::model::{AwardKind, PositionState, Progress, QueueState, Resolution};

/// What came of a request to reverse a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reversed {
    Done,
    /// The item does not exist, is open, or was reversed before.
    NotDecided,
    /// The position has changed since, by a later item or by hand.
    Overtaken,
}

impl Store {
    /// Reverses the decision on an item, if it is the last one on its position: the position is in
    /// question again, as a new item, or open if a moderator had retired it without one; the points
    /// that followed from the decision and a test case are withdrawn.
    pub(crate) async fn reverse(&self, id: i64, by: &str, now: i64) -> Result<Reversed> {
        let transaction = self.begin().await?;
        let db = &transaction;
        let item = moderation::Entity::find_by_id(id).one(db).await?;
        let decided = item.filter(|item| item.state == QueueState::Resolved);
        let decided = decided.and_then(|item| Some((item.resolution?, item)));
        let Some((resolution, item)) = decided else {
            return Ok(Reversed::NotDecided);
        };
        let later = moderation::Entity::find()
            .filter(moderation::Column::PositionId.eq(item.position_id))
            .filter(moderation::Column::Id.gt(id));
        if later.count(db).await? > 0 {
            return Ok(Reversed::Overtaken);
        }
        let case = test_case::Entity::find_by_id(item.position_id)
            .one(db)
            .await?;
        // Lists that were finished while the answer was public must never count, so the time is
        // kept.
        let shown_at = match (resolution, case) {
            (_, Some(case)) => Some(case.certified_at),
            (Resolution::GeneratorIsRight | Resolution::CrowdIsRight, None) => item.resolved_at,
            (Resolution::AskAgain | Resolution::Retire, None) => None,
        };
        let marked = moderation::Entity::update_many()
            .col_expr(moderation::Column::State, Expr::value(QueueState::Reversed))
            .col_expr(moderation::Column::ShownAt, Expr::value(shown_at))
            .col_expr(moderation::Column::ReversedAt, Expr::value(now))
            .col_expr(moderation::Column::ReversedBy, Expr::value(by))
            .filter(moderation::Column::Id.eq(id))
            .filter(moderation::Column::State.eq(QueueState::Resolved))
            .exec(db)
            .await?;
        // In `PostgreSQL` another moderator may have reversed it since it was read.
        if marked.rows_affected == 0 {
            return Ok(Reversed::NotDecided);
        }
        // A position that was asked again may have become a test case by now.
        let was: &[PositionState] = match resolution {
            Resolution::AskAgain => &[PositionState::Open, PositionState::Agreed],
            _ => &[PositionState::Retired],
        };
        // An item without moves was made when a moderator retired the position by hand.
        let becomes = match item.moves.as_str() {
            "[]" => PositionState::Open,
            _ => PositionState::Disputed,
        };
        let mut is_changed = false;
        for &state in was {
            is_changed |= change_state(db, item.position_id, state, becomes).await?;
        }
        if !is_changed {
            // Dropping the transaction rolls it back.
            return Ok(Reversed::Overtaken);
        }
        if becomes == PositionState::Disputed {
            let again = moderation::ActiveModel {
                position_id: Set(item.position_id),
                moves: Set(item.moves),
                state: Set(QueueState::Open),
                created_at: Set(now),
                ..Default::default()
            };
            let added = moderation::Entity::insert(again);
            added.exec_without_returning(db).await?;
        }
        withdraw(db, item.position_id).await?;
        transaction.commit().await?;
        Ok(Reversed::Done)
    }
}

/// Removes a test case, and the points that followed from its answer; its lists are scored again
/// when there is a new one.
async fn withdraw(db: &impl ConnectionTrait, position: i64) -> Result<()> {
    let case = test_case::Entity::delete_by_id(position);
    case.exec(db).await?;
    let is_there = list::Column::PositionId.eq(position);
    let lists = select(list::Column::Id, is_there.clone());
    let is_finished = list::Column::State.eq(Progress::Finished);
    let unscored = (list::Column::Scored, Expr::value(false));
    change::<list::Entity>(db, unscored, is_there.and(is_finished)).await?;
    // Points of a pair are for agreeing and not for the answer: they stay.
    let is_for_the_answer = award::Column::Kind.eq(AwardKind::Consensus);
    let awards = award::Column::ListId.in_subquery(lists);
    delete::<award::Entity>(db, awards.and(is_for_the_answer)).await?;
    Ok(())
}

impl Store {
    pub(crate) async fn note_deed(&self, deed: deed::Model) -> Result<()> {
        let row = deed::ActiveModel {
            id: NotSet,
            ..deed.into()
        };
        let added = deed::Entity::insert(row);
        added.exec_without_returning(self.writer()).await?;
        Ok(())
    }

    pub(crate) async fn deeds(&self, most: u64) -> Result<Vec<deed::Model>> {
        let found = deed::Entity::find().order_by_desc(deed::Column::Id);
        Ok(found.limit(most).all(self.readers()).await?)
    }
}

impl Store {
    /// Adds a moderator's session, and forgets those that have expired.
    pub(crate) async fn add_moderator_session(&self, row: moderator_session::Model) -> Result<()> {
        let has_expired = moderator_session::Column::ExpiresAt.lte(row.created_at);
        delete::<moderator_session::Entity>(self.writer(), has_expired).await?;
        let row = moderator_session::ActiveModel::from(row);
        let added = moderator_session::Entity::insert(row);
        added.exec_without_returning(self.writer()).await?;
        Ok(())
    }

    pub(crate) async fn end_moderator_sessions(&self, which: Sessions<'_>) -> Result<()> {
        use moderator_session::Column;
        let ended = match which {
            Sessions::One(token_hash) => Column::TokenHash.eq(token_hash),
            Sessions::AllOf(moderator) => Column::Moderator.eq(moderator),
        };
        delete::<moderator_session::Entity>(self.writer(), ended).await?;
        Ok(())
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Sessions<'a> {
    One(&'a str),
    AllOf(&'a str),
}
