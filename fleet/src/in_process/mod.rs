//! The broker within one process: no server, and nothing outlives it.

mod record;
mod shelf;
mod state;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::{
    Alarm, Broker, BrokerError, Chunk, Completed, Job, JobState, Lease, Progress, Put, Recorded,
    Standing, UnitResult, Worker, WorkerState,
};
use state::State;

/// A broker for workers that are threads of this process.
#[derive(Debug)]
pub struct InProcess {
    start: Instant,
    state: Mutex<State>,
}

impl InProcess {
    /// A broker without jobs.
    #[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
    pub fn new() -> Self {
        Self {
            start: Instant::now(),
            state: Mutex::new(State::default()),
        }
    }

    /// Every call changes the state completely or not at all, so a poisoned lock can be ignored.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }
}

impl Default for InProcess {
    fn default() -> Self {
        Self::new()
    }
}

impl Broker for InProcess {
    fn put(&self, job: &Job, chunks: &mut dyn Iterator<Item = Chunk>) -> Result<Put, BrokerError> {
        // Checked without holding the lock: producing the chunks may take long, or use this very
        // broker.
        let known = self.state().known(job)?;
        if known {
            return Ok(Put::Known);
        }
        let chunks = shelf::checked(job, chunks)?;
        self.state().put(job, chunks)
    }

    fn enlist(&self, worker: &Worker) -> Result<(), BrokerError> {
        self.state().enlist(worker, self.now())
    }

    fn lease(
        &self,
        worker: &str,
        kinds: &[&str],
        visibility: Duration,
    ) -> Result<Option<Lease>, BrokerError> {
        self.state().lease(worker, kinds, self.now(), visibility)
    }

    fn heartbeat(&self, lease: &Lease, visibility: Duration) -> Result<Standing, BrokerError> {
        Ok(self.state().heartbeat(lease, self.now(), visibility))
    }

    fn complete(&self, lease: &Lease, results: &[UnitResult]) -> Result<Completed, BrokerError> {
        self.state().complete(lease, results, self.now())
    }

    fn give_back(&self, lease: &Lease) -> Result<(), BrokerError> {
        self.state().give_back(lease);
        Ok(())
    }

    fn stop(&self, job: &str, reason: &str) -> Result<(), BrokerError> {
        self.state().stop(job, reason)
    }

    fn set_aside(&self, worker: &str, reason: &str) -> Result<(), BrokerError> {
        self.state().set_aside(worker, reason)
    }

    fn forget(&self, job: &str, worker: &str) -> Result<u64, BrokerError> {
        self.state().forget(job, worker)
    }

    fn progress(&self, job: &str) -> Result<Progress, BrokerError> {
        self.state().progress(job)
    }

    fn results(&self, job: &str, after: u64, limit: u32) -> Result<Vec<Recorded>, BrokerError> {
        self.state().results(job, after, limit)
    }

    fn alarms(&self, job: &str) -> Result<Vec<Alarm>, BrokerError> {
        self.state().alarms(job)
    }

    fn jobs(&self) -> Result<Vec<JobState>, BrokerError> {
        Ok(self.state().jobs(self.now()))
    }

    fn workers(&self) -> Result<Vec<WorkerState>, BrokerError> {
        Ok(self.state().workers(self.now()))
    }
}
