//! A pool of connections to `PostgreSQL`, and the versions of the schema.

use std::io;
use std::time::Duration;

use pgmq::install::install_sql_from_embedded;
use sqlx::PgPool;
use sqlx::error::DatabaseError;
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPoolOptions};
use sqlx::{ConnectOptions as _, Connection as _};
use tokio::time::timeout;

fn migrations() -> Migrator {
    let mut migrations = sqlx::migrate!("./migrations");
    // sqlx locks by a session: behind PgBouncer, the statements of a session may come to different
    // servers. `Database::migrate` locks by a transaction.
    migrations.set_locking(false);
    // Otherwise, the first schema of the search path has the table: for a role that is named `lab`, another one
    // as soon as the schema `lab` exists.
    migrations.dangerous_set_table_name("public._sqlx_migrations");
    migrations
}

/// The longest that a request waits for a free connection.
const TO_ACQUIRE: Duration = Duration::from_secs(15);
/// A connection that was idle for longer is tested before it is used.
const TESTED_FOR: Duration = Duration::from_secs(1);
/// Ends statements that take too long, on the server.
const STATEMENT_TIMEOUT: &str = "30s";
/// The longest that a connection may take to answer when it comes back to the pool.
const TO_RETURN: Duration = Duration::from_secs(5);
/// The longest that what no request waits for may take: longer than its statements, and than a request.
pub(crate) const IN_BACKGROUND: Duration = Duration::from_secs(45);

/// Why the database did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum LabDatabaseError {
    /// The URL cannot be parsed.
    #[error("bad URL of a database: {0}")]
    BadUrl(String),
    /// The schema is of a newer program.
    #[error(
        "the database has version {found} of the schema, this program knows version {known}: use a newer program"
    )]
    Newer {
        /// The version of the schema.
        found: i64,
        /// The newest that this program knows.
        known: i64,
    },
    /// The schema is of a program that was never released.
    #[error(
        "the database has version {found} of the schema, of a development version of fleet, which is not brought up \
         to date: give a new database, or with --data a new folder; the old one is left as it is"
    )]
    Older {
        /// The version of the schema.
        found: i64,
    },
    /// The schema could not be brought up to date.
    #[error("the schema could not be updated: {0}")]
    Migration(String),
    /// PGMQ could not be installed.
    #[error("the queue PGMQ could not be installed: {0}")]
    Queue(String),
    /// There is no server, or it rejects the connection.
    #[error("no database at {server}: {reason}")]
    Connect {
        /// Host, port and database.
        server: String,
        /// The reason.
        reason: String,
    },
    /// A pooler in front of the server gives each transaction another connection, without the
    /// statements that were prepared on the last one.
    #[error(
        "the pooler in front of the database loses prepared statements: expected PgBouncer 1.21 or newer with \
         max_prepared_statements above 0, or pool_mode = session"
    )]
    Pooler,
    /// A statement failed, or the server cannot be reached. The text has the reason: it is no source
    /// of its own, which would be printed twice.
    #[error("the database failed: {0}")]
    Database(sqlx::Error),
}

impl From<sqlx::Error> for LabDatabaseError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

impl LabDatabaseError {
    /// Returns true if a value that was sent is none for the database, such as a text with a NUL or a time before all
    /// times: the class 22 of its errors.
    pub fn is_of_value(&self) -> bool {
        let Self::Database(error) = self else {
            return false;
        };
        let code = error.as_database_error().and_then(DatabaseError::code);
        code.is_some_and(|code| code.starts_with("22"))
    }

    /// Returns true if a retry may succeed: the server cannot be reached, is being restarted, or has
    /// no free connection.
    pub fn is_passing(&self) -> bool {
        let Self::Database(error) = self else {
            return false;
        };
        match error {
            sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::Protocol(_) => true,
            // 08: connections; 40: deadlocks; 53: no room; 57: shutdown and cancellation.
            sqlx::Error::Database(error) => error.code().is_some_and(|code| {
                ["08", "40", "53", "57"]
                    .iter()
                    .any(|class| code.starts_with(class))
            }),
            _ => false,
        }
    }
}

/// A short call that no request waits for, within a limit: the system keeps a connection whose other end
/// is gone for a quarter of an hour.
///
/// # Errors
/// Those of the call; it took too long.
pub(crate) async fn bounded<T, E: From<LabDatabaseError>>(
    call: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let called = timeout(IN_BACKGROUND, call).await;
    called.unwrap_or_else(|_| Err(LabDatabaseError::from(too_late()).into()))
}

fn too_late() -> sqlx::Error {
    sqlx::Error::Io(io::ErrorKind::TimedOut.into())
}

/// The database of a lab.
#[derive(Clone, Debug)]
pub struct Database {
    /// Its connections.
    pub pool: PgPool,
}

