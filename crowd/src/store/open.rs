//! Opening a database, its connections, and its failures.

use std::time::Duration;

use sea_orm::sqlx::pool::PoolOptions;
use sea_orm::sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sea_orm::sqlx::{Connection as _, Error, Sqlite};
use sea_orm::{
    ConnectOptions, Database, DatabaseConnection, DatabaseTransaction, DbErr, RuntimeErr,
    SqliteTransactionMode, TransactionOptions, TransactionTrait as _,
};
use sea_orm_migration::MigratorTrait as _;

use super::events::{Recorder, recorder};
use super::migration::Migrator;
use super::people::{Newcomers, newcomers};

/// An open database; clones share its connections.
///
/// `SQLite` allows one writer at a time. All writes go through one connection, whose queue is fair,
/// so that none of ours ever finds the database busy; reads have their own connections and, thanks
/// to the write-ahead log, never wait. The most frequent writes go in [groups](super::group).
#[derive(Clone, Debug)]
pub struct Store {
    writer: DatabaseConnection,
    readers: DatabaseConnection,
    pub(super) newcomers: Newcomers,
    /// `PostgreSQL` has none: it writes many lists at once by itself, and in groups they would wait for
    /// each other's locks.
    pub(super) recorder: Option<Recorder>,
}

/// How long to wait for a connection or, in `SQLite`, for another program's write.
const PATIENCE: Duration = Duration::from_secs(10);
const SQLITE_READERS: u32 = 4;
const POSTGRES_CONNECTIONS: u32 = 16;

impl Store {
    /// Opens the database at an address and migrates its tables.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        let is_sqlite = url.starts_with("sqlite:");
        let (writer, readers) = if is_sqlite {
            open_sqlite(url).await?
        } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            let writer = connect(&mut options(url, POSTGRES_CONNECTIONS)).await?;
            let readers = writer.clone();
            (writer, readers)
        } else {
            return Err(StoreError::Address(url.to_owned()));
        };
        let migrated = Migrator::up(&writer, None).await;
        migrated.map_err(StoreError::Migrate)?;
        Ok(Self {
            newcomers: newcomers(writer.clone()),
            recorder: is_sqlite.then(|| recorder(writer.clone())),
            writer,
            readers,
        })
    }

    /// Checks whether the database would accept a write now: another program may lock it, or it may
    /// be read-only.
    pub async fn can_write(&self) -> Result<(), StoreError> {
        self.readers.ping().await?;
        Ok(self.begin().await?.rollback().await?)
    }

    /// Closes all connections once running queries have completed.
    pub async fn close(self) -> Result<(), StoreError> {
        self.readers.close().await?;
        Ok(self.writer.close().await?)
    }

    pub(super) fn readers(&self) -> &DatabaseConnection {
        &self.readers
    }

    /// The connection for writing a single statement.
    pub(super) fn writer(&self) -> &DatabaseConnection {
        &self.writer
    }

    /// Begins a write transaction; dropping it without a commit rolls it back.
    pub(crate) async fn begin(&self) -> Result<DatabaseTransaction, StoreError> {
        begin(&self.writer).await
    }
}

pub(super) async fn begin(writer: &DatabaseConnection) -> Result<DatabaseTransaction, StoreError> {
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    };
    Ok(writer.begin_with_options(options).await?)
}

/// The connection for writing, and those for reading.
async fn open_sqlite(url: &str) -> Result<(DatabaseConnection, DatabaseConnection), StoreError> {
    let mut writing = options(url, 1);
    writing.map_sqlx_sqlite_opts(sqlite);
    writing.map_sqlx_sqlite_pool_opts(between_transactions);
    let writer = connect(&mut writing).await?;
    // An in-memory database belongs to its one connection.
    if url.contains(":memory:") || url.contains("mode=memory") {
        let readers = writer.clone();
        return Ok((writer, readers));
    }
    let mut reading = options(url, SQLITE_READERS);
    reading.map_sqlx_sqlite_opts(|o| sqlite(o).pragma("query_only", "1"));
    let readers = connect(&mut reading).await?;
    Ok((writer, readers))
}

fn options(url: &str, connections: u32) -> ConnectOptions {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(connections)
        .connect_timeout(PATIENCE)
        .acquire_timeout(PATIENCE)
        .test_before_acquire(false)
        .sqlx_logging(false);
    options
}

fn sqlite(options: SqliteConnectOptions) -> SqliteConnectOptions {
    options
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Normal)
        .foreign_keys(true)
        .busy_timeout(PATIENCE)
}

