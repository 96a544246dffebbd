//! The interface to shared work.

use std::time::Duration;

use crate::{
    Alarm, BrokerError, Chunk, Job, JobState, Lease, Progress, Put, Recorded, Standing, UnitResult,
    Worker, WorkerState,
};

/// Leases the chunks of jobs to workers, and accepts results.
///
/// Each call takes effect completely or not at all. A call that failed with an error that
/// [is passing](BrokerError::is_passing) may have taken effect; every call can safely be repeated.
pub trait Broker: Send + Sync {
    /// Registers a worker, or updates its description.
    ///
    /// # Errors
    /// The worker is quarantined.
    fn register(&self, worker: &Worker) -> Result<(), BrokerError>;

    /// Leases a chunk of a job of one of the kinds to a worker, for the time `visibility`; `None`
    /// if there is nothing for it now. A chunk that is leased twice goes to two different workers;
    /// the second lease is offered once the first is completed. A chunk that kills its workers flags
    /// its job: three workers fell silent while they had it, or five leases of fewer ended so. A
    /// worker whose lease expired, but which was heard since and was not started anew, did not fall
    /// silent.
    ///
    /// # Errors
    /// The worker is unknown or quarantined.
    fn lease(
        &self,
        worker: &str,
        kinds: &[&str],
        visibility: Duration,
    ) -> Result<Option<Lease>, BrokerError>;

    /// Renews a lease, which then lasts for the time `visibility` from now.
    ///
    /// # Errors
    /// Only failures of the broker itself.
    fn heartbeat(&self, lease: &Lease, visibility: Duration) -> Result<Standing, BrokerError>;

    /// Accepts results of a lease. The lease ends once all its units have results, else it
    /// continues. Results of a lost lease are treated like all others. A worker never learns
    /// whether a result was the first of its unit, or will be checked.
    ///
    /// # Errors
    /// A result is for a unit outside the lease; the worker is quarantined.
    fn complete(&self, lease: &Lease, results: &[UnitResult]) -> Result<(), BrokerError>;

    /// Returns an unfinished chunk, which others can lease at once. With a reason, this worker
    /// cannot do the job: it gets no more chunks of it, and a job that three workers cannot do is
    /// flagged with the last reason.
    ///
    /// # Errors
    /// Only failures of the broker itself.
    fn give_back(&self, lease: &Lease, inability: Option<&str>) -> Result<(), BrokerError>;
}

/// A broker that jobs are put into, and that shows what became of them: for tests of workers, and of what a lab stores.
pub trait Jobs: Broker {
    /// Adds a job with all its chunks, which contain its units in ascending order, each once.
    ///
    /// # Errors
    /// A different job with the same name exists; the chunks do not contain the units of the job.
    fn put(&self, job: &Job, chunks: &mut dyn Iterator<Item = Chunk>) -> Result<Put, BrokerError>;

    /// Stops a job before it is complete. If it was stopped before, the first reason stays.
    ///
    /// # Errors
    /// There is no such job.
    fn stop(&self, job: &str, reason: &str) -> Result<(), BrokerError>;

    /// Quarantines a worker: it gets no more leases, and its results are rejected for this reason.
    /// At least those of its results that nobody confirmed are done again by others.
    ///
    /// # Errors
    /// The worker is unknown.
    fn quarantine(&self, worker: &str, reason: &str) -> Result<(), BrokerError>;

    /// Discards the results of a worker for a job, whose units are then leased again. Returns the
    /// number of results discarded.
    ///
    /// # Errors
    /// There is no such job.
    fn discard(&self, job: &str, worker: &str) -> Result<u64, BrokerError>;

    /// The progress of a job.
    ///
    /// # Errors
    /// There is no such job.
    fn progress(&self, job: &str) -> Result<Progress, BrokerError>;

    /// At most `limit` results of a job, in the order in which they were recorded, starting after
    /// the one with the number `after`.
    ///
    /// # Errors
    /// There is no such job.
    fn results(&self, job: &str, after: u64, limit: u32) -> Result<Vec<Recorded>, BrokerError>;

    /// The alarms of a job, in the order in which they were raised.
    ///
    /// # Errors
    /// There is no such job.
    fn alarms(&self, job: &str) -> Result<Vec<Alarm>, BrokerError>;

    /// All jobs, in the order in which they were added. A body of more than 64 KiB may be left out, which
    /// is empty then.
    ///
    /// # Errors
    /// Only failures of the broker itself.
    fn jobs(&self) -> Result<Vec<JobState>, BrokerError>;

    /// All workers, ordered by name.
    ///
    /// # Errors
    /// Only failures of the broker itself.
    fn workers(&self) -> Result<Vec<WorkerState>, BrokerError>;
}
