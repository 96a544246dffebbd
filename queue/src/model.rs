//! The types shared by brokers, workers and coordinators, and why a call is rejected.

use std::num::NonZeroU64;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A job: its units, and how their results are treated.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The unique name, chosen by the coordinator, so that adding the job again does not create a
    /// second one.
    pub id: String,
    /// The kind of work with its protocol version, such as `perft-count/1`; workers request the
    /// kinds they know.
    pub kind: String,
    /// The job description for all workers, in the format of the kind; opaque to the broker.
    pub body: String,
    /// Number of units; their keys are 0 to `units - 1`.
    pub units: u64,
    /// How a second result for a unit is treated.
    pub second: Second,
    /// At least one of so many chunks is done by two workers; the broker may have more done twice.
    #[cfg_attr(feature = "schema", schema(value_type = Option<u64>, minimum = 1))]
    pub again_every: Option<NonZeroU64>,
}

/// How a second result for a unit is treated; the first is always kept.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Second {
    /// Compare it with the first: the work is deterministic.
    Compare,
    /// Ignore it: no two games are alike.
    Ignore,
}

/// The smallest piece of work that has a result.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// The number of the unit within the job.
    pub key: u64,
    /// The work, in the format of the job's kind; may be empty.
    pub body: String,
}

/// Units that are leased together, enough to outweigh the cost of a round trip to the broker.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// The units, in ascending order of their keys; never empty.
    pub units: Vec<Unit>,
}

/// Whether a job was already known when it was added.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Put {
    /// The job has been added with all its chunks.
    New,
    /// The same job was already there; nothing was changed.
    Known,
}

/// A registered worker.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worker {
    /// The unique name of the worker.
    pub name: String,
    /// A description, such as machine and speed, in the format of the worker's program.
    pub about: String,
}

/// A chunk of work that belongs to one worker for a limited time.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// The unique token of the lease; a chunk leased again gets a new one.
    pub token: String,
    /// The name of the worker.
    pub worker: String,
    /// The job.
    pub job: Job,
    /// The number of the chunk within the job.
    pub chunk: u64,
    /// The units of the chunk.
    pub units: Vec<Unit>,
    /// How often this chunk has been leased, this time included.
    pub attempt: u32,
}

/// The status of a lease, returned to a heartbeat.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// The lease continues.
    Held,
    /// The job was stopped for this reason: unfinished units are no longer needed.
    Stopped(String),
    /// The lease expired; the chunk is free or leased to another worker.
    Lost,
}

/// The result of a unit.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitResult {
    /// The key of the unit.
    pub key: u64,
    /// The result, in the format of the job's kind. Results are compared byte by byte.
    pub value: String,
}

/// A difference between the results of two workers.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alarm {
    /// The name of the job.
    pub job: String,
    /// The key of the unit.
    pub unit: u64,
    /// The worker whose result is kept.
    pub first_worker: String,
    /// The result that is kept.
    pub first_value: String,
    /// The worker whose result differs.
    pub second_worker: String,
    /// The result that differs.
    pub second_value: String,
}

/// A recorded result.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// Increases from 1 in the order in which the broker records results, with gaps.
    pub number: u64,
    /// The key of the unit.
    pub key: u64,
    /// The worker that delivered it.
    pub worker: String,
    /// The result.
    pub value: String,
}

/// The progress of a job.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Number of units with a result.
    pub done: u64,
    /// Number of units.
    pub units: u64,
    /// Number of units with a second result that was compared.
    pub compared: u64,
    /// Number of units that are to be compared.
    pub to_compare: u64,
    /// Number of alarms.
    pub alarms: u64,
    /// Why workers cannot do the job, if three could not or fell silent: nobody gets chunks of it any
    /// more.
    pub flagged: Option<String>,
    /// The reason why the job was stopped, if it was.
    pub stopped: Option<String>,
}

impl Progress {
    /// Returns true if every unit has a result.
    pub fn is_complete(&self) -> bool {
        self.done == self.units
    }
}

