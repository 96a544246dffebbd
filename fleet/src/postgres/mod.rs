//! The broker on a `PostgreSQL` server. Every call of a worker is one function of the schema
//! `touchstone`, so that it is one transaction and one round trip.

mod fault;
mod rows;
mod session;
mod target;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rows::{number, small};
use session::{Parameter, Session};
use tokio_postgres::Row;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::Type;

use super::{
    Alarm, Broker, BrokerError, Chunk, Completed, Job, JobState, Lease, Progress, Put, Recorded,
    Standing, UnitResult, Worker, WorkerState,
};

pub(crate) use fault::Fault;
pub(crate) use target::Target;

#[cfg(feature = "install")]
pub(crate) use target::{Roots, Tls};

/// The schema version that this program requires.
pub(crate) const SCHEMA: i32 = 1;

/// Deadline for administrative calls, which may take long: installing a schema, removing a big job.
#[cfg(feature = "install")]
const FOR_OWNERS: Duration = Duration::from_mins(10);

/// How often, and after what time, a server that is just starting is asked again: for 30 s.
const STARTING_TRIES: u32 = 150;
const STARTING_PAUSE: Duration = Duration::from_millis(200);

/// Whether the server answers that it is starting, as one does for seconds after a crash.
fn is_starting(error: &BrokerError) -> bool {
    let BrokerError::Unreachable(source) = error else {
        return false;
    };
    let source = source.downcast_ref::<tokio_postgres::Error>();
    source.is_some_and(|error| error.code() == Some(&SqlState::CANNOT_CONNECT_NOW))
}

/// A broker for workers on many machines. Can be shared by threads: a call uses an idle connection
/// or opens a new one.
#[derive(Debug)]
pub(crate) struct Postgres {
    target: Target,
    idle: Mutex<Vec<Session>>,
}

impl Postgres {
    /// Connects once, so that errors show at once; a server that is just starting is waited for.
    pub(crate) fn connect(target: Target) -> Result<Self, BrokerError> {
        let idle = Mutex::default();
        let broker = Self { target, idle };
        let mut checked = broker.check_schema();
        for _ in 0..STARTING_TRIES {
            if !checked.as_ref().is_err_and(is_starting) {
                break;
            }
            std::thread::sleep(STARTING_PAUSE);
            checked = broker.check_schema();
        }
        match checked {
            Ok(()) => Ok(broker),
            Err(error) => Err(broker.target.named(error)),
        }
    }

    fn check_schema(&self) -> Result<(), BrokerError> {
        let found = self.rows("select touchstone.version()", &[]);
        let found: i32 = found.map_err(Fault::into_plain)?[0].get(0);
        if found == SCHEMA {
            return Ok(());
        }
        Err(BrokerError::Failed(format!(
            "its schema has version {found}, expected {SCHEMA}: run `fleet up URL` of this program"
        )))
    }

    /// Neither connects nor checks the schema.
    #[cfg(feature = "install")]
    pub(crate) fn unchecked(target: Target) -> Self {
        let idle = Mutex::default();
        Self { target, idle }
    }

    /// Installs or updates the schema.
    #[cfg(feature = "install")]
    pub(crate) fn install_schema(&self) -> Result<(), BrokerError> {
        // The lock serialises concurrent installations.
        let sql = [
            "begin; select pg_advisory_xact_lock(1414485835, 0);",
            include_str!("sql/tables.sql"),
            include_str!("sql/inner.sql"),
            include_str!("sql/worker.sql"),
            include_str!("sql/owner.sql"),
            "revoke all on all functions in schema touchstone from public; commit;",
        ];
        let session = self.session()?;
        let installed = session.batch(&sql.join("\n"), FOR_OWNERS);
        installed.map_err(Fault::into_plain)
    }

    /// Deletes all data of a job.
    #[cfg(feature = "cli")]
    pub(crate) fn remove(&self, job: &str) -> Result<(), BrokerError> {
        let session = self.session()?;
        let limit = format!("set statement_timeout = {}", FOR_OWNERS.as_millis());
        let removed = session
            .batch(&limit, FOR_OWNERS)
            .and_then(|()| session.rows("select touchstone.remove($1)", &[(&job, Type::TEXT)]));
        removed.map(drop).map_err(|fault| fault.of_job(job))
    }

