//! The loop of every worker: lease, work, return; until it is idle for too long or interrupted. An
//! edge: it reads the clock and starts threads.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use crate::retry::now;
use crate::{
    AskError, Broker, BrokerError, Cancellation, HeldLease, Lease, RetryPolicy, UnitResult, Worker,
};

/// How often a wait for cores is checked for its end.
const TICK: Duration = Duration::from_millis(20);

/// What a worker can do: one kind of work, or several.
pub trait Task: Sync {
    /// The kinds, with their versions, such as `perft-count/1`.
    fn kinds(&self) -> Vec<&'static str>;

    /// Number of cores that work on a lease keeps busy at the same time. It begins once so many
    /// are free.
    ///
    /// # Errors
    /// The job cannot be read.
    fn cores(&self, lease: &Lease) -> Result<usize, CannotRun> {
        let _ = lease;
        Ok(1)
    }

    /// Works on a lease and submits results as they are ready, all at the end or one by one.
    /// `lane` is the number of the thread, from 0; `stop` is set when the work is no longer wanted,
    /// and the call should then return soon: what it has not submitted is given back.
    ///
    /// # Errors
    /// Why this worker cannot do the job: an unknown format, a missing engine, a failed build.
    /// Nothing that a job contains may panic.
    fn work(
        &self,
        lane: usize,
        lease: &Lease,
        stop: &Arc<AtomicBool>,
        submit: Submit<'_>,
    ) -> Result<(), CannotRun>;
}

/// Submits results of a lease.
pub type Submit<'a> = &'a (dyn Fn(&[UnitResult]) + Sync);

/// Why a worker cannot do a job, for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CannotRun(pub String);

/// Time limits of a worker.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// How long a chunk stays reserved after this worker falls silent.
    pub visibility: Duration,
    /// How long to wait when there is no work.
    pub poll: Duration,
    /// Idle time after which the worker exits; `None` for never.
    pub idle_exit: Option<Duration>,
}

/// A worker and what it needs.
pub struct WorkerLoop<'a> {
    /// Where work comes from.
    pub broker: &'a dyn Broker,
    /// The worker.
    pub worker: &'a Worker,
    /// What it can do.
    pub tasks: &'a [&'a dyn Task],
    /// Number of cores, and so of leases that are worked on at the same time if each needs one.
    pub lanes: usize,
    /// Its time limits.
    pub pace: Timing,
    /// Patience with the broker; it is also where messages go, and holds the interrupt.
    pub retry: RetryPolicy<'a>,
}

/// What came of a worker's run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkerTotals {
    /// Number of leases of which all results were submitted.
    pub chunks: u64,
    /// Number of results submitted.
    pub results: u64,
    /// Number of leases given back because this worker could not do them.
    pub unable: u64,
    /// Whether an interrupt ended it.
    pub interrupted: bool,
}

/// What the lanes of a worker share.
struct SharedLanes {
    results: AtomicU64,
    chunks: AtomicU64,
    unable: AtomicU64,
    failed: AtomicBool,
    cores: Cores,
    /// Number of busy lanes, and when the last one became idle.
    busy: Mutex<(usize, Instant)>,
    /// When to ask for work again: one lane at a time does, for all.
    turn: Mutex<Instant>,
    /// Whether the last answer was that there is none.
    nothing: AtomicBool,
}

