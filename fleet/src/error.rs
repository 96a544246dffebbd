//! Errors of a broker.

/// Why a call to a broker failed. Nothing was changed, except possibly if the error
/// [is passing](BrokerError::is_passing).
#[derive(Debug, thiserror::Error)]
pub enum BrokerError {
    /// There is no job with this name.
    #[error("there is no job '{0}'")]
    NoJob(String),
    /// A different job with this name exists.
    #[error("job '{id}' is there already, with another {field}")]
    OtherJob {
        /// The name of the job.
        id: String,
        /// The first field that differs.
        field: &'static str,
    },
    /// The chunks of a job do not contain each of its units once, in order.
    #[error("chunk {chunk} of job '{id}': found unit {found}, expected {expected}")]
    Units {
        /// The name of the job.
        id: String,
        /// The number of the chunk, from 0.
        chunk: u64,
        /// The key found, or `none`.
        found: String,
        /// The key expected, or `none`.
        expected: String,
    },
    /// A result is for a unit outside its lease.
    #[error("unit {key} is not in chunk {chunk} of job '{id}'")]
    NotLeased {
        /// The name of the job.
        id: String,
        /// The number of the chunk, from 0.
        chunk: u64,
        /// The key of the result.
        key: u64,
    },
    /// The worker is not registered.
    #[error("no worker '{0}' is known")]
    NoWorker(String),
    /// The worker is quarantined.
    #[error("worker '{worker}' was set aside: {reason}")]
    SetAside {
        /// The name of the worker.
        worker: String,
        /// The reason.
        reason: String,
    },
    /// The URL is missing or invalid.
    #[error("bad URL of a broker: {0}")]
    BadUrl(String),
    /// The broker cannot be reached, or cannot be used.
    #[error("no broker at {server}")]
    Connect {
        /// The server and database: `HOST:PORT/DATABASE`.
        server: String,
        /// The reason.
        #[source]
        reason: Box<BrokerError>,
    },
    /// The broker could not be reached; a retry may succeed.
    #[error("the broker cannot be reached")]
    Unreachable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The broker returned an error or an invalid answer; a retry will not help.
    #[error("the broker failed: {0}")]
    Failed(String),
}

impl BrokerError {
    /// Returns true if a retry may succeed: a server that is being restarted is worth waiting for.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Unreachable(_) => true,
            Self::Connect { reason, .. } => reason.is_passing(),
            _ => false,
        }
    }
}
