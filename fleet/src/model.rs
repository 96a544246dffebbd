//! The words that brokers, workers and those who give work share.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

/// What is to be done, and how its results are treated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// By which it is known everywhere: chosen by who puts it, so that putting it again is not a
    /// second job.
    pub id: String,
    /// Which work it is, and the version of its wording, such as `perft-count/1`: workers ask for
    /// the kinds they know.
    pub kind: String,
    /// What every worker must know, in words of the kind; nothing here reads it.
    pub body: String,
    /// How many units it has: their keys are 0 up to one less than this.
    pub units: u64,
    /// What is done with a second result for a unit.
    pub second: Second,
    /// Every so many chunks, the first of them included, one is given out twice, to two workers.
    pub again_every: Option<NonZeroU64>,
}

/// What is done with a second result for a unit: the first is always kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Second {
    /// It is compared: whoever counts comes to the same.
    Compare,
    /// It is passed over: no two games are alike.
    Ignore,
}

/// The smallest thing that has a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// Its number within the job.
    pub key: u64,
    /// What is to be done, in words of the job's kind; may be empty.
    pub body: String,
}

/// Units that are leased together: as many as make the way to the broker and back worth it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// In ascending order of their keys; never empty.
    pub units: Vec<Unit>,
}

/// Whether a job was there already when it was put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Put {
    /// It is there from now on, with all its chunks.
    New,
    /// It was there, the same in every field: nothing was changed.
    Known,
}

/// Who works.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worker {
    /// Its own among all workers of a broker.
    pub name: String,
    /// What is good to know of it, such as its machine and speed, in words of its program.
    pub about: String,
}

/// Work that is one worker's for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// By which the broker knows it; a chunk leased again has another.
    pub token: String,
    /// Who holds it.
    pub worker: String,
    /// Of which job.
    pub job: Job,
    /// The number of the chunk within the job.
    pub chunk: u64,
    /// What is to be done.
    pub units: Vec<Unit>,
    /// How often this chunk was given out, this time included.
    pub attempt: u32,
}

/// What a worker hears when it says that it is still at work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It goes on.
    Held,
    /// The job was stopped, for this reason: what is not finished is not wanted.
    Stopped(String),
    /// The time was over and the chunk is free or somebody else's.
    Lost,
}

/// What came out for a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitResult {
    /// Of the unit.
    pub key: u64,
    /// The result, in words of the job's kind. Two results are the same if this is, byte by byte.
    pub value: String,
}

/// What became of results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completed {
    /// How many were the first of their unit, and kept.
    pub taken: u64,
    /// How many were a second one and the same as the first, or not compared.
    pub second: u64,
    /// Those that differ from the first.
    pub alarms: Vec<Alarm>,
}

/// Two workers came to two results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alarm {
    /// Of which job.
    pub job: String,
    /// The key of the unit.
    pub unit: u64,
    /// Whose result is kept.
    pub first_worker: String,
    /// What is kept.
    pub first_value: String,
    /// Who came to something else.
    pub second_worker: String,
    /// What that was.
    pub second_value: String,
}

/// A result that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// Ascends from 1 in the order in which results of the broker were kept, with gaps.
    pub number: u64,
    /// Of the unit.
    pub key: u64,
    /// Who brought it.
    pub worker: String,
    /// The result.
    pub value: String,
}

/// How far a job is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How many units have a result.
    pub done: u64,
    /// How many units there are.
    pub units: u64,
    /// How many units have a second result that was compared.
    pub compared: u64,
    /// How many units are to have one.
    pub to_compare: u64,
    /// How many alarms were raised.
    pub alarms: u64,
    /// Why it was stopped, if it was.
    pub stopped: Option<String>,
}

impl Progress {
    /// Whether every unit has its result.
    pub fn is_complete(&self) -> bool {
        self.done == self.units
    }
}

/// A job as those see it who look after the broker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobState {
    /// What it is.
    pub job: Job,
    /// How far it is.
    pub progress: Progress,
    /// How many chunks are leased at this moment.
    pub leased: u64,
}

/// A worker as those see it who look after the broker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerState {
    /// Who it is.
    pub worker: Worker,
    /// How many units have their result from it.
    pub units: u64,
    /// How long it has not been heard of, in milliseconds.
    pub silent_ms: u64,
    /// Why it gets no more leases, if so.
    pub set_aside: Option<String>,
}