impl WorkerLoop<'_> {
    /// Registers, and works until idle for too long, or until an interrupt comes.
    ///
    /// # Errors
    /// The broker rejects the worker, or cannot be reached for too long.
    pub fn run(&self) -> Result<WorkerTotals, AskError> {
        let shared = SharedLanes {
            results: AtomicU64::new(0),
            chunks: AtomicU64::new(0),
            unable: AtomicU64::new(0),
            failed: AtomicBool::new(false),
            cores: Cores::new(self.lanes),
            busy: Mutex::new((0, now())),
            turn: Mutex::new(now()),
            nothing: AtomicBool::new(false),
        };
        let ended = match self.retry.ask(|| self.broker.register(self.worker)) {
            Ok(()) => self.lanes(&shared),
            Err(error) => Err(error),
        };
        let interrupted = matches!(ended, Err(AskError::Interrupted));
        if !interrupted {
            ended?;
        }
        Ok(WorkerTotals {
            chunks: shared.chunks.load(Ordering::Relaxed),
            results: shared.results.load(Ordering::Relaxed),
            unable: shared.unable.load(Ordering::Relaxed),
            interrupted,
        })
    }

    /// All lanes; if one fails, the others end too.
    fn lanes(&self, shared: &SharedLanes) -> Result<(), AskError> {
        let lane = |number| {
            let ended = self.lane(number, shared);
            shared.failed.fetch_or(ended.is_err(), Ordering::Relaxed);
            ended
        };
        let ended: Vec<_> = std::thread::scope(|scope| {
            let lanes: Vec<_> = (0..self.lanes)
                .map(|number| scope.spawn(move || lane(number)))
                .collect();
            let join = |lane: std::thread::ScopedJoinHandle<'_, _>| {
                lane.join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            lanes.into_iter().map(join).collect()
        });
        // A failure ends the other lanes as an interrupt would: the failure is the reason.
        let (interrupts, others): (Vec<_>, Vec<_>) = ended
            .into_iter()
            .partition(|ended| matches!(ended, Err(AskError::Interrupted)));
        others.into_iter().chain(interrupts).collect()
    }

    fn lane(&self, number: usize, shared: &SharedLanes) -> Result<(), AskError> {
        let kinds: Vec<_> = self.tasks.iter().flat_map(|task| task.kinds()).collect();
        while !shared.failed.load(Ordering::Relaxed) {
            // It returns at once, unless an interrupt has come.
            self.retry.rest(Duration::ZERO)?;
            // Cores first, so that no lease waits for long; one that needs more of them may.
            let waits = AtomicBool::new(false);
            let Some(core) = shared.cores.take(1, &|| self.ends(shared, &waits)) else {
                continue;
            };
            if let Some(lease) = self.next(&kinds, shared)? {
                let worked = self.work_on(number, &lease, core, shared);
                shared.end();
                worked?;
                continue;
            }
            drop(core);
            let most = self.pace.idle_exit;
            let is_idle = shared.nothing.load(Ordering::Relaxed);
            if is_idle && most.is_some_and(|most| shared.idle() >= Some(most)) {
                break;
            }
            self.retry.rest(self.pace.poll.min(TICK))?;
        }
        Ok(())
    }

    /// Asks for work, unless another lane does, or there was none a moment ago: the number of lanes
    /// makes no difference to the broker. A lane that gets some is busy.
    fn next(&self, kinds: &[&str], shared: &SharedLanes) -> Result<Option<Lease>, AskError> {
        // A lane that waited for the lock would ask again as soon as another one had its answer.
        let mut turn = match shared.turn.try_lock() {
            Ok(turn) => turn,
            Err(TryLockError::Poisoned(turn)) => turn.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(None),
        };
        if now() < *turn {
            return Ok(None);
        }
        let (name, visibility) = (&self.worker.name, self.pace.visibility);
        let lease = || self.broker.lease(name, kinds, visibility);
        let lease = self.retry.ask(lease)?;
        if lease.is_some() {
            shared.begin();
        } else {
            *turn = now() + self.pace.poll;
        }
        shared.nothing.store(lease.is_none(), Ordering::Relaxed);
        Ok(lease)
    }

    /// Whether a wait for cores is over without any.
    fn ends(&self, shared: &SharedLanes, stop: &AtomicBool) -> bool {
        stop.load(Ordering::Relaxed)
            || shared.failed.load(Ordering::Relaxed)
            || self.retry.interrupt.has_come()
    }

    /// The cores for a lease: `core` or, if its task needs more, as many as it needs. `None` if the
    /// work ended while it waited for them.
    fn cores_for<'a>(
        &self,
        lease: &Lease,
        task: &dyn Task,
        core: TakenCores<'a>,
        shared: &'a SharedLanes,
        stop: &AtomicBool,
    ) -> Result<Option<TakenCores<'a>>, CannotRun> {
        let needed = task.cores(lease)?;
        if needed <= 1 {
            return Ok(Some(core));
        }
        // Waiting for more cores than there are would never end.
        if needed > self.lanes {
            return Err(CannotRun(format!(
                "it needs {needed} cores at a time, this worker has {}",
                self.lanes
            )));
        }
        drop(core);
        Ok(shared.cores.take(needed, &|| self.ends(shared, stop)))
    }

    fn work_on(
        &self,
        number: usize,
        lease: &Lease,
        core: TakenCores<'_>,
        shared: &SharedLanes,
    ) -> Result<(), AskError> {
        let kind = lease.job.kind.as_str();
        let Some(task) = self.tasks.iter().find(|task| task.kinds().contains(&kind)) else {
            return self.give_back(
                lease,
                Some(&format!("this worker does not know {kind}")),
                shared,
            );
        };
        let stop = Arc::new(AtomicBool::new(false));
        let failure = Mutex::new(None);
        let submitted = AtomicU64::new(0);
        let submit = |results: &[UnitResult]| {
            // What is stopped ends engines, whose games would count as crashes.
            if stop.load(Ordering::Relaxed) || self.retry.interrupt.has_come() {
                return;
            }
            match self.retry.ask(|| self.broker.complete(lease, results)) {
                Ok(()) => {
                    submitted.fetch_add(results.len() as u64, Ordering::Relaxed);
                }
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    failure
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        // Only the first error is kept: the later ones follow from it.
                        .get_or_insert(error);
                }
            }
        };
        let held = HeldLease {
            broker: self.broker,
            lease,
            visibility: self.pace.visibility,
            interrupt: self.retry.interrupt,
        };
        let began = now();
        let work = || match self.cores_for(lease, *task, core, shared, &stop)? {
            // A name and not `_`, which would free the cores at once.
            Some(_cores) => task.work(number, lease, &stop, &submit),
            None => Ok(()),
        };
        let (worked, cancelled) = held.during(&stop, || {
            // What a job contains does not end a worker, whatever it contains.
            std::panic::catch_unwind(AssertUnwindSafe(work))
                .unwrap_or_else(|panic| Err(panicked(&*panic)))
        });
        let submitted = submitted.load(Ordering::Relaxed);
        shared.results.fetch_add(submitted, Ordering::Relaxed);
        match cancelled {
            Some(Cancellation::Stopped(reason)) => {
                self.report(lease, &format!("dropped, the job was stopped: {reason}"));
                return Ok(());
            }
            Some(Cancellation::Lost) => {
                self.report(lease, "the lease was lost");
                return Ok(());
            }
            Some(Cancellation::Failed(error)) => return Err(error.into()),
            Some(Cancellation::Interrupted) | None => {}
        }
        let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        match (failure, worked) {
            // A result that the broker rejects is this job's fault, not the end of the worker.
            (Some(AskError::Broker(error)), _) if !is_ours(&error) => {
                self.give_back(lease, Some(&error.to_string()), shared)
            }
            (Some(error), _) => Err(error),
            (None, Err(inability)) => self.give_back(lease, Some(&inability.0), shared),
            (None, Ok(())) if submitted < lease.units.len() as u64 => {
                self.give_back(lease, None, shared)
            }
            (None, Ok(())) => {
                shared.chunks.fetch_add(1, Ordering::Relaxed);
                let seconds = began.elapsed().as_secs_f64();
                self.report(lease, &format!("{submitted} units in {seconds:.2} s"));
                Ok(())
            }
        }
    }

    /// Returns a lease. If that fails, others get it when the lease expires.
    fn give_back(
        &self,
        lease: &Lease,
        inability: Option<&str>,
        shared: &SharedLanes,
    ) -> Result<(), AskError> {
        let returned = self.broker.give_back(lease, inability);
        let what = inability.map_or_else(
            || "given back".to_owned(),
            |reason| format!("given back: {reason}"),
        );
        self.report(lease, &what);
        if let Err(error) = returned {
            self.report(lease, &format!("not given back: {error}"));
        }
        let Some(_) = inability else { return Ok(()) };
        shared.unable.fetch_add(1, Ordering::Relaxed);
        // The broker may have nothing else: no reason to ask without a pause.
        self.retry.rest(self.pace.poll)
    }

    fn report(&self, lease: &Lease, what: &str) {
        (self.retry.report)(&format!("{}, chunk {}: {what}", lease.job.id, lease.chunk));
    }
}

