//! A faulty broker.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use queue::{
    Alarm, Broker, BrokerError, Chunk, InProcess, Job, JobState, Jobs, Lease, Progress, Put,
    Recorded, Standing, UnitResult, Worker, WorkerState,
};

/// A broker that loses calls, and whose answers to heartbeats can be replaced.
pub(super) struct FaultyBroker<'a> {
    pub(super) inner: InProcess,
    /// Period of lost calls: one is not made, and the next one loses its answer; 0 for never.
    pub(super) fails_every: usize,
    /// Called with the number of the heartbeat, from 1.
    pub(super) on_heartbeat: &'a (dyn Fn(usize, &InProcess) -> Option<Standing> + Sync),
    calls: AtomicUsize,
    heartbeats: AtomicUsize,
}

impl<'a> FaultyBroker<'a> {
    pub(super) fn new(
        fails_every: usize,
        on_heartbeat: &'a (dyn Fn(usize, &InProcess) -> Option<Standing> + Sync),
    ) -> Self {
        Self {
            inner: InProcess::new(),
            fails_every,
            on_heartbeat,
            calls: AtomicUsize::new(0),
            heartbeats: AtomicUsize::new(0),
        }
    }

    /// How long a lease really lasts. A chunk leased without an answer is soon free again; where every answer
    /// comes, no lease ends before its heartbeat, however busy the machine is.
    fn visibility(&self) -> Duration {
        match self.fails_every {
            0 => Duration::from_mins(5),
            _ => Duration::from_millis(100),
        }
    }

    fn pass<T>(&self, call: impl FnOnce() -> Result<T, BrokerError>) -> Result<T, BrokerError> {
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let lost = || Err(BrokerError::Unreachable("a broken pipe".into()));
        match number.checked_rem(self.fails_every) {
            Some(0) => lost(),
            Some(1) => call().and_then(|_| lost()),
            _ => call(),
        }
    }
}

impl Broker for FaultyBroker<'_> {
    fn register(&self, worker: &Worker) -> Result<(), BrokerError> {
        self.pass(|| self.inner.register(worker))
    }

    fn lease(
        &self,
        worker: &str,
        kinds: &[&str],
        _: Duration,
    ) -> Result<Option<Lease>, BrokerError> {
        self.pass(|| self.inner.lease(worker, kinds, self.visibility()))
    }

    fn heartbeat(&self, lease: &Lease, _: Duration) -> Result<Standing, BrokerError> {
        let number = self.heartbeats.fetch_add(1, Ordering::Relaxed) + 1;
        let standing = (self.on_heartbeat)(number, &self.inner);
        let standing = standing.map_or_else(|| self.inner.heartbeat(lease, self.visibility()), Ok);
        self.pass(|| standing)
    }

    fn complete(&self, lease: &Lease, results: &[UnitResult]) -> Result<(), BrokerError> {
        self.pass(|| self.inner.complete(lease, results))
    }

    fn give_back(&self, lease: &Lease, inability: Option<&str>) -> Result<(), BrokerError> {
        self.inner.give_back(lease, inability)
    }
}

impl Jobs for FaultyBroker<'_> {
    fn put(&self, job: &Job, chunks: &mut dyn Iterator<Item = Chunk>) -> Result<Put, BrokerError> {
        self.inner.put(job, chunks)
    }

    fn stop(&self, job: &str, reason: &str) -> Result<(), BrokerError> {
        self.pass(|| self.inner.stop(job, reason))
    }

    fn quarantine(&self, worker: &str, reason: &str) -> Result<(), BrokerError> {
        self.inner.quarantine(worker, reason)
    }

    fn discard(&self, job: &str, worker: &str) -> Result<u64, BrokerError> {
        self.inner.discard(job, worker)
    }

    fn progress(&self, job: &str) -> Result<Progress, BrokerError> {
        self.pass(|| self.inner.progress(job))
    }

    fn results(&self, job: &str, after: u64, limit: u32) -> Result<Vec<Recorded>, BrokerError> {
        self.pass(|| self.inner.results(job, after, limit))
    }

    fn alarms(&self, job: &str) -> Result<Vec<Alarm>, BrokerError> {
        self.pass(|| self.inner.alarms(job))
    }

    fn jobs(&self) -> Result<Vec<JobState>, BrokerError> {
        self.pass(|| self.inner.jobs())
    }

    fn workers(&self) -> Result<Vec<WorkerState>, BrokerError> {
        self.pass(|| self.inner.workers())
    }
}
