//! Opening a database, its connections, and its failures.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::sqlx::pool::PoolOptions;
use sea_orm::sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sea_orm::sqlx::{Connection as _, Error, PgConnection, Sqlite};
use sea_orm::{
    ConnectOptions, ConnectionTrait as _, Database, DatabaseConnection, DatabaseTransaction,
    DbBackend, DbErr, RuntimeErr, SqliteTransactionMode, TransactionOptions, TransactionTrait as _,
};
use sea_orm_migration::MigratorTrait as _;
use tokio::time::timeout;

use super::migration::Migrator;

/// How long to wait for a connection or, in `SQLite`, for another program's write.
const PATIENCE: Duration = Duration::from_secs(10);
/// One program at a time changes the tables; the key is unlike those of imports and of servers.
const ONE_MIGRATION: &str =
    "SET LOCAL lock_timeout = '30s'; SELECT pg_advisory_xact_lock(7046029256)";
const SQLITE_READERS: u32 = 4;
const POSTGRES_CONNECTIONS: u32 = 16;

/// The connection for writing, and those for reading, of the database at an address, with its tables up to date.
pub(super) async fn opened(
    url: &str,
) -> Result<(DatabaseConnection, DatabaseConnection), StoreError> {
    let (writer, readers) = if is_sqlite(url) {
        open_sqlite(url).await?
    } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        let writer = match connect(&mut options(url, POSTGRES_CONNECTIONS)).await {
            Err(error) if error.is_busy() => return Err(reason(url).await.unwrap_or(error)),
            opened => opened?,
        };
        let readers = writer.clone();
        (writer, readers)
    } else {
        return Err(StoreError::Address(url.to_owned()));
    };
    migrate(&writer).await?;
    Ok((writer, readers))
}

pub(super) fn is_sqlite(url: &str) -> bool {
    url.starts_with("sqlite:")
}

/// Brings the tables up to date in one transaction, which waits for another program that does so: a program that is
/// killed, or a second one, leaves no half of it.
async fn migrate(writer: &DatabaseConnection) -> Result<(), StoreError> {
    let pending = Migrator::get_pending_migrations_read_only(writer).await;
    match pending {
        // Nothing is written if all steps are there, so a database that is read-only can be opened.
        Ok(pending) if pending.is_empty() => return Ok(()),
        Ok(_) => {}
        // The only error of this kind: a step was applied that is not among ours.
        Err(DbErr::Custom(_)) => return Err(StoreError::Newer),
        Err(error) => return Err(StoreError::Migrate(error)),
    }
    let transaction = begin(writer).await?;
    let migrated = async {
        if transaction.get_database_backend() == DbBackend::Postgres {
            transaction.execute_unprepared(ONE_MIGRATION).await?;
        }
        Migrator::up(&transaction, None).await?;
        transaction.commit().await
    };
    migrated.await.map_err(StoreError::Migrate)
}

/// Begins a write transaction; dropping it without a commit rolls it back.
pub(super) async fn begin(writer: &DatabaseConnection) -> Result<DatabaseTransaction, StoreError> {
    let options = TransactionOptions {
        // A transaction that begins by reading and then writes may fail at once with `SQLITE_BUSY`,
        // without any wait. `IMMEDIATE` waits at its begin.
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
    // A write that is sent to a reader by mistake fails here, instead of competing with the writer.
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
        // By default sqlx pings a connection before each use, which is another journey.
        .test_before_acquire(false)
        .sqlx_logging(false);
    options
}

fn sqlite(options: SqliteConnectOptions) -> SqliteConnectOptions {
    options
        // With a write-ahead log, readers do not block the writer, nor the writer readers.
        .journal_mode(SqliteJournalMode::Wal)
        // With that log, `NORMAL` keeps the file consistent; only a power failure can lose the last
        // commits.
        .synchronous(SqliteSynchronous::Normal)
        // `SQLite` checks foreign keys only on connections that ask for it.
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

/// Why no connection to `PostgreSQL` is possible: a pool retries until its time is up, and then
/// reports only that.
async fn reason(url: &str) -> Option<StoreError> {
    let connected = timeout(PATIENCE, PgConnection::connect(url)).await.ok()?;
    let cause = RuntimeErr::SqlxError(Arc::new(connected.err()?));
    Some(StoreError::Open(DbErr::Conn(cause)))
}

/// The database failed.
///
/// No variant has a source: the text of a `DbErr` already includes those of its sources.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    #[error("'{0}' is not the address of a database: sqlite://FILE or postgres://… is expected")]
    Address(String),
    #[error("the database cannot be opened: {0}")]
    Open(DbErr),
    #[error("the tables of the database cannot be brought up to date: {0}")]
    Migrate(DbErr),
    #[error("a newer version of crowd has changed its tables; this one cannot use it any more")]
    Newer,
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
            Self::Address(_) | Self::Newer | Self::Value { .. } => false,
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
            // A `SQLSTATE` of `PostgreSQL` has five characters, a code of `SQLite` fewer.
            let is_sqlite = code.len() < 5;
            let primary = code.parse::<u32>().map(|number| number & 0xff);
            states.contains(&&*code) || is_sqlite && matches!(primary, Ok(5 | 6))
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Store;
    use super::super::entity::contributor;
    use super::*;

    async fn execute(writer: &DatabaseConnection, sql: &str) {
        let done = writer.execute_unprepared(sql).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    #[tokio::test]
    async fn tables_are_migrated_whole_or_not_at_all_and_never_backwards() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let url = format!("sqlite://{}?mode=rwc", folder.path().join("db").display());
        let (bare, _) = open_sqlite(&url).await.expect("a database");
        execute(&bare, "CREATE TABLE class_set (id bigint)").await;
        let error = Store::open(&url).await.expect_err("the table is there");
        assert!(matches!(error, StoreError::Migrate(_)), "{error}");
        execute(&bare, "DROP TABLE class_set").await;
        let store = Store::open(&url).await.expect("nothing was left");
        let read_only = url.replace("rwc", "ro");
        Store::open(&read_only).await.expect("nothing to migrate");
        let newer = "INSERT INTO seaql_migrations VALUES ('m9999_future', 0)";
        execute(store.writer(), newer).await;
        let error = Store::open(&url).await.expect_err("it is newer");
        assert!(matches!(error, StoreError::Newer), "{error}");
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
        execute(store.writer(), trigger).await;
        add(0).await.expect_err("the transaction was ended");
        execute(store.writer(), "DROP TRIGGER full").await;
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
            let found = store
                .find::<contributor::Entity>(id)
                .await
                .expect("a query");
            assert!(found.is_some(), "person {id} was acknowledged");
        }
    }

    #[tokio::test]
    async fn a_server_that_does_not_answer_is_reported_with_the_reason() {
        let error = reason("postgres://me@127.0.0.1:1/crowd").await;
        let text = error.expect("nothing listens there").to_string();
        assert!(text.contains("refused"), "{text}");
    }

    #[tokio::test]
    async fn a_database_that_another_program_holds_is_busy() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let url = format!("sqlite://{}?mode=rwc", folder.path().join("db").display());
        let store = Store::open(&url).await.expect("a database");
        execute(store.writer(), "PRAGMA busy_timeout = 10").await;
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
