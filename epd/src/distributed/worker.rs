//! A worker's loop: lease, search, submit; until it has been idle too long or an interrupt comes.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use kit::Progress;
use kit::output::grouped;
use queue::{AskError, Broker, Cancellation, HeldLease, Lease, RetryPolicy, UnitResult, Worker};
use uci::{Cancel, CommandLine};

use super::protocol::{JobBody, KIND, PayloadError, cases};
use crate::run::driver::{EngineEvent, EngineRun, Start};
use crate::run::journal::EngineJournal;
use crate::run::ledger::{Handshake, Trial};
use crate::run::plan::Case;
use crate::run::wire::CaseResult;

/// Finds the program of a command on this machine by its SHA-256.
pub(crate) type FindProgram<'a> =
    dyn Fn(&CommandLine, &str) -> Result<CommandLine, String> + Sync + 'a;

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
    /// Number of engines that search at the same time, each on chunks of its own.
    pub(crate) lanes: usize,
    pub(crate) find: &'a FindProgram<'a>,
    pub(crate) pace: Pace,
    pub(crate) retry: RetryPolicy<'a>,
}

/// The result of a worker's run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shift {
    pub(crate) searches: usize,
    pub(crate) interrupted: bool,
}

/// Why a worker cannot continue.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WorkError {
    #[error(transparent)]
    Ask(#[from] AskError),
    #[error("job {job} cannot be read by this version: {source}")]
    Read { job: String, source: PayloadError },
    #[error("job {job} cannot be run here: {reason}")]
    Program { job: String, reason: String },
    #[error("job {job} cannot be run here: the engine {reason}")]
    Engine { job: String, reason: String },
}

/// What the lanes of a worker share.
struct Shared {
    /// The commands of known jobs: computing the checksum of a program may take a second.
    commands: Mutex<BTreeMap<String, CommandLine>>,
    /// Number of busy lanes, and when the last one became idle.
    busy: Mutex<(usize, Instant)>,
}

