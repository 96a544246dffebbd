//! Why a call of the queue failed.

use crate::store::LabDatabaseError;

/// Why a call of the queue failed.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
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
    /// A result is for a unit outside its lease, or the lease is not this worker's.
    #[error("not leased: {0}")]
    NotLeased(String),
    /// There is no worker with this name.
    #[error("no worker '{0}' is known")]
    NoWorker(String),
    /// The worker is quarantined.
    #[error("worker '{worker}' is quarantined: {reason}")]
    Quarantined {
        /// The name of the worker.
        worker: String,
        /// The reason.
        reason: String,
    },
    /// The system has no random numbers.
    #[error("no random numbers: {0}")]
    Random(String),
    /// The server is being shut down.
    #[error("the server is being shut down")]
    Ending,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] LabDatabaseError),
}

impl From<sqlx::Error> for WorkError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(LabDatabaseError::Database(error))
    }
}

impl WorkError {
    /// Returns true if a retry may succeed.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Ending => true,
            Self::Store(error) => error.is_passing(),
            _ => false,
        }
    }

    /// The same error for another request of the batch, if a retry may succeed.
    pub(super) fn again(&self) -> Option<Self> {
        let text = self.to_string();
        let passing = || sqlx::Error::Io(std::io::Error::other(text));
        self.is_passing().then(|| passing().into())
    }

    /// The answers to so many requests that failed together.
    pub(super) fn for_all<T>(self, requests: usize) -> Vec<Result<T, Self>> {
        let text = self.to_string();
        let more = |_| {
            let other = || sqlx::Error::Protocol(text.clone()).into();
            Err(self.again().unwrap_or_else(other))
        };
        let mut answers: Vec<Result<T, Self>> = (1..requests).map(more).collect();
        answers.push(Err(self));
        answers
    }
}