/// The status of a job, for administrators.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobState {
    /// The job.
    pub job: Job,
    /// Its progress.
    pub progress: Progress,
    /// Number of chunks currently leased.
    pub leased: u64,
}

/// The status of a worker, for administrators.
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerState {
    /// The worker.
    pub worker: Worker,
    /// Number of units whose recorded result it delivered.
    pub units: u64,
    /// Time since its last call, in milliseconds.
    pub silent_ms: u64,
    /// The reason for its quarantine, if any.
    pub quarantined: Option<String>,
}

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
        field: String,
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
    #[error("worker '{worker}' is quarantined: {reason}")]
    Quarantined {
        /// The name of the worker.
        worker: String,
        /// The reason.
        reason: String,
    },
    /// The URL is missing or invalid.
    #[error("bad URL of a broker: {0}")]
    BadUrl(String),
    /// The token is missing, revoked, or may not do this.
    #[error("not permitted: {0}")]
    Denied(String),
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
            // A wrong password does not become right by waiting, a server that starts does.
            Self::Connect { reason, .. } => reason.is_passing(),
            _ => false,
        }
    }
}

/// Checks the chunks of a job, one after the other.
#[derive(Debug)]
pub struct Units<'a> {
    job: &'a Job,
    /// The next key expected.
    next: u64,
    chunks: u64,
}

impl<'a> Units<'a> {
    /// Nothing has been checked yet.
    pub fn from_job(job: &'a Job) -> Self {
        let (next, chunks) = (0, 0);
        Self { job, next, chunks }
    }

    /// Chunks up to, but without, the unit `next` have been checked; `chunks` is their number.
    pub fn resumed(job: &'a Job, next: u64, chunks: u64) -> Self {
        Self { job, next, chunks }
    }

    /// The keys of the next chunk.
    ///
    /// # Errors
    /// A unit is missing, comes twice or out of order.
    pub fn follow(&mut self, chunk: &Chunk) -> Result<Range<u64>, BrokerError> {
        if chunk.units.is_empty() {
            return Err(self.wrong(None));
        }
        let first = self.next;
        for unit in &chunk.units {
            // The second check stops an endless list of chunks.
            if unit.key != self.next || unit.key >= self.job.units {
                return Err(self.wrong(Some(unit.key)));
            }
            self.next += 1;
        }
        self.chunks += 1;
        Ok(first..self.next)
    }

    /// Checks that no units are missing at the end.
    ///
    /// # Errors
    /// Units are missing.
    pub fn end(&self) -> Result<(), BrokerError> {
        if self.next == self.job.units {
            return Ok(());
        }
        Err(self.wrong(None))
    }

    fn wrong(&self, found: Option<u64>) -> BrokerError {
        let text = |key: Option<u64>| key.map_or("none".into(), |key| key.to_string());
        let expected = Some(self.next).filter(|next| *next < self.job.units);
        BrokerError::Units {
            id: self.job.id.clone(),
            chunk: self.chunks,
            found: text(found),
            expected: text(expected),
        }
    }
}

/// Returns true if the chunk with this number is leased twice.
pub fn is_done_twice(job: &Job, chunk: u64) -> bool {
    job.again_every
        .is_some_and(|every| chunk.is_multiple_of(every.get()))
}

/// Differences that nobody has decided. One is decided once a worker is quarantined for it, whose
/// unconfirmed results the broker has done again.
pub fn undecided(alarms: &[Alarm], known: &[WorkerState]) -> Vec<Alarm> {
    let is_quarantined = |name: &str| {
        let mut quarantined = known.iter().filter(|state| state.quarantined.is_some());
        quarantined.any(|state| state.worker.name == name)
    };
    let is_open = |alarm: &&Alarm| {
        !is_quarantined(&alarm.first_worker) && !is_quarantined(&alarm.second_worker)
    };
    alarms.iter().filter(is_open).cloned().collect()
}