/// A fault of the program itself, which other jobs need not have.
fn panicked(panic: &(dyn Any + Send)) -> CannotRun {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    let text = text.unwrap_or("without a message");
    CannotRun(format!("the worker's program has failed: {text}"))
}

/// Whether an error concerns the worker rather than one job.
fn is_ours(error: &BrokerError) -> bool {
    matches!(
        error,
        BrokerError::Quarantined { .. } | BrokerError::Denied(_) | BrokerError::NoWorker(_)
    ) || error.is_passing()
}

impl SharedLanes {
    fn begin(&self) {
        self.busy().0 += 1;
    }

    fn end(&self) {
        // There may be more by now.
        self.nothing.store(false, Ordering::Relaxed);
        let mut busy = self.busy();
        *busy = (busy.0 - 1, now());
    }

    /// How long all lanes have been idle; `None` if one is busy.
    fn idle(&self) -> Option<Duration> {
        let (lanes, since) = *self.busy();
        (lanes == 0).then(|| since.elapsed())
    }

    fn busy(&self) -> MutexGuard<'_, (usize, Instant)> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The cores of a worker. The lane that waits longest is served first, so that work which needs many is
/// not starved by work which needs one.
#[derive(Debug)]
struct Cores {
    state: Mutex<CoresState>,
    changed: Condvar,
}

#[derive(Debug)]
struct CoresState {
    free: usize,
    /// The numbers of those who wait, in order.
    queue: VecDeque<u64>,
    next: u64,
}

/// Some cores, which are free again when this is dropped.
#[derive(Debug)]
struct TakenCores<'a> {
    cores: &'a Cores,
    count: usize,
}

