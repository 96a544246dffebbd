use sea_orm::sqlx::Error;
use sea_orm::{DbErr, RuntimeErr};

/// The database failed.
///
/// No variant has a source: the text of a `DbErr` already includes those of its sources.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The address is not that of a supported database.
    #[error("'{0}' is no address of a database: sqlite://FILE or postgres://… is expected")]
    Address(String),
    /// It could not be opened.
    #[error("the database cannot be opened: {0}")]
    Open(DbErr),
    /// Its tables could not be migrated.
    #[error("the tables of the database cannot be brought up to date: {0}")]
    Migrate(DbErr),
    /// A query failed.
    #[error("a query failed: {0}")]
    Query(DbErr),
    /// A value in the database cannot be read.
    #[error("the database has {found} for {what}, which cannot be read")]
    Value {
        /// The expected value.
        what: &'static str,
        /// The value found.
        found: String,
    },
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
        Error::Database(told) => told.code().is_some_and(|code| {
            let states = ["53300", "55P03", "57P01", "57P02", "57P03"];
            let is_sqlite = code.len() < 5;
            let primary = code.parse::<u32>().map(|number| number & 0xff);
            states.contains(&&*code) || is_sqlite && matches!(primary, Ok(5 | 6))
        }),
        _ => false,
    }
}