impl Database {
    /// Opens a pool of at most so many connections, installs PGMQ if it is missing, and brings the
    /// schema up to date. Several servers may do so at the same time.
    ///
    /// # Errors
    /// The URL is invalid, the server cannot be reached, or its schema is of a newer program.
    pub async fn open(url: &str, connections: u32) -> Result<Self, LabDatabaseError> {
        let options: PgConnectOptions = url
            .parse()
            .map_err(|error: sqlx::Error| LabDatabaseError::BadUrl(error.to_string()))?;
        let options = options
            .application_name("fleet")
            .options([("statement_timeout", STATEMENT_TIMEOUT)]);
        // The pool would try again until its time is up, and hide the reason.
        let reason = match timeout(TO_ACQUIRE, probe(&options)).await {
            Ok(Ok(())) => None,
            Ok(Err(error)) if is_lost_statement(&error) => return Err(LabDatabaseError::Pooler),
            Ok(Err(error)) => Some(error.to_string()),
            Err(elapsed) => Some(elapsed.to_string()),
        };
        if let Some(reason) = reason {
            let (host, port) = (options.get_host(), options.get_port());
            let database = options.get_database().unwrap_or("the user's database");
            let server = format!("{host}:{port}/{database}");
            return Err(LabDatabaseError::Connect { server, reason });
        }
        let pool = PgPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(TO_ACQUIRE)
            // Each is tested when it comes back; a second test would be a third of all round trips.
            .test_before_acquire(false)
            .before_acquire(|connection, about| {
                Box::pin(async move {
                    if about.idle_for > TESTED_FOR {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
            .after_release(|connection, _| {
                // The pool asks, too, but waits for an answer as long as the system keeps the connection.
                Box::pin(async {
                    let answered = timeout(TO_RETURN, connection.ping()).await;
                    answered.map_err(|_| too_late())?.map(|()| true)
                })
            })
            .connect_with(options)
            .await?;
        let database = Self { pool };
        database.migrate().await?;
        Ok(database)
    }

    async fn has_queue(&self) -> Result<bool, LabDatabaseError> {
        let sql =
            "select exists (select from pg_proc p join pg_namespace n on n.oid = p.pronamespace
            where n.nspname = 'pgmq' and p.proname = 'send_batch')";
        Ok(sqlx::query_scalar(sql).fetch_one(&self.pool).await?)
    }

    async fn migrate(&self) -> Result<(), LabDatabaseError> {
        if !self.has_queue().await? {
            let installed = install_sql_from_embedded(&self.pool).await;
            // Another server may have installed it meanwhile.
            if let Err(error) = installed
                && !self.has_queue().await?
            {
                return Err(LabDatabaseError::Queue(error.to_string()));
            }
        }
        // All versions come in one transaction.
        let mut transaction = self.pool.begin().await?;
        sqlx::query("select pg_advisory_xact_lock(1414485839, 0)")
            .execute(&mut *transaction)
            .await?;
        let migrations = migrations();
        let versions = || migrations.iter().map(|one| one.version);
        migrations
            .run_direct(None, &mut *transaction, false)
            .await
            .map_err(|error| match error {
                MigrateError::VersionMissing(found) if versions().all(|known| found < known) => {
                    LabDatabaseError::Older { found }
                }
                MigrateError::VersionMissing(found) => LabDatabaseError::Newer {
                    found,
                    known: versions().max().unwrap_or(0),
                },
                error => LabDatabaseError::Migration(error.to_string()),
            })?;
        transaction.commit().await?;
        Ok(())
    }
}

/// Connects, and runs a prepared statement again while another connection is in a transaction: a
/// pooler of transactions then runs it somewhere else. Statements are prepared and run in separate
/// round trips, so a lab does not work behind one that does not prepare them there too.
async fn probe(options: &PgConnectOptions) -> Result<(), sqlx::Error> {
    async fn ask(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        let sql = "select $1::int8";
        let asked: i64 = sqlx::query_scalar(sql)
            .bind(1_i64)
            .fetch_one(connection)
            .await?;
        debug_assert_eq!(asked, 1);
        Ok(())
    }
    let mut connection = options.connect().await?;
    ask(&mut connection).await?;
    let mut other = options.connect().await?;
    let mut transaction = other.begin().await?;
    sqlx::raw_sql("select 1").execute(&mut *transaction).await?;
    ask(&mut connection).await?;
    transaction.rollback().await?;
    other.close().await?;
    connection.close().await
}

/// Whether a statement was prepared on another connection (`invalid_sql_statement_name`), or one of
/// its name was prepared on this one by another client (`duplicate_prepared_statement`).
fn is_lost_statement(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(DatabaseError::code);
    code.is_some_and(|code| ["26000", "42P05"].contains(&&*code))
}
