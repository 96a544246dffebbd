//! One server per database: two would both award points and certify.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sea_orm::{ConnectionTrait as _, DatabaseTransaction, DbBackend, Statement};
use tokio::time::timeout;

use super::{Result, Store, StoreError};

/// Why a server does not get a database for itself.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error("another server uses this database ({0}); stop it first")]
    Taken(String),
    #[error("cannot lock {}: {source}", file.display())]
    File {
        file: PathBuf,
        source: std::io::Error,
    },
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The right to be the server of a database; dropping it gives it back, and so does the end of the
/// process, however it ends.
#[derive(Debug)]
pub struct InstanceLock {
    store: Store,
    held: Held,
}

#[derive(Debug)]
enum Held {
    /// A locked file beside the database; the system unlocks it when the process ends.
    File(#[expect(dead_code, reason = "it is locked while it is open")] File),
    /// A transaction with an advisory lock; `PostgreSQL` unlocks when its connection ends. `None`
    /// while there is no connection.
    Transaction(Option<DatabaseTransaction>),
    /// A database in memory belongs to its process.
    Nothing,
}

/// The key of the advisory lock; unlike those of imports and of other programs.
const KEY: i64 = 7_046_029_255;

/// If the machine of a server vanishes, `PostgreSQL` notices after 25 s.
const KEEP_ALIVE: &str = "SET LOCAL tcp_keepalives_idle = 10; \
    SET LOCAL tcp_keepalives_interval = 5; SET LOCAL tcp_keepalives_count = 3";

const PATIENCE: Duration = Duration::from_secs(5);

impl Store {
    /// Makes this process the one server of the database.
    ///
    /// # Errors
    /// [`LockError::Taken`] while another process is.
    pub async fn lock_instance(&self) -> Result<InstanceLock, LockError> {
        let held = match self.writer().get_database_backend() {
            DbBackend::Postgres => Held::Transaction(Some(self.locked_transaction().await?)),
            _ => match self.file().await? {
                Some(file) => Held::File(locked_file(&file)?),
                None => Held::Nothing,
            },
        };
        Ok(InstanceLock {
            store: self.clone(),
            held,
        })
    }

    /// The file of an `SQLite` database, as `SQLite` itself names it; `None` in memory.
    async fn file(&self) -> Result<Option<PathBuf>> {
        let db = self.writer();
        let sql = "SELECT file FROM pragma_database_list WHERE name = 'main'";
        let asked = Statement::from_string(db.get_database_backend(), sql);
        let name: Option<String> = match db.query_one_raw(asked).await? {
            Some(row) => row.try_get("", "file")?,
            None => None,
        };
        Ok(name.filter(|name| !name.is_empty()).map(PathBuf::from))
    }

    async fn locked_transaction(&self) -> Result<DatabaseTransaction, LockError> {
        // The transaction is never committed: it keeps its connection, and with it the lock.
        let transaction = self.begin().await?;
        let query = async |sql: &str| {
            let asked = Statement::from_string(DbBackend::Postgres, sql);
            let row = transaction.query_one_raw(asked).await?;
            row.ok_or_else(|| StoreError::Value {
                what: "a lock",
                found: "nothing".to_owned(),
            })
        };
        let set = transaction.execute_unprepared(KEEP_ALIVE).await;
        set.map_err(StoreError::from)?;
        let row = query(&format!("SELECT pg_try_advisory_xact_lock({KEY}) AS ours")).await?;
        if row.try_get("", "ours").map_err(StoreError::from)? {
            return Ok(transaction);
        }
        // `pg_locks` shows a key of 64 bits as two halves; a connection by a Unix socket has no
        // address.
        let holder = format!(
            "SELECT COALESCE((SELECT a.client_addr || ', since ' || date_trunc('second', a.backend_start) \
             FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE l.locktype = 'advisory' AND l.granted \
             AND (l.classid::bigint << 32) + l.objid::bigint = {KEY} LIMIT 1), 'on the same machine') AS holder"
        );
        let holder = query(&holder).await?.try_get("", "holder");
        Err(LockError::Taken(holder.map_err(StoreError::from)?))
    }
}

/// Locks the file beside a database; the file stays, since removing it would let two lock it.
fn locked_file(database: &Path) -> Result<File, LockError> {
    let mut file = database.as_os_str().to_owned();
    file.push(".lock");
    let file = PathBuf::from(file);
    let failed = |source| LockError::File {
        file: file.clone(),
        source,
    };
    let mut options = File::options();
    let opened = options.create(true).truncate(false).write(true).open(&file);
    let opened = opened.map_err(failed)?;
    match opened.try_lock() {
        Ok(()) => Ok(opened),
        Err(TryLockError::WouldBlock) => Err(LockError::Taken(file.display().to_string())),
        Err(TryLockError::Error(source)) => Err(failed(source)),
    }
}

impl InstanceLock {
    /// Checks that the lock is still held, and takes it again after a lost connection; an
    /// unreachable database is not an error, since nothing can be written to it either.
    ///
    /// # Errors
    /// [`LockError::Taken`] if another server was quicker.
    pub async fn check(&mut self) -> Result<(), LockError> {
        let Held::Transaction(held) = &mut self.held else {
            return Ok(());
        };
        if let Some(transaction) = held {
            let alive = timeout(PATIENCE, transaction.execute_unprepared("SELECT 1")).await;
            if matches!(alive, Ok(Ok(_))) {
                return Ok(());
            }
            *held = None;
        }
        match timeout(PATIENCE, self.store.locked_transaction()).await {
            Ok(Ok(again)) => *held = Some(again),
            Ok(Err(LockError::Taken(holder))) => return Err(LockError::Taken(holder)),
            Ok(Err(error)) => tracing::warn!("the database is not locked: {error}"),
            Err(_) => tracing::warn!("the database is not locked: it does not answer"),
        }
        Ok(())
    }
}
