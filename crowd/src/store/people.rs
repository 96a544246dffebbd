//! Contributors, their sessions, and their points. The key of an award is the list and the kind, so that none is
//! given twice.

use std::collections::HashSet;
use std::ops::Range;

use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::{Expr, ExprTrait as _, Query};
use sea_orm::{
    ColumnTrait as _, ConnectionTrait, DatabaseConnection, DbBackend, DbErr, EntityTrait as _,
    QueryFilter as _, QuerySelect as _, SqlErr,
};

use super::entity::{award, contributor, list, position, session};
use super::open::begin;
use super::{Result, Store, TOGETHER, change, not_answered};
use crate::model::{AwardKind, PlayerName, PositionState};
use crate::trust::PeriodRecord;
use web::batch::Batcher;

/// Maximum number of contributors per query; both databases limit the values per statement.
const AT_ONCE: usize = 1_000;

impl Store {
    /// Inserts a contributor with their first session; returns their number, or `None` if somebody
    /// has the name.
    pub(crate) async fn add_contributor(
        &self,
        name: Option<&PlayerName>,
        token_hash: String,
        now: i64,
    ) -> Result<Option<i64>> {
        let Some(name) = name else {
            // People without a name cannot collide with anybody, so they are written in groups.
            let added = self.newcomers.ask((token_hash, now)).await;
            return added.unwrap_or_else(|| Err(not_answered())).map(Some);
        };
        let transaction = self.begin().await?;
        let person = contributor::ActiveModel {
            name: Set(Some(name.to_string())),
            name_key: Set(Some(name.key())),
            created_at: Set(now),
            quarantined: Set(false),
            results_seen_at: Set(now),
            ..Default::default()
        };
        let added = contributor::Entity::insert(person).exec(&transaction).await;
        let Some(added) = unless_taken(added)? else {
            transaction.rollback().await?;
            return Ok(None);
        };
        let id = added.last_insert_id;
        add_sessions(&transaction, [(token_hash, id, now)]).await?;
        transaction.commit().await?;
        Ok(Some(id))
    }

    pub(crate) async fn add_session(&self, token_hash: String, id: i64, now: i64) -> Result<()> {
        add_sessions(self.writer(), [(token_hash, id, now)]).await
    }

    pub(crate) async fn remove_session(&self, token_hash: &str) -> Result<()> {
        let removed = session::Entity::delete_by_id(token_hash.to_owned());
        removed.exec(self.writer()).await?;
        Ok(())
    }

    pub(crate) async fn contributor_by_session(
        &self,
        token_hash: &str,
    ) -> Result<Option<contributor::Model>> {
        let found = session::Entity::find_by_id(token_hash.to_owned());
        match found.one(self.readers()).await? {
            Some(session) => {
                self.find::<contributor::Entity>(session.contributor_id)
                    .await
            }
            None => Ok(None),
        }
    }

    pub(crate) async fn contributors(&self, ids: Vec<i64>) -> Result<Vec<contributor::Model>> {
        let mut people = Vec::with_capacity(ids.len());
        for few in ids.chunks(AT_ONCE) {
            let few = few.iter().copied();
            let found = contributor::Entity::find().filter(contributor::Column::Id.is_in(few));
            people.extend(found.all(self.readers()).await?);
        }
        Ok(people)
    }

    pub(crate) async fn quarantined_people(&self) -> Result<HashSet<i64>> {
        let found = contributor::Entity::find().filter(contributor::Column::Quarantined.eq(true));
        let found = found.all(self.readers()).await?;
        Ok(found.into_iter().map(|person| person.id).collect())
    }

    pub(crate) async fn count_contributors(&self) -> Result<u64> {
        self.count(contributor::Entity::find()).await
    }

