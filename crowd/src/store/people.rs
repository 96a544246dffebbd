//! Contributors and their sessions.

use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait as _, EntityTrait as _, PaginatorTrait as _, QueryFilter as _};

use super::entity::{contributor, session};
use super::{Store, StoreError};

/// Maximum number of contributors per query; both databases limit the values per statement.
const AT_ONCE: usize = 1_000;

impl Store {
    /// Inserts a contributor with their first session; returns their number.
    pub(crate) async fn add_contributor(
        &self,
        name: Option<String>,
        token_hash: String,
        now: i64,
    ) -> Result<i64, StoreError> {
        let transaction = self.begin().await?;
        let person = contributor::ActiveModel {
            name: Set(name),
            created_at: Set(now),
            set_aside: Set(false),
            ..Default::default()
        };
        let added = contributor::Entity::insert(person);
        let id = added.exec(&transaction).await?.last_insert_id;
        let session = session::ActiveModel {
            token_hash: Set(token_hash),
            contributor_id: Set(id),
            created_at: Set(now),
        };
        let added = session::Entity::insert(session);
        added.exec_without_returning(&transaction).await?;
        transaction.commit().await?;
        Ok(id)
    }

    /// The contributor of the session with this hash.
    pub(crate) async fn contributor_by_session(
        &self,
        token_hash: &str,
    ) -> Result<Option<contributor::Model>, StoreError> {
        let found = session::Entity::find_by_id(token_hash.to_owned());
        match found.one(self.readers()).await? {
            Some(session) => self.contributor_by_id(session.contributor_id).await,
            None => Ok(None),
        }
    }

    pub(crate) async fn contributor_by_id(
        &self,
        id: i64,
    ) -> Result<Option<contributor::Model>, StoreError> {
        let found = contributor::Entity::find_by_id(id);
        Ok(found.one(self.readers()).await?)
    }

    pub(crate) async fn contributors(
        &self,
        ids: Vec<i64>,
    ) -> Result<Vec<contributor::Model>, StoreError> {
        let mut people = Vec::with_capacity(ids.len());
        for few in ids.chunks(AT_ONCE) {
            let few = few.iter().copied();
            let found = contributor::Entity::find().filter(contributor::Column::Id.is_in(few));
            people.extend(found.all(self.readers()).await?);
        }
        Ok(people)
    }

    /// The contributors whose lists are excluded.
    pub(crate) async fn people_aside(&self) -> Result<Vec<i64>, StoreError> {
        let found = contributor::Entity::find().filter(contributor::Column::SetAside.eq(true));
        let found = found.all(self.readers()).await?;
        Ok(found.into_iter().map(|person| person.id).collect())
    }

    /// Number of contributors.
    pub(crate) async fn count_contributors(&self) -> Result<u64, StoreError> {
        Ok(contributor::Entity::find().count(self.readers()).await?)
    }

    /// Renames a contributor; returns false if there is no such contributor.
    pub(crate) async fn rename(&self, id: i64, name: &str) -> Result<bool, StoreError> {
        self.change_contributor(id, contributor::Column::Name, Expr::value(name))
            .await
    }

    /// Excludes a contributor's lists or not; returns false if there is no such contributor.
    pub(crate) async fn set_aside(&self, id: i64, aside: bool) -> Result<bool, StoreError> {
        self.change_contributor(id, contributor::Column::SetAside, Expr::value(aside))
            .await
    }

    async fn change_contributor(
        &self,
        id: i64,
        column: contributor::Column,
        value: Expr,
    ) -> Result<bool, StoreError> {
        let changed = contributor::Entity::update_many()
            .col_expr(column, value)
            .filter(contributor::Column::Id.eq(id))
            .exec(self.writer())
            .await?;
        Ok(changed.rows_affected == 1)
    }
}
