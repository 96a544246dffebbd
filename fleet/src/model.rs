//! The types shared by brokers, workers and coordinators.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

/// A job: its units, and how their results are treated.
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
    /// Every so many chunks, starting with the first, one is leased to two workers.
    pub again_every: Option<NonZeroU64>,
}

/// How a second result for a unit is treated; the first is always kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Second {
    /// Compare it with the first: the work is deterministic.
    Compare,
    /// Ignore it: no two games are alike.
    Ignore,
}

/// The smallest piece of work that has a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// The number of the unit within the job.
    pub key: u64,
    /// The work, in the format of the job's kind; may be empty.
    pub body: String,
}

/// Units that are leased together, enough to outweigh the cost of a round trip to the broker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// The units, in ascending order of their keys; never empty.
    pub units: Vec<Unit>,
}

/// Whether a job was already known when it was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Put {
    /// The job has been added with all its chunks.
    New,
    /// The same job was already there; nothing was changed.
    Known,
}

/// A registered worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worker {
    /// The unique name of the worker.
    pub name: String,
    /// A description, such as machine and speed, in the format of the worker's program.
    pub about: String,
}

/// A chunk of work that belongs to one worker for a limited time.
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The lease continues.
    Held,
    /// The job was stopped for this reason: unfinished units are no longer needed.
    Stopped(String),
    /// The lease expired; the chunk is free or leased to another worker.
    Lost,
}

/// The result of a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitResult {
    /// The key of the unit.
    pub key: u64,
    /// The result, in the format of the job's kind. Results are compared byte by byte.
    pub value: String,
}

/// What happened to delivered results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completed {
    /// Number of first results of a unit, which were kept.
    pub taken: u64,
    /// Number of second results that equal the first or were not compared.
    pub second: u64,
    /// Alarms for those that differ from the first.
    pub alarms: Vec<Alarm>,
}

/// A difference between the results of two workers.
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
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobState {
    /// The job.
    pub job: Job,
    /// Its progress.
    pub progress: Progress,
    /// Number of chunks currently leased.
    pub leased: u64,
}

/// The status of a worker, for administrators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerState {
    /// The worker.
    pub worker: Worker,
    /// Number of units whose recorded result it delivered.
    pub units: u64,
    /// Time since its last call, in milliseconds.
    pub silent_ms: u64,
    /// The reason for its quarantine, if any.
    pub set_aside: Option<String>,
}