    /// Renames a contributor, or removes the name; returns false if somebody else has it.
    pub(crate) async fn rename(&self, id: i64, name: Option<&PlayerName>) -> Result<bool> {
        use contributor::Column;
        let renamed = contributor::Entity::update_many()
            .col_expr(Column::Name, Expr::value(name.map(PlayerName::to_string)))
            .col_expr(Column::NameKey, Expr::value(name.map(PlayerName::key)))
            .filter(Column::Id.eq(id))
            .exec(self.writer())
            .await;
        Ok(unless_taken(renamed)?.is_some())
    }

    /// Replaces the recovery phrase; only its hash is stored.
    pub(crate) async fn set_phrase(&self, id: i64, hash: &str) -> Result<bool> {
        let column = contributor::Column::PhraseHash;
        self.change_contributor(id, column, Expr::value(hash)).await
    }

    pub(crate) async fn contributor_by_phrase(
        &self,
        hash: &str,
    ) -> Result<Option<contributor::Model>> {
        self.one(contributor::Entity::find().filter(contributor::Column::PhraseHash.eq(hash)))
            .await
    }

    pub(crate) async fn results_seen(&self, id: i64, now: i64) -> Result<bool> {
        let column = contributor::Column::ResultsSeenAt;
        self.change_contributor(id, column, Expr::value(now)).await
    }

    /// Excludes a contributor's lists or not; returns false if there is no such contributor.
    pub(crate) async fn quarantine(&self, id: i64, is_on: bool) -> Result<bool> {
        self.change_contributor(id, contributor::Column::Quarantined, Expr::value(is_on))
            .await
    }

    async fn change_contributor(
        &self,
        id: i64,
        column: contributor::Column,
        value: Expr,
    ) -> Result<bool> {
        let is_it = contributor::Column::Id.eq(id);
        let changed = change::<contributor::Entity>(self.writer(), (column, value), is_it);
        Ok(changed.await? == 1)
    }
}

/// Inserts people without a name, each with the hash of their first session's token and the time;
/// returns their numbers.
pub(super) type Newcomers = Batcher<(String, i64), Result<i64>>;

pub(super) fn newcomers(writer: DatabaseConnection) -> Newcomers {
    Batcher::start(TOGETHER, move |new| {
        let writer = writer.clone();
        async move {
            let count = new.len();
            match add_newcomers(&writer, new).await {
                Ok(ids) => ids.into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error); count],
            }
        }
    })
}

async fn add_newcomers(writer: &DatabaseConnection, new: Vec<(String, i64)>) -> Result<Vec<i64>> {
    use contributor::Column;
    let mut people = Query::insert();
    people.into_table(contributor::Entity).columns([
        Column::CreatedAt,
        Column::Quarantined,
        Column::ResultsSeenAt,
    ]);
    for &(_, now) in &new {
        let row = people.values([now.into(), false.into(), now.into()]);
        row.expect("a value for each column");
    }
    people.returning_col(Column::Id);
    let transaction = begin(writer).await?;
    let added = transaction.query_all(&people).await?;
    let ids = added.iter().map(|row| row.try_get("", "id"));
    // Neither database promises an order of returned rows. Until now these people differ by a
    // moment only.
    let ids = ids.collect::<Result<Vec<i64>, DbErr>>()?;
    let sessions = new.into_iter().zip(&ids);
    let sessions = sessions.map(|((token_hash, now), id)| (token_hash, *id, now));
    add_sessions(&transaction, sessions).await?;
    transaction.commit().await?;
    Ok(ids)
}

/// Inserts sessions: the hash of the token, whose it is, and the time.
async fn add_sessions(
    db: &impl ConnectionTrait,
    new: impl IntoIterator<Item = (String, i64, i64)>,
) -> Result<()> {
    let rows = new
        .into_iter()
        .map(|(token_hash, id, now)| session::ActiveModel {
            token_hash: Set(token_hash),
            contributor_id: Set(id),
            created_at: Set(now),
        });
    let added = session::Entity::insert_many(rows);
    added.exec_without_returning(db).await?;
    Ok(())
}

