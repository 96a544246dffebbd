//! Why a broker did not do what was asked.

/// Why a broker did not do what was asked. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum BrokerError {
    /// It has no job of this name.
    #[error("there is no job '{0}'")]
    NoJob(String),
    /// A job of this name is there, and is another.
    #[error("job '{id}' is there already, with another {field}")]
    OtherJob {
        /// Its name.
        id: String,
        /// Where they differ.
        field: &'static str,
    },
    /// The chunks of a job do not hold each of its units once, in order.
    #[error("chunk {chunk} of job '{id}': found unit {found}, expected {expected}")]
    Units {
        /// Of which job.
        id: String,
        /// Which chunk, counted from 0.
        chunk: u64,
        /// The key that stands there, or `none`.
        found: String,
        /// The key that is to stand there, or `none`.
        expected: String,
    },
    /// A result is for a unit that its lease does not hold.
    #[error("unit {key} is not in chunk {chunk} of job '{id}'")]
    NotLeased {
        /// Of which job.
        id: String,
        /// Which chunk, counted from 0.
        chunk: u64,
        /// The key of the result.
        key: u64,
    },
    /// A worker that never said who it is.
    #[error("no worker '{0}' is known")]
    NoWorker(String),
    /// A worker that gets no more leases.
    #[error("worker '{worker}' was set aside: {reason}")]
    SetAside {
        /// Which one.
        worker: String,
        /// Why.
        reason: String,
    },
    /// It is not known where the broker is.
    #[error("bad URL of a broker: {0}")]
    BadUrl(String),
    /// There is no way to the broker, or it is of no use.
    #[error("no broker at {server}")]
    Connect {
        /// Which server and database: `HOST:PORT/DATABASE`.
        server: String,
        /// Why not.
        #[source]
        reason: Box<BrokerError>,
    },
    /// The broker could not be asked; asking again later may help.
    #[error("the broker cannot be reached")]
    Unreachable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The broker answered what it should not; asking again will not help.
    #[error("the broker failed: {0}")]
    Failed(String),
}

impl BrokerError {
    /// Whether the same may succeed later: a server that is restarted is worth waiting for.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Unreachable(_) => true,
            Self::Connect { reason, .. } => reason.is_passing(),
            _ => false,
        }
    }
}