/// Never reuses a connection that believes it is in a transaction.
///
/// `SQLite` ends a transaction by itself if a write fails, for example because the disk is full.
/// The rollback that follows then fails, since there is nothing to roll back, and the connection
/// counts its transaction as open forever: every later begin only makes a savepoint, and once one
/// is rolled back nothing is ever committed. Such a connection is closed and replaced.
fn between_transactions(pool: PoolOptions<Sqlite>) -> PoolOptions<Sqlite> {
    pool.after_release(|connection, _| {
        Box::pin(async move {
            // A rollback may be queued on the connection; the ping returns after it.
            connection.ping().await?;
            Ok(!connection.is_in_transaction())
        })
    })
    .before_acquire(|connection, _| {
        let is_good = !connection.is_in_transaction();
        Box::pin(async move { Ok::<bool, Error>(is_good) })
    })
}

async fn connect(options: &mut ConnectOptions) -> Result<DatabaseConnection, StoreError> {
    let connected = Database::connect(options.clone()).await;
    connected.map_err(StoreError::Open)
}

/// The database failed.
///
/// No variant has a source: the text of a `DbErr` already includes those of its sources.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    #[error("'{0}' is no address of a database: sqlite://FILE or postgres://… is expected")]
    Address(String),
    #[error("the database cannot be opened: {0}")]
    Open(DbErr),
    #[error("the tables of the database cannot be brought up to date: {0}")]
    Migrate(DbErr),
    #[error("a query failed: {0}")]
    Query(DbErr),
    #[error("the database has {found} for {what}, which cannot be read")]
    Value { what: &'static str, found: String },
}

impl From<DbErr> for StoreError {
    fn from(error: DbErr) -> Self {
        Self::Query(error)
    }
}

impl StoreError {
    /// Whether a retry may succeed: another writer holds the database, or no connection was free.
    pub fn is_busy(&self) -> bool {
        match self {
            Self::Open(error) | Self::Migrate(error) | Self::Query(error) => is_busy(error),
            Self::Address(_) | Self::Value { .. } => false,
        }
    }
}

/// `SQLite`'s codes for busy and locked, whose extended codes use higher bits; `PostgreSQL`'s for
/// too many connections, an unavailable lock, and a server that is starting or shutting down.
fn is_busy(error: &DbErr) -> bool {
    let (DbErr::Conn(cause) | DbErr::Exec(cause) | DbErr::Query(cause)) = error else {
        return matches!(error, DbErr::ConnectionAcquire(_));
    };
    let RuntimeErr::SqlxError(cause) = cause else {
        return false;
    };
    match &**cause {
        Error::PoolTimedOut => true,
        Error::Database(error) => error.code().is_some_and(|code| {
            let states = ["53300", "55P03", "57P01", "57P02", "57P03"];
            let is_sqlite = code.len() < 5;
            let primary = code.parse::<u32>().map(|number| number & 0xff);
            states.contains(&&*code) || is_sqlite && matches!(primary, Ok(5 | 6))
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::ConnectionTrait as _;

    use super::*;

    async fn pragma(store: &Store, text: &str) {
        let text = format!("PRAGMA {text}");
        let set = store.writer.execute_unprepared(&text);
        set.await.expect("a pragma");
    }

    #[tokio::test]
    async fn what_is_acknowledged_after_a_transaction_was_ended_is_kept() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let url = format!("sqlite://{}?mode=rwc", folder.path().join("db").display());
        let store = Store::open(&url).await.expect("a database");
        let add = async |n: usize| {
            let name = format!("{n}{}", "x".repeat(500));
            store.add_contributor(None, name, 0).await
        };
        let trigger = "CREATE TRIGGER full BEFORE INSERT ON session \
             BEGIN SELECT RAISE(ROLLBACK, 'as a full disk does'); END";
        let made = store.writer.execute_unprepared(trigger).await;
        made.expect("a trigger");
        add(0).await.expect_err("the transaction was ended");
        let dropped = store.writer.execute_unprepared("DROP TRIGGER full").await;
        dropped.expect("no trigger");
        // A transaction rolled back to a savepoint would stay open.
        store.can_write().await.expect("it takes changes");
        let mut acknowledged = Vec::new();
        for n in 1..6 {
            let id = add(n).await.expect("there is room");
            acknowledged.push(id.expect("nobody has no name"));
        }
        store.can_write().await.expect("it takes changes");
        store.close().await.expect("closed");
        let store = Store::open(&url).await.expect("the database again");
        for id in acknowledged {
            let found = store.contributor_by_id(id).await.expect("a query");
            assert!(found.is_some(), "person {id} was acknowledged");
        }
    }

    #[tokio::test]
    async fn a_database_that_another_program_holds_is_busy() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let url = format!("sqlite://{}?mode=rwc", folder.path().join("db").display());
        let store = Store::open(&url).await.expect("a database");
        pragma(&store, "busy_timeout = 10").await;
        let other = Store::open(&url).await.expect("the same database");
        let held = other.begin().await.expect("a transaction");
        let added = store.add_contributor(None, "hash".to_owned(), 0).await;
        assert!(added.expect_err("it is held").is_busy());
        let asked = store.can_write().await;
        assert!(asked.expect_err("it is held").is_busy());
        held.rollback().await.expect("ended");
        store.can_write().await.expect("it takes changes");
    }
}
