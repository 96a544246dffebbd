//! A worker's loop: lease, count, submit; until it has been idle too long or an interrupt comes.

use std::fmt::Display;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use chess::perft::Counter;
use fleet::{Alarm, Broker, Lease, UnitResult, Worker};
use kit::output::{grouped, rate};

use super::heartbeat::{CalledOff, Holding};
use super::patience::now;
use super::plan::{KIND, OVERFLOW};
use super::task::{Cancelled, Task, WordingError};
use super::{AskError, Patience};

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

/// A worker's environment.
pub(crate) struct Workplace<'a> {
    pub(crate) broker: &'a dyn Broker,
    pub(crate) worker: &'a Worker,
    pub(crate) counter: Counter<'a>,
    pub(crate) pool: &'a rayon::ThreadPool,
    pub(crate) pace: Pace,
    pub(crate) patience: Patience<'a>,
}

/// The result of a worker's run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shift {
    /// Number of chunks counted.
    pub(crate) chunks: u64,
    /// Whether it ended because of an interrupt.
    pub(crate) interrupted: bool,
}

/// Why a worker cannot continue.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WorkError {
    #[error(transparent)]
    Ask(#[from] AskError),
    #[error("job '{job}' cannot be read by this version")]
    Wording { job: String, source: WordingError },
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
        self.patience.ask(|| self.broker.enlist(self.worker))?;
        let mut idle_since = now();
        loop {
            self.patience.rest(Duration::ZERO)?;
            let lease = || {
                self.broker
                    .lease(&self.worker.name, &[KIND], self.pace.visibility)
            };
            if let Some(lease) = self.patience.ask(lease)? {
                shift.chunks += u64::from(self.handle(&lease)?);
                idle_since = now();
            } else if self.has_waited_enough(idle_since) {
                return Ok(());
            } else {
                self.patience.rest(self.pace.poll)?;
            }
        }
    }

    fn has_waited_enough(&self, idle_since: Instant) -> bool {
        let most = self.pace.idle_exit;
        most.is_some_and(|most| idle_since.elapsed() >= most)
    }

    /// Handles a lease; returns whether the chunk was counted and submitted.
    fn handle(&self, lease: &Lease) -> Result<bool, WorkError> {
        let task = match Task::read(lease) {
            Ok(task) => task,
            Err(source) => {
                self.give_back(lease);
                let job = lease.job.id.clone();
                return Err(WorkError::Wording { job, source });
            }
        };
        let stop = AtomicBool::new(false);
        let counter = self.counter.cancel(&stop);
        let holding = Holding {
            broker: self.broker,
            lease,
            visibility: self.pace.visibility,
            interrupt: self.patience.interrupt,
        };
        let start = now();
        let count = || self.pool.install(|| task.count(&counter));
        let (counted, cancelled) = holding.during(&stop, count);
        match (counted, cancelled) {
            (_, Some(CalledOff::Stopped(reason))) => {
                Ok(self.drop(lease, format!("stopped: {reason}")))
            }
            (_, Some(CalledOff::Failed(error))) => Err(AskError::from(error).into()),
            (Ok(counts), _) => self.bring(lease, &counts, start.elapsed()),
            (Err(Cancelled), Some(CalledOff::Lost)) => Ok(self.drop(lease, "the lease was lost")),
            (Err(Cancelled), _) => {
                self.give_back(lease);
                Err(AskError::Interrupted.into())
            }
        }
    }

    fn bring(
        &self,
        lease: &Lease,
        counts: &[(u64, Option<u64>)],
        time: Duration,
    ) -> Result<bool, WorkError> {
        let result = |&(key, nodes): &(u64, Option<u64>)| UnitResult {
            key,
            value: nodes.map_or_else(|| OVERFLOW.to_owned(), |nodes| nodes.to_string()),
        };
        let results: Vec<_> = counts.iter().map(result).collect();
        let completed = self
            .patience
            .ask(|| self.broker.complete(lease, &results))?;
        let counted = counts.iter().filter_map(|&(_, nodes)| nodes);
        let nodes: u128 = counted.map(u128::from).sum();
        let (seconds, units) = (time.as_secs_f64(), grouped(counts.len() as u64));
        let (number, rate) = (grouped(nodes), rate(nodes, seconds));
        let done = format!("{units} units, {number} nodes in {seconds:.2} s, {rate}");
        self.say(lease, done);
        for alarm in completed.alarms {
            self.say(lease, different(&alarm));
        }
        Ok(true)
    }

    fn drop(&self, lease: &Lease, why: impl Display) -> bool {
        self.say(lease, format!("dropped, {why}"));
        false
    }

    /// Releases the chunk at once. If that fails, others get it when the lease expires.
    fn give_back(&self, lease: &Lease) {
        match self.broker.give_back(lease) {
            Ok(()) => self.say(lease, "given back"),
            Err(error) => self.say(lease, format!("not given back: {error}")),
        }
    }

    fn say(&self, lease: &Lease, what: impl Display) {
        let (job, chunk) = (&lease.job.id, lease.chunk);
        (self.patience.say)(&format!("{job}, chunk {chunk}: {what}"));
    }
}

fn different(alarm: &Alarm) -> String {
    format!(
        "ALARM: of unit {} {} has {}, {} has {}",
        alarm.unit, alarm.first_worker, alarm.first_value, alarm.second_worker, alarm.second_value
    )
}