    /// Number of waiting chunks of each job.
    #[cfg(feature = "cli")]
    pub(crate) fn waiting(&self) -> Result<Vec<(String, u64)>, BrokerError> {
        let found = self.rows(rows::WAITING, &[]).map_err(Fault::into_plain)?;
        let line = |row: &Row| (row.get(0), rows::whole(row, 1));
        Ok(found.iter().map(line).collect())
    }

    pub(crate) fn rows(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<Vec<Row>, Fault> {
        let session = self.session().map_err(Fault::Broken)?;
        let rows = session.rows(sql, parameters);
        self.put_back(session, rows.as_ref().err());
        rows
    }

    fn session(&self) -> Result<Session, BrokerError> {
        let idle = self.idle().pop();
        idle.map_or_else(|| Session::open(&self.target), Ok)
    }

    fn put_back(&self, session: Session, fault: Option<&Fault>) {
        let mut idle = self.idle();
        if fault.is_none_or(Fault::spares_connection) {
            idle.push(session);
        } else {
            // The others were most likely closed for the same reason.
            idle.clear();
        }
    }

    /// A poisoned lock can be ignored, since no change under it can be left half done.
    fn idle(&self) -> MutexGuard<'_, Vec<Session>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Broker for Postgres {
    fn put(&self, job: &Job, chunks: &mut dyn Iterator<Item = Chunk>) -> Result<Put, BrokerError> {
        let session = self.session()?;
        let put = rows::put(&session, job, chunks);
        // A failed transaction may still be open: dropping the connection ends it.
        if put.is_ok() {
            self.put_back(session, None);
        }
        put
    }

    fn register(&self, worker: &Worker) -> Result<(), BrokerError> {
        let parameters: [Parameter<'_>; 2] =
            [(&worker.name, Type::TEXT), (&worker.about, Type::TEXT)];
        let done = self.rows("select touchstone.enlist($1, $2)", &parameters);
        done.map(drop)
            .map_err(|fault| fault.of_worker(&worker.name))
    }

    fn lease(
        &self,
        worker: &str,
        kinds: &[&str],
        visibility: Duration,
    ) -> Result<Option<Lease>, BrokerError> {
        let parameters: [Parameter<'_>; 3] = [
            (&worker, Type::TEXT),
            (&kinds, Type::TEXT_ARRAY),
            (&rows::milliseconds(visibility), Type::INT8),
        ];
        let found = self.rows("select * from touchstone.lease($1, $2, $3)", &parameters);
        let found = found.map_err(|fault| fault.of_worker(worker))?;
        found
            .first()
            .map(|row| rows::lease(row, worker))
            .transpose()
    }

    fn heartbeat(&self, lease: &Lease, visibility: Duration) -> Result<Standing, BrokerError> {
        let sql = "select * from touchstone.heartbeat($1, $2, $3, $4, $5)";
        let parameters: [Parameter<'_>; 5] = [
            (&lease.worker, Type::TEXT),
            (&lease.job.id, Type::TEXT),
            (&number(lease.chunk)?, Type::INT8),
            (&small(lease.attempt)?, Type::INT4),
            (&rows::milliseconds(visibility), Type::INT8),
        ];
        match self.rows(sql, &parameters) {
            Ok(found) => Ok(rows::standing(&found[0])),
            Err(Fault::NoJob | Fault::NoWorker | Fault::Quarantined(_)) => Ok(Standing::Lost),
            Err(fault) => Err(fault.into_plain()),
        }
    }

    fn complete(&self, lease: &Lease, results: &[UnitResult]) -> Result<Completed, BrokerError> {
        let sql = "select * from touchstone.complete($1, $2, $3, $4, $5, $6)";
        let keys: Result<Vec<i64>, _> = results
            .iter()
            .map(|result| rows::key(lease, result))
            .collect();
        let values: Vec<&str> = results.iter().map(|result| &*result.value).collect();
        let parameters: [Parameter<'_>; 6] = [
            (&lease.worker, Type::TEXT),
            (&lease.job.id, Type::TEXT),
            (&number(lease.chunk)?, Type::INT8),
            (&small(lease.attempt)?, Type::INT4),
            (&keys?, Type::INT8_ARRAY),
            (&values, Type::TEXT_ARRAY),
        ];
        let found = self.rows(sql, &parameters);
        let found = found.map_err(|fault| fault.of_lease(lease))?;
        Ok(rows::completed(&found, lease))
    }

    fn give_back(&self, lease: &Lease) -> Result<(), BrokerError> {
        let parameters: [Parameter<'_>; 4] = [
            (&lease.worker, Type::TEXT),
            (&lease.job.id, Type::TEXT),
            (&number(lease.chunk)?, Type::INT8),
            (&small(lease.attempt)?, Type::INT4),
        ];
        match self.rows("select touchstone.give_back($1, $2, $3, $4)", &parameters) {
            Ok(_) | Err(Fault::NoJob) => Ok(()),
            Err(fault) => Err(fault.into_plain()),
        }
    }

    fn stop(&self, job: &str, reason: &str) -> Result<(), BrokerError> {
        let parameters: [Parameter<'_>; 2] = [(&job, Type::TEXT), (&reason, Type::TEXT)];
        let done = self.rows("select touchstone.stop($1, $2)", &parameters);
        done.map(drop).map_err(|fault| fault.of_job(job))
    }

    fn quarantine(&self, worker: &str, reason: &str) -> Result<(), BrokerError> {
        let parameters: [Parameter<'_>; 2] = [(&worker, Type::TEXT), (&reason, Type::TEXT)];
        let done = self.rows("select touchstone.set_aside($1, $2)", &parameters);
        done.map(drop).map_err(|fault| fault.of_worker(worker))
    }

    fn discard(&self, job: &str, worker: &str) -> Result<u64, BrokerError> {
        let parameters: [Parameter<'_>; 2] = [(&job, Type::TEXT), (&worker, Type::TEXT)];
        let found = self.rows("select touchstone.forget($1, $2)", &parameters);
        let found = found.map_err(|fault| fault.of_job(job))?;
        Ok(rows::whole(&found[0], 0))
    }

    fn progress(&self, job: &str) -> Result<Progress, BrokerError> {
        let found = self.rows(rows::PROGRESS, &[(&job, Type::TEXT)]);
        let found = found.map_err(|fault| fault.of_job(job))?;
        let row = found.first();
        let row = row.ok_or_else(|| BrokerError::NoJob(job.to_owned()))?;
        Ok(rows::progress(row, 0))
    }

    fn results(&self, job: &str, after: u64, limit: u32) -> Result<Vec<Recorded>, BrokerError> {
        let sql = "select number, key, worker, value from touchstone.results_after($1, $2, $3)";
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let parameters: [Parameter<'_>; 3] = [
            (&job, Type::TEXT),
            (&after, Type::INT8),
            (&i64::from(limit), Type::INT8),
        ];
        let found = self.rows(sql, &parameters);
        let found = found.map_err(|fault| fault.of_job(job))?;
        Ok(found.iter().map(rows::recorded).collect())
    }

    fn alarms(&self, job: &str) -> Result<Vec<Alarm>, BrokerError> {
        let found = self.rows(rows::ALARMS, &[(&job, Type::TEXT)]);
        let found = found.map_err(|fault| fault.of_job(job))?;
        Ok(found.iter().map(|row| rows::alarm(row, 0, job)).collect())
    }

    fn jobs(&self) -> Result<Vec<JobState>, BrokerError> {
        let found = self.rows(rows::JOBS, &[]).map_err(Fault::into_plain)?;
        Ok(found.iter().map(rows::job_state).collect())
    }

    fn workers(&self) -> Result<Vec<WorkerState>, BrokerError> {
        let found = self.rows(rows::WORKERS, &[]).map_err(Fault::into_plain)?;
        Ok(found.iter().map(rows::worker_state).collect())
    }
}
