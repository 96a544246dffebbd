//! The one door to work that is shared.

use std::time::Duration;

use crate::{
    Alarm, BrokerError, Chunk, Completed, Job, JobState, Lease, Progress, Put, Recorded, Standing,
    UnitResult, Worker, WorkerState,
};

/// Keeps jobs, hands out their chunks, takes results. Shared by all who work and who give work.
///
/// Each call is done whole or not at all. A call that failed with an error that
/// [is passing](BrokerError::is_passing) may have been done: every one may be made again.
pub trait Broker: Send + Sync {
    /// Adds a job with all its chunks, which hold its units in ascending order, each once.
    ///
    /// # Errors
    /// Another job of its name is there; the chunks do not hold its units.
    fn put(&self, job: &Job, chunks: &mut dyn Iterator<Item = Chunk>) -> Result<Put, BrokerError>;

    /// Makes a worker known, or what is to be known of it.
    ///
    /// # Errors
    /// It was set aside.
    fn enlist(&self, worker: &Worker) -> Result<(), BrokerError>;

    /// Gives a worker a chunk of a job of one of the kinds, for so long; `None` if there is nothing
    /// for it now. Of a chunk that is given out twice no worker gets both; the second time is offered
    /// once the first is done.
    ///
    /// # Errors
    /// The worker is not known, or was set aside.
    fn lease(
        &self,
        worker: &str,
        kinds: &[&str],
        visibility: Duration,
    ) -> Result<Option<Lease>, BrokerError>;

    /// Says that a worker is still at work: from now on it has so long.
    ///
    /// # Errors
    /// Only what concerns the broker itself.
    fn heartbeat(&self, lease: &Lease, visibility: Duration) -> Result<Standing, BrokerError>;

    /// Takes the results of a lease. If they are those of all its units, it is over; else it goes on.
    /// Results of a lease that was lost are taken like all others.
    ///
    /// # Errors
    /// A result is for a unit that the lease does not hold; the worker was set aside.
    fn complete(&self, lease: &Lease, results: &[UnitResult]) -> Result<Completed, BrokerError>;

    /// Gives a chunk back unfinished, for others to take at once.
    ///
    /// # Errors
    /// Only what concerns the broker itself.
    fn give_back(&self, lease: &Lease) -> Result<(), BrokerError>;

    /// Ends a job before its time. Of one that was stopped, the first reason stays.
    ///
    /// # Errors
    /// There is no such job.
    fn stop(&self, job: &str, reason: &str) -> Result<(), BrokerError>;

    /// Gives a worker no more leases and takes no more results from it, for this reason.
    ///
    /// # Errors
    /// The worker is not known.
    fn set_aside(&self, worker: &str, reason: &str) -> Result<(), BrokerError>;

    /// Drops the results of a worker for a job, whose units are then to be done anew; how many.
    ///
    /// # Errors
    /// There is no such job.
    fn forget(&self, job: &str, worker: &str) -> Result<u64, BrokerError>;

    /// How far a job is.
    ///
    /// # Errors
    /// There is no such job.
    fn progress(&self, job: &str) -> Result<Progress, BrokerError>;

    /// Results of a job that were kept after the one of this number, in this order, at most so many.
    ///
    /// # Errors
    /// There is no such job.
    fn results(&self, job: &str, after: u64, limit: u32) -> Result<Vec<Recorded>, BrokerError>;

    /// The alarms of a job, in the order in which they were raised.
    ///
    /// # Errors
    /// There is no such job.
    fn alarms(&self, job: &str) -> Result<Vec<Alarm>, BrokerError>;

    /// All jobs, the first put first.
    ///
    /// # Errors
    /// Only what concerns the broker itself.
    fn jobs(&self) -> Result<Vec<JobState>, BrokerError>;

    /// All workers, by their names.
    ///
    /// # Errors
    /// Only what concerns the broker itself.
    fn workers(&self) -> Result<Vec<WorkerState>, BrokerError>;
}
