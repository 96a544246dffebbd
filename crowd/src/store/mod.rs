//! The database: `SQLite` or `PostgreSQL`, with the same code and the same migrations.
//!
//! It stores and queries; it decides nothing except which of two writers came first. Only `service`
//! uses its queries, which are grouped by topic.

mod account;
pub mod entity;
mod events;
mod findings;
mod lists;
mod lock;
mod migration;
mod moderation;
mod open;
mod people;
mod positions;
mod sets;

pub(crate) use account::Records;
pub(crate) use events::{Closing, Kept, NewEvents, close};
pub use findings::Ruling;
pub(crate) use lists::{Had, Waiting};
pub use lock::{InstanceLock, LockError};
pub(crate) use moderation::{Reversed, Sessions};
pub use open::StoreError;
pub(crate) use positions::NewPosition;
pub(crate) use sets::{Joined, NewClass};

use events::{EventRecorder, recorder};
use people::{Newcomers, newcomers};
use sea_orm::sea_query::{Expr, IntoCondition, Query, SelectStatement};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, EntityTrait,
    PaginatorTrait as _, PrimaryKeyTrait, QueryFilter as _, RuntimeErr, Select,
};
use std::time::Duration;
use web::batch::Collecting;

pub(crate) type Result<T, E = StoreError> = std::result::Result<T, E>;

/// What comes while one transaction runs is written together by the next: a transaction of `SQLite` costs
/// five journeys to the thread of its connection, whatever it writes.
const TOGETHER: Collecting = Collecting {
    parallel: 1,
    wait: Duration::ZERO,
    patience: Duration::from_secs(45),
};

/// A column of the rows that meet a condition, as a subquery.
fn select(column: impl ColumnTrait, condition: impl IntoCondition) -> SelectStatement {
    let mut select = Query::select();
    select.column(column).from(column.entity_name());
    select.cond_where(condition).take()
}

/// Changes a column of the rows that meet a condition; returns their number.
async fn change<E: EntityTrait>(
    db: &impl ConnectionTrait,
    (column, value): (E::Column, Expr),
    condition: impl IntoCondition,
) -> Result<u64> {
    let change = E::update_many().col_expr(column, value).filter(condition);
    Ok(change.exec(db).await?.rows_affected)
}

/// Deletes the rows that meet a condition; returns their number.
async fn delete<E: EntityTrait>(
    db: &impl ConnectionTrait,
    condition: impl IntoCondition,
) -> Result<u64> {
    let delete = E::delete_many().filter(condition);
    Ok(delete.exec(db).await?.rows_affected)
}

/// The error of a write in a group that got no answer.
fn not_answered() -> StoreError {
    let reason = "writing took too long, or the server is ending".to_owned();
    StoreError::Query(DbErr::Exec(RuntimeErr::Internal(reason)))
}

/// An open database; clones share its connections.
///
/// `SQLite` allows one writer at a time. All writes go through one connection, whose queue is fair,
/// so that none of ours ever finds the database busy; reads have their own connections and, thanks
/// to the write-ahead log, never wait. The most frequent writes go in groups.
#[derive(Clone, Debug)]
pub struct Store {
    writer: DatabaseConnection,
    readers: DatabaseConnection,
    newcomers: Newcomers,
    /// `PostgreSQL` has none: it writes many lists at once by itself, and in groups they would wait for
    /// each other's locks.
    recorder: Option<EventRecorder>,
}

impl Store {
    /// Opens the database at an address and migrates its tables.
    pub async fn open(url: &str) -> Result<Self> {
        let (writer, readers) = open::opened(url).await?;
        Ok(Self {
            newcomers: newcomers(writer.clone()),
            recorder: open::is_sqlite(url).then(|| recorder(writer.clone())),
            writer,
            readers,
        })
    }

    /// Checks whether the database would accept a write now: another program may lock it, or it may
    /// be read-only.
    pub async fn can_write(&self) -> Result<()> {
        self.readers.ping().await?;
        Ok(self.begin().await?.rollback().await?)
    }

    /// Closes all connections once running queries have completed.
    pub async fn close(self) -> Result<()> {
        self.readers.close().await?;
        Ok(self.writer.close().await?)
    }

    pub(crate) async fn find<E: EntityTrait>(
        &self,
        key: impl Into<<E::PrimaryKey as PrimaryKeyTrait>::ValueType>,
    ) -> Result<Option<E::Model>> {
        self.one(E::find_by_id(key)).await
    }

    async fn one<E: EntityTrait>(&self, found: Select<E>) -> Result<Option<E::Model>> {
        Ok(found.one(&self.readers).await?)
    }

    async fn all<E: EntityTrait>(&self, found: Select<E>) -> Result<Vec<E::Model>> {
        Ok(found.all(&self.readers).await?)
    }

    async fn count<E: EntityTrait>(&self, found: Select<E>) -> Result<u64>
    where
        E::Model: Sync,
    {
        Ok(found.count(&self.readers).await?)
    }

    fn readers(&self) -> &DatabaseConnection {
        &self.readers
    }

    /// The connection for writing a single statement.
    fn writer(&self) -> &DatabaseConnection {
        &self.writer
    }

    /// Begins a write transaction; dropping it without a commit rolls it back.
    pub(crate) async fn begin(&self) -> Result<DatabaseTransaction> {
        open::begin(&self.writer).await
    }
}
