//! Campaigns, positions, and the answers of gold positions.

use std::collections::{HashMap, HashSet};

use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, ExprTrait as _, OnConflict};
use sea_orm::{
    ColumnTrait as _, ConnectionTrait, DbBackend, EntityTrait as _, PaginatorTrait as _,
    QueryFilter as _, QueryOrder as _, QuerySelect as _, Select, TryInsertResult,
};

use super::entity::{campaign, gold_answer, position};
use super::{Result, Store, StoreError, change};
use crate::model::{CampaignKind, PositionState};

#[derive(Clone, Debug)]
pub(crate) struct NewPosition {
    pub(crate) name: String,
    pub(crate) fen: String,
    pub(crate) chess960: bool,
    pub(crate) same_as: String,
    /// Whether people know that its answer is known.
    pub(crate) gold: bool,
    /// The legal moves, if they are known beforehand: those of gold are.
    pub(crate) answer: Option<Vec<String>>,
}

impl Store {
    /// The campaigns whose lists are evidence.
    pub(crate) async fn campaigns(&self) -> Result<Vec<campaign::Model>> {
        let found =
            campaign::Entity::find().filter(campaign::Column::Kind.eq(CampaignKind::Campaign));
        self.all(found).await
    }

    pub(crate) async fn positions(&self) -> Result<Vec<position::Model>> {
        self.all(of_campaigns().order_by_asc(position::Column::Id))
            .await
    }

    /// Keeps for these positions whether they measure people, unless that is kept already.
    pub(crate) async fn set_hidden(&self, ids: &[i64], hidden: bool) -> Result<()> {
        for few in ids.chunks(AT_ONCE) {
            let value = (position::Column::Hidden, Expr::value(hidden));
            let those = position::Column::Id.is_in(few.iter().copied());
            let new = those.and(position::Column::Hidden.is_null());
            change::<position::Entity>(self.writer(), value, new).await?;
        }
        Ok(())
    }

    pub(crate) async fn count_positions(&self) -> Result<u64> {
        Ok(of_campaigns().count(self.readers()).await?)
    }

    pub(crate) async fn gold_answers(&self) -> Result<Vec<gold_answer::Model>> {
        self.all(gold_answer::Entity::find()).await
    }

    /// Inserts positions into a campaign, which is created if missing; returns for each whether it
    /// was new.
    ///
    /// Writes in small batches, so that submissions never wait long; after a failure, earlier
    /// batches are kept.
    pub(crate) async fn add_positions(
        &self,
        name: &str,
        title: Option<&str>,
        positions: &[NewPosition],
        now: i64,
    ) -> Result<Vec<bool>> {
        let mut added = Vec::with_capacity(positions.len());
        for few in positions.chunks(AT_ONCE) {
            let transaction = self.begin().await?;
            // `SQLite` has one writer; in `PostgreSQL` a lock serialises imports.
            if transaction.get_database_backend() == DbBackend::Postgres {
                let lock = "SELECT pg_advisory_xact_lock(7046029254)";
                transaction.execute_unprepared(lock).await?;
            }
            let campaign =
                campaign_id(&transaction, (name, CampaignKind::Campaign), title, now).await?;
            added.extend(add_few(&transaction, campaign, few, now).await?);
            transaction.commit().await?;
        }
        Ok(added)
    }
}

/// Positions other than boards of the day and of classes.
fn of_campaigns() -> Select<position::Entity> {
    position::Entity::find().filter(position::Column::State.ne(PositionState::Lesson))
}

/// Number of positions per transaction, and of answers per statement.
const AT_ONCE: usize = 500;