impl Drop for TakenCores<'_> {
    fn drop(&mut self) {
        self.cores.state().free += self.count;
        self.cores.changed.notify_all();
    }
}

impl Cores {
    fn new(free: usize) -> Self {
        let (queue, next) = (VecDeque::new(), 0);
        let state = Mutex::new(CoresState { free, queue, next });
        let changed = Condvar::new();
        Self { state, changed }
    }

    /// Waits for so many cores, or until `ends` returns true.
    fn take(&self, count: usize, ends: &dyn Fn() -> bool) -> Option<TakenCores<'_>> {
        let mut state = self.state();
        let number = state.next;
        state.next += 1;
        state.queue.push_back(number);
        let taken = loop {
            if state.queue.front() == Some(&number) && state.free >= count {
                state.free -= count;
                break true;
            }
            if ends() {
                break false;
            }
            let waited = self.changed.wait_timeout(state, TICK);
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        };
        // Also after giving up: a number that stays in the queue would block all behind it.
        state.queue.retain(|one| *one != number);
        drop(state);
        self.changed.notify_all();
        taken.then_some(TakenCores { cores: self, count })
    }

    fn state(&self) -> MutexGuard<'_, CoresState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_cores_are_not_starved_by_one() {
        let (cores, order) = (Cores::new(2), Mutex::new(Vec::new()));
        let first = cores.take(1, &|| false).expect("it is free");
        let second = cores.take(1, &|| false).expect("it is free");
        std::thread::scope(|scope| {
            let take = |count: usize, waiting: usize| {
                let (cores, order) = (&cores, &order);
                scope.spawn(move || {
                    let taken = cores.take(count, &|| false);
                    order.lock().expect("nobody panics").push(count);
                    drop(taken);
                });
                while cores.state().queue.len() < waiting {
                    std::thread::yield_now();
                }
            };
            take(2, 1);
            take(1, 2);
            // One core is free, but it is kept for the one that needs two.
            drop(first);
            assert_eq!(cores.state().queue.len(), 2);
            drop(second);
        });
        assert_eq!(*order.lock().expect("nobody panics"), [2, 1]);
        assert_eq!(cores.state().free, 2);
    }

    #[test]
    fn a_wait_for_cores_ends() {
        let cores = Cores::new(1);
        assert!(cores.take(2, &|| true).is_none());
        assert!(cores.state().queue.is_empty());
        assert!(cores.take(1, &|| true).is_some());
    }
}