impl Workplace<'_> {
    /// Works until idle for too long, or until an interrupt comes. If a lane fails, all end.
    pub(crate) fn work(&self) -> Result<Shift, WorkError> {
        match self.retry.ask(|| self.broker.register(self.worker)) {
            Err(AskError::Interrupted) => {
                return Ok(Shift {
                    searches: 0,
                    interrupted: true,
                });
            }
            registered => registered?,
        }
        let shared = Shared {
            commands: Mutex::default(),
            busy: Mutex::new((0, now())),
        };
        let ended: Vec<(usize, Result<(), WorkError>)> = std::thread::scope(|scope| {
            let lane = || {
                let mut searches = 0;
                let served = self.serve(&shared, &mut searches);
                if served.is_err() {
                    self.retry.interrupt.flag().store(true, Ordering::Relaxed);
                }
                (searches, served)
            };
            let lanes: Vec<_> = (0..self.lanes).map(|_| scope.spawn(lane)).collect();
            let join = |lane: std::thread::ScopedJoinHandle<'_, _>| {
                lane.join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            lanes.into_iter().map(join).collect()
        });
        let mut shift = Shift {
            searches: ended.iter().map(|(searches, _)| searches).sum(),
            interrupted: false,
        };
        for (_, served) in ended {
            match served {
                // Another lane may have failed and so interrupted this one.
                Err(WorkError::Ask(AskError::Interrupted)) => shift.interrupted = true,
                served => served?,
            }
        }
        Ok(shift)
    }

    fn serve(&self, shared: &Shared, searches: &mut usize) -> Result<(), WorkError> {
        loop {
            self.retry.rest(Duration::ZERO)?;
            let (name, visibility) = (&self.worker.name, self.pace.visibility);
            let lease = || self.broker.lease(name, &[KIND], visibility);
            if let Some(lease) = self.retry.ask(lease)? {
                shared.begin();
                let searched = self.search_chunk(&lease, shared);
                shared.end();
                *searches += searched?;
                continue;
            }
            let most = self.pace.idle_exit;
            if most.is_some_and(|most| shared.idle() >= Some(most)) {
                return Ok(());
            }
            self.retry.rest(self.pace.poll)?;
        }
    }

    /// Runs the engine on a chunk and submits the results; returns their number. What was finished
    /// before an interrupt is submitted too.
    fn search_chunk(&self, lease: &Lease, shared: &Shared) -> Result<usize, WorkError> {
        let job = || lease.job.id.clone();
        let read = || Ok((JobBody::read(&lease.job.body)?, cases(&lease.units)?));
        let read = read().map_err(|source| WorkError::Read { job: job(), source });
        let (body, cases) = self.or_give_back(lease, read)?;
        let command = shared.command(lease, &body, self.find);
        let command = command.map_err(|reason| WorkError::Program { job: job(), reason });
        let command = self.or_give_back(lease, command)?;
        let stop = Arc::new(AtomicBool::new(false));
        let start = Start {
            name: job(),
            command,
            options: body.options().to_vec(),
            cancel: Cancel::from(Arc::clone(&stop)),
        };
        let held = HeldLease {
            broker: self.broker,
            lease,
            visibility: self.pace.visibility,
            interrupt: self.retry.interrupt,
        };
        let began = now();
        let ((handshake, results), cancelled) =
            held.during(&stop, || search(&start, &cases, &body, lease));
        match cancelled {
            Some(Cancellation::Stopped(reason)) => {
                self.report(lease, format!("dropped, stopped: {reason}"));
                return Ok(0);
            }
            Some(Cancellation::Failed(error)) => return Err(AskError::from(error).into()),
            Some(Cancellation::Interrupted | Cancellation::Lost) => {}
            None => self.or_give_back(lease, check(&handshake, &results, lease))?,
        }
        if !results.is_empty() {
            self.retry.ask(|| self.broker.complete(lease, &results))?;
            let seconds = began.elapsed().as_secs_f64();
            let searches = grouped(results.len() as u64);
            self.report(lease, format!("{searches} searches in {seconds:.2} s"));
        }
        match cancelled {
            Some(Cancellation::Interrupted) => {
                self.give_back(lease);
                return Err(AskError::Interrupted.into());
            }
            Some(Cancellation::Lost) => self.report(lease, "the lease was lost"),
            _ => {}
        }
        Ok(results.len())
    }

    fn or_give_back<T>(&self, lease: &Lease, result: Result<T, WorkError>) -> Result<T, WorkError> {
        if result.is_err() {
            self.give_back(lease);
        }
        result
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

impl Shared {
    fn command(
        &self,
        lease: &Lease,
        body: &JobBody,
        find: &FindProgram<'_>,
    ) -> Result<CommandLine, String> {
        let mut commands = self.commands.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(command) = commands.get(&lease.job.id) {
            return Ok(command.clone());
        }
        let command = find(&body.command(), &body.sha256)?;
        commands.insert(lease.job.id.clone(), command.clone());
        Ok(command)
    }

    fn begin(&self) {
        self.busy().0 += 1;
    }

    fn end(&self) {
        let mut busy = self.busy();
        *busy = (busy.0 - 1, now());
    }

    /// How long all lanes have been idle; `None` if one is busy.
    fn idle(&self) -> Option<Duration> {
        let (lanes, since) = *self.busy();
        (lanes == 0).then(|| since.elapsed())
    }

    fn busy(&self) -> std::sync::MutexGuard<'_, (usize, Instant)> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs the engine; returns how it started and the results of the finished searches.
fn search(
    start: &Start,
    cases: &[Case],
    body: &JobBody,
    lease: &Lease,
) -> (Handshake, Vec<UnitResult>) {
    let mut results = Vec::new();
    let mut keep = |event: &EngineEvent<'_>| {
        if let EngineEvent::Finished { case, finished, .. } = event
            && let Some(result) = CaseResult::new(&finished.outcome, &finished.searches)
        {
            let value = serde_json::to_string(&result).expect("numbers and strings can be written");
            let key = lease.units[*case].key;
            results.push(UnitResult { key, value });
        }
        Ok(())
    };
    let run = EngineRun {
        start,
        cases,
        rules: body.rules(),
        progress: &Progress::new(0, "searches", false),
    };
    let trial: anyhow::Result<Trial> = run.run(EngineJournal::default(), &mut keep);
    let trial = trial.expect("keeping results in memory does not fail");
    (trial.handshake, results)
}

/// Whether all units have a result. An engine that does not even start here may work elsewhere, so
/// it is this worker that fails, not the positions.
fn check(handshake: &Handshake, results: &[UnitResult], lease: &Lease) -> Result<(), WorkError> {
    let reason = match handshake {
        Handshake::Ready { .. } if results.len() == lease.units.len() => return Ok(()),
        Handshake::Ready { .. } => {
            "lacks UCI_Chess960, which it had where the job was posted".into()
        }
        Handshake::Refused { reason } | Handshake::Failed { reason, .. } => {
            format!("does not start: {reason}")
        }
    };
    let job = lease.job.id.clone();
    Err(WorkError::Engine { job, reason })
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
fn now() -> Instant {
    Instant::now()
}