/// `None` if a unique key is taken.
fn unless_taken<T>(written: Result<T, DbErr>) -> Result<Option<T>> {
    match written {
        Ok(written) => Ok(Some(written)),
        Err(error) => match error.sql_err() {
            Some(SqlErr::UniqueConstraintViolation(_)) => Ok(None),
            _ => Err(error.into()),
        },
    }
}

impl Store {
    /// Awards points, except those awarded before.
    pub(crate) async fn award(&self, awards: &[award::Model]) -> Result<()> {
        insert(self.writer(), awards).await
    }

    /// Awards the points of a scored list, and marks it as scored; returns false if its position is
    /// no longer in that state, because a moderator reversed a decision meanwhile.
    pub(crate) async fn score(
        &self,
        award: &award::Model,
        position: i64,
        state: PositionState,
    ) -> Result<bool> {
        let transaction = self.begin().await?;
        let same = position::Entity::find_by_id(position)
            .filter(position::Column::State.eq(state))
            // In `PostgreSQL` this row lock keeps a reversal out until the commit; `SQLite` has one
            // writer anyway.
            .lock_shared();
        if same.one(&transaction).await?.is_none() {
            transaction.rollback().await?;
            return Ok(false);
        }
        insert(&transaction, std::slice::from_ref(award)).await?;
        let scored = (list::Column::Scored, Expr::value(true));
        let is_it = list::Column::Id.eq(award.list_id);
        change::<list::Entity>(&transaction, scored, is_it).await?;
        transaction.commit().await?;
        Ok(true)
    }

    pub(crate) async fn sums_of(&self, contributor: i64, since: i64) -> Result<PeriodRecord> {
        let mut all = self.sums(since..i64::MAX, Some(contributor)).await?;
        Ok(all.pop().unwrap_or_default())
    }

    /// The totals of each contributor between two times; the board of the day has a comparison of its own.
    pub(crate) async fn sums(
        &self,
        times: Range<i64>,
        contributor: Option<i64>,
    ) -> Result<Vec<PeriodRecord>> {
        use award::Column;
        let db = self.readers();
        // `PostgreSQL` sums 64-bit numbers as decimals; ours are far from overflowing 64 bits.
        let sum = |column: Column| match db.get_database_backend() {
            DbBackend::Postgres => column.sum().cast_as("bigint"),
            _ => column.sum(),
        };
        let mut found = award::Entity::find()
            .select_only()
            .column(Column::ContributorId)
            .column_as(sum(Column::Points), "points")
            // A list in a pair may have two awards: for the answer and for the agreement.
            .column_as(Expr::cust("COUNT(DISTINCT list_id)"), "lists")
            .column_as(sum(Column::Correct), "correct")
            .column_as(sum(Column::Total), "total")
            .filter(Column::Kind.ne(AwardKind::Daily))
            .filter(Column::GivenAt.gte(times.start))
            .filter(Column::GivenAt.lt(times.end))
            .group_by(Column::ContributorId);
        if let Some(contributor) = contributor {
            found = found.filter(Column::ContributorId.eq(contributor));
        }
        Ok(found.into_model().all(db).await?)
    }

    /// The awards of at most some hundreds of lists.
    pub(crate) async fn awards_of_all(&self, lists: Vec<i64>) -> Result<Vec<award::Model>> {
        self.all(award::Entity::find().filter(award::Column::ListId.is_in(lists)))
            .await
    }

    pub(crate) async fn awards_of(&self, list: i64) -> Result<Vec<award::Model>> {
        self.all(award::Entity::find().filter(award::Column::ListId.eq(list)))
            .await
    }
}

async fn insert(db: &impl ConnectionTrait, awards: &[award::Model]) -> Result<()> {
    let rows = awards.iter().cloned().map(award::ActiveModel::from);
    let inserted = award::Entity::insert_many(rows).on_conflict_do_nothing();
    inserted.exec_without_returning(db).await?;
    Ok(())
}