/// The number of a campaign, which is created if missing.
pub(super) async fn campaign_id(
    db: &impl ConnectionTrait,
    (name, kind): (&str, CampaignKind),
    title: Option<&str>,
    now: i64,
) -> Result<i64> {
    let new = campaign::ActiveModel {
        name: Set(name.to_owned()),
        title: Set(title.map(str::to_owned)),
        created_at: Set(now),
        kind: Set(kind),
        ..Default::default()
    };
    // Another program may have created it meanwhile; the unique name decides.
    let added = campaign::Entity::insert(new).on_conflict(do_nothing());
    if let TryInsertResult::Inserted(added) = added.try_insert().exec(db).await? {
        return Ok(added.last_insert_id);
    }
    let found = campaign::Entity::find().filter(campaign::Column::Name.eq(name));
    let found = found.one(db).await?;
    found.map(|campaign| campaign.id).ok_or(StoreError::Value {
        what: "a campaign that was just added",
        found: "nothing".to_owned(),
    })
}

async fn add_few(
    db: &impl ConnectionTrait,
    campaign: i64,
    few: &[NewPosition],
    now: i64,
) -> Result<Vec<bool>> {
    let mut known: HashSet<String> = numbers(db, few).await?.into_keys().collect();
    // A file may have the same position twice.
    let is_new = |one: &NewPosition| known.insert(one.same_as.clone());
    let is_new: Vec<bool> = few.iter().map(is_new).collect();
    let chosen = few.iter().zip(&is_new).filter(|(_, is_new)| **is_new);
    let new: Vec<&NewPosition> = chosen.map(|(one, _)| one).collect();
    let rows: Vec<_> = new.iter().map(|one| row(campaign, one, now)).collect();
    if rows.is_empty() {
        return Ok(is_new);
    }
    let put = position::Entity::insert_many(rows);
    put.exec_without_returning(db).await?;
    // An insert of many rows reports one number only, so the numbers are read again.
    let ids = numbers(db, few).await?;
    let answers = new.iter().flat_map(|one| {
        let id = ids.get(&one.same_as);
        id.into_iter().flat_map(|&id| answers(id, one))
    });
    let answers: Vec<gold_answer::ActiveModel> = answers.collect();
    for few in answers.chunks(AT_ONCE) {
        let put = gold_answer::Entity::insert_many(few.to_vec());
        put.exec_without_returning(db).await?;
    }
    Ok(is_new)
}

/// The numbers of positions that are present, by the key of equal positions.
async fn numbers(db: &impl ConnectionTrait, few: &[NewPosition]) -> Result<HashMap<String, i64>> {
    use position::Column;
    let same_as = few.iter().map(|one| one.same_as.as_str());
    let found = position::Entity::find()
        .select_only()
        .column(Column::SameAs)
        .column(Column::Id)
        .filter(Column::SameAs.is_in(same_as))
        .into_tuple::<(String, i64)>();
    Ok(found.all(db).await?.into_iter().collect())
}

fn row(campaign: i64, new: &NewPosition, now: i64) -> position::ActiveModel {
    let state = if new.gold {
        PositionState::Gold
    } else {
        PositionState::Open
    };
    position::ActiveModel {
        campaign_id: Set(campaign),
        name: Set(new.name.clone()),
        fen: Set(new.fen.clone()),
        chess960: Set(new.chess960),
        same_as: Set(new.same_as.clone()),
        state: Set(state),
        created_at: Set(now),
        ..Default::default()
    }
}

/// A gold position may be mate or stalemate: then it has no answers.
fn answers(id: i64, new: &NewPosition) -> impl Iterator<Item = gold_answer::ActiveModel> {
    let moves = new.answer.iter().flatten();
    moves.map(move |mv| gold_answer::ActiveModel {
        position_id: Set(id),
        mv: Set(mv.clone()),
    })
}

/// Changes the state of a position, if it is in the expected one.
pub(super) async fn change_state(
    db: &impl ConnectionTrait,
    id: i64,
    from: PositionState,
    to: PositionState,
) -> Result<bool> {
    let was = position::Column::Id
        .eq(id)
        .and(position::Column::State.eq(from));
    let is = (position::Column::State, Expr::value(to));
    Ok(change::<position::Entity>(db, is, was).await? == 1)
}

/// A row that violates any unique key is skipped.
pub(super) fn do_nothing() -> OnConflict {
    OnConflict::new().do_nothing().to_owned()
}
