//! What a server refuses, and what goes wrong on the way to it.

use std::error::Error as _;
use std::time::Duration;

use tokio_postgres::error::{DbError, SqlState};

use crate::{BrokerError, Lease};

/// Why a call failed, before it is known of what it spoke.
#[derive(Debug)]
pub(crate) enum Fault {
    NoJob,
    NoWorker,
    SetAside(String),
    NotLeased(u64),
    OtherJob(&'static str),
    /// A role that may do more than work.
    MoreThanWorker,
    /// What is not there: the schema, or a right to it.
    NotInstalled,
    Broken(BrokerError),
}

impl Fault {
    pub(super) fn late(deadline: Duration) -> Self {
        let text = format!("no answer within {} s", deadline.as_secs());
        Self::Broken(BrokerError::Unreachable(text.into()))
    }

    /// Whether the connection may be used again.
    pub(super) fn spares_connection(&self) -> bool {
        !matches!(self, Self::Broken(_))
    }

    /// Of a call that speaks of a job.
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

    /// Of a call that speaks of a worker.
    pub(super) fn of_worker(self, worker: &str) -> BrokerError {
        let worker = worker.to_owned();
        match self {
            Self::NoWorker => BrokerError::NoWorker(worker),
            Self::SetAside(reason) => BrokerError::SetAside { worker, reason },
            other => other.into_plain(),
        }
    }

    /// Of a call that speaks of a lease.
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

    /// Of a call that speaks of a role for workers.
    #[cfg(feature = "install")]
    pub(crate) fn of_role(self, role: &str) -> BrokerError {
        match self {
            Self::MoreThanWorker => BrokerError::Failed(format!(
                "role '{role}' may do more than work: it is a superuser or has the rights of the owner"
            )),
            other => other.into_plain(),
        }
    }

    /// Of a call that speaks of nothing.
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

/// What our functions refuse; else whether the server may do it later.
fn refused(refusal: &DbError) -> Result<Fault, bool> {
    let detail = refusal.detail().unwrap_or_default();
    let code = refusal.code();
    Ok(match code.code() {
        "TS001" => Fault::NoJob,
        "TS002" => Fault::NoWorker,
        "TS003" => Fault::SetAside(detail.to_owned()),
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

/// In the words of the broker within one program.
fn field(column: &str) -> &'static str {
    match column {
        "kind" => "kind",
        "body" => "body",
        "units" => "number of units",
        "second" => "treatment of second results",
        _ => "share done twice",
    }
}

/// Whether the server is likely to do the same later: it starts, ends, is full, was overtaken.
fn is_passing(code: &SqlState) -> bool {
    // Classes of appendix A of the manual: connection, transaction, resources, intervention, system.
    let passing = ["08", "25", "40", "53", "55", "57", "58"];
    passing.iter().any(|class| code.code().starts_with(class))
}

/// Whether no connection comes about however often one asks: the server is not the one that it is to
/// be, speaks no TLS, wants a password.
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
