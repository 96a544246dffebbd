//! Errors of a server, and of the connection to it.

use std::error::Error as _;
use std::time::Duration;

use tokio_postgres::error::{DbError, SqlState};

use crate::{BrokerError, Lease};

/// Why a call failed, before its subject is filled in.
#[derive(Debug)]
pub(crate) enum Fault {
    NoJob,
    NoWorker,
    Quarantined(String),
    NotLeased(u64),
    OtherJob(&'static str),
    /// A role that has more rights than a worker.
    MoreThanWorker,
    /// The schema is missing, or a right to use it.
    NotInstalled,
    Broken(BrokerError),
}

impl Fault {
    pub(super) fn late(deadline: Duration) -> Self {
        let text = format!("no answer within {} s", deadline.as_secs());
        Self::Broken(BrokerError::Unreachable(text.into()))
    }

    /// Returns true if the connection can be reused.
    pub(super) fn spares_connection(&self) -> bool {
        !matches!(self, Self::Broken(_))
    }

    /// The error of a call about a job.
    pub(super) fn of_job(self, job: &str) -> BrokerError {
        match self {
            Self::NoJob => BrokerError::NoJob(job.to_owned()),
            Self::OtherJob(field) => BrokerError::OtherJob {
                id: job.to_owned(),
                field,
            },
            other => other.into_plain(),
        }
    }

    /// The error of a call about a worker.
    pub(super) fn of_worker(self, worker: &str) -> BrokerError {
        let worker = worker.to_owned();
        match self {
            Self::NoWorker => BrokerError::NoWorker(worker),
            Self::Quarantined(reason) => BrokerError::Quarantined { worker, reason },
            other => other.into_plain(),
        }
    }

    /// The error of a call about a lease.
    pub(super) fn of_lease(self, lease: &Lease) -> BrokerError {
        match self {
            Self::NoJob => self.of_job(&lease.job.id),
            Self::NotLeased(key) => BrokerError::NotLeased {
                id: lease.job.id.clone(),
                chunk: lease.chunk,
                key,
            },
            other => other.of_worker(&lease.worker),
        }
    }

    /// The error of a call about a role for workers.
    #[cfg(feature = "install")]
    pub(crate) fn of_role(self, role: &str) -> BrokerError {
        match self {
            Self::MoreThanWorker => BrokerError::Failed(format!(
                "role '{role}' may do more than work: it is a superuser or has the rights of the owner"
            )),
            other => other.into_plain(),
        }
    }

    /// The error of a call without a subject.
    pub(crate) fn into_plain(self) -> BrokerError {
        match self {
            Self::Broken(error) => error,
            Self::NotInstalled => BrokerError::Failed(
                "its schema is not there or not this role's: run `fleet up URL` first".into(),
            ),
            other => BrokerError::Failed(format!("unexpected refusal: {other:?}")),
        }
    }
}

impl From<tokio_postgres::Error> for Fault {
    fn from(error: tokio_postgres::Error) -> Self {
        let is_passing = match error.as_db_error().map(refused) {
            Some(Ok(fault)) => return fault,
            Some(Err(is_passing)) => is_passing,
            None => !is_for_ever(&error),
        };
        Self::Broken(broken(error, is_passing))
    }
}

fn broken(error: tokio_postgres::Error, is_passing: bool) -> BrokerError {
    if is_passing {
        return BrokerError::Unreachable(Box::new(error));
    }
    let mut text = error.as_db_error().map_or_else(
        || error.to_string(),
        |refusal| format!("{} ({})", refusal.message(), refusal.code().code()),
    );
    if error.as_db_error().is_none()
        && let Some(cause) = error.source()
    {
        text = format!("{text}: {cause}");
    }
    BrokerError::Failed(text)
}

/// The fault raised by our SQL functions; otherwise whether the error is temporary.
fn refused(refusal: &DbError) -> Result<Fault, bool> {
    let detail = refusal.detail().unwrap_or_default();
    let code = refusal.code();
    Ok(match code.code() {
        "TS001" => Fault::NoJob,
        "TS002" => Fault::NoWorker,
        "TS003" => Fault::Quarantined(detail.to_owned()),
        "TS004" => Fault::NotLeased(detail.parse().unwrap_or_default()),
        "TS005" => Fault::OtherJob(field(detail)),
        "TS006" => Fault::MoreThanWorker,
        _ if *code == SqlState::INVALID_SCHEMA_NAME
            || *code == SqlState::UNDEFINED_FUNCTION
            || *code == SqlState::UNDEFINED_TABLE =>
        {
            Fault::NotInstalled
        }
        _ => return Err(is_passing(code)),
    })
}

/// The name of the field in errors of the in-process broker.
fn field(column: &str) -> &'static str {
    match column {
        "kind" => "kind",
        "body" => "body",
        "units" => "number of units",
        "second" => "treatment of second results",
        _ => "share done twice",
    }
}

/// Returns true for temporary errors: the server is starting, stopping or full, or the transaction
/// lost a conflict.
fn is_passing(code: &SqlState) -> bool {
    // Classes of appendix A of the manual: connection, transaction, resources, intervention,
    // system.
    let passing = ["08", "25", "40", "53", "55", "57", "58"];
    passing.iter().any(|class| code.code().starts_with(class))
}

/// Returns true if reconnecting cannot help: the server fails verification, has no TLS, or wants a
/// password.
fn is_for_ever(error: &tokio_postgres::Error) -> bool {
    let Some(cause) = error.source() else {
        return false;
    };
    let Some(cause) = cause.downcast_ref::<std::io::Error>() else {
        return !error.is_closed();
    };
    let inner = cause.get_ref();
    inner.is_some_and(<dyn std::error::Error + Send + Sync>::is::<rustls::Error>)
}
