//! A worker's loop: lease, count, submit; until it has been idle too long or an interrupt comes.

use std::fmt::Display;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use chess::perft::Counter;
use kit::output::{grouped, rate};
use queue::{AskError, Broker, Cancellation, HeldLease, Lease, RetryPolicy, UnitResult, Worker};

use super::chunk::{Cancelled, LeasedChunk, ReadChunkError};
use super::job::{JobKind, UnitCount};
use super::now;

/// Time limits of a worker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// How long a chunk stays reserved after this worker falls silent.
    pub(crate) visibility: Duration,
    /// How long to wait when there is no work.
    pub(crate) poll: Duration,
    /// Idle time after which the worker exits; `None` for never.
    pub(crate) idle_exit: Option<Duration>,
}

pub(crate) struct Workplace<'a> {
    pub(crate) broker: &'a dyn Broker,
    pub(crate) worker: &'a Worker,
    pub(crate) counter: Counter<'a>,
    pub(crate) pool: &'a rayon::ThreadPool,
    pub(crate) pace: Pace,
    pub(crate) retry: RetryPolicy<'a>,
}

/// The result of a worker's run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shift {
    pub(crate) chunks: u64,
    pub(crate) interrupted: bool,
}

/// Why a worker cannot continue.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WorkError {
    #[error(transparent)]
    Ask(#[from] AskError),
    #[error("job '{job}' cannot be read by this version")]
    Read { job: String, source: ReadChunkError },
}

impl Workplace<'_> {
    /// Works until idle for too long, or until an interrupt comes.
    pub(crate) fn work(&self) -> Result<Shift, WorkError> {
        let mut shift = Shift::default();
        match self.serve(&mut shift) {
            Err(WorkError::Ask(AskError::Interrupted)) => shift.interrupted = true,
            served => served?,
        }
        Ok(shift)
    }

    fn serve(&self, shift: &mut Shift) -> Result<(), WorkError> {
        self.retry.ask(|| self.broker.register(self.worker))?;
        let mut idle_since = now();
        loop {
            self.retry.rest(Duration::ZERO)?;
            let (name, visibility) = (&self.worker.name, self.pace.visibility);
            let lease = || self.broker.lease(name, &JobKind::NAMES, visibility);
            if let Some(lease) = self.retry.ask(lease)? {
                shift.chunks += u64::from(self.count_chunk(&lease)?);
                idle_since = now();
                continue;
            }
            let most = self.pace.idle_exit;
            if most.is_some_and(|most| idle_since.elapsed() >= most) {
                return Ok(());
            }
            self.retry.rest(self.pace.poll)?;
        }
    }

    /// Counts a chunk and submits the results; returns whether it did.
    fn count_chunk(&self, lease: &Lease) -> Result<bool, WorkError> {
        let chunk = LeasedChunk::read(lease).map_err(|source| {
            self.give_back(lease);
            let job = lease.job.id.clone();
            WorkError::Read { job, source }
        })?;
        let stop = AtomicBool::new(false);
        let held = HeldLease {
            broker: self.broker,
            lease,
            visibility: self.pace.visibility,
            interrupt: self.retry.interrupt,
        };
        let start = now();
        let count = || self.pool.install(|| chunk.count(self.counter, &stop));
        let counts = match held.during(&stop, count) {
            (_, Some(Cancellation::Stopped(reason))) => {
                self.report(lease, format!("dropped, stopped: {reason}"));
                return Ok(false);
            }
            (_, Some(Cancellation::Failed(error))) => return Err(AskError::from(error).into()),
            (Ok(counts), _) => counts,
            (Err(Cancelled), Some(Cancellation::Lost)) => {
                self.report(lease, "dropped, the lease was lost");
                return Ok(false);
            }
            (Err(Cancelled), _) => {
                self.give_back(lease);
                return Err(AskError::Interrupted.into());
            }
        };
        let seconds = start.elapsed().as_secs_f64();
        let result = |(key, count): &(u64, UnitCount)| UnitResult {
            key: *key,
            value: count.to_string(),
        };
        let results: Vec<_> = counts.iter().map(result).collect();
        self.retry.ask(|| self.broker.complete(lease, &results))?;
        let nodes: u128 = counts
            .iter()
            .filter_map(|(_, count)| count.nodes())
            .map(u128::from)
            .sum();
        let (units, number) = (grouped(counts.len() as u64), grouped(nodes));
        let rate = rate(nodes, seconds);
        self.report(
            lease,
            format!("{units} units, {number} nodes in {seconds:.2} s, {rate}"),
        );
        Ok(true)
    }

    /// Releases the chunk at once. If that fails, others get it when the lease expires.
    fn give_back(&self, lease: &Lease) {
        match self.broker.give_back(lease, None) {
            Ok(()) => self.report(lease, "given back"),
            Err(error) => self.report(lease, format!("not given back: {error}")),
        }
    }

    fn report(&self, lease: &Lease, what: impl Display) {
        let (job, chunk) = (&lease.job.id, lease.chunk);
        (self.retry.report)(&format!("{job}, chunk {chunk}: {what}"));
    }
}
