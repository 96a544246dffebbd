//! The submitting side of a job: waits until it is done, and reads its results.

use std::time::{Duration, Instant};

use crate::retry::now;
use crate::{Alarm, AskError, Broker, Progress, Recorded, RetryPolicy, WorkerState};

/// A worker that was not heard of for so long is not waited for.
pub const RECENT_MS: u64 = 120_000;

/// A submitted job.
#[derive(Clone, Copy)]
pub struct Following<'a> {
    /// Where it is.
    pub broker: &'a dyn Broker,
    /// Its name.
    pub job: &'a str,
    /// Polling interval.
    pub poll: Duration,
    /// Results per call: an answer has at most 256 MiB.
    pub page: u32,
    /// Patience with the broker; it also holds the interrupt.
    pub retry: RetryPolicy<'a>,
}

/// Why the results of a job cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// The broker fails or cannot be reached, or an interrupt came.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// Somebody stopped the job before it was complete.
    #[error("job {job} was stopped: {reason}")]
    Stopped {
        /// The name of the job.
        job: String,
        /// The reason given.
        reason: String,
    },
    /// No worker can do it.
    #[error("three workers cannot do job {job}: {reason}")]
    Flagged {
        /// The name of the job.
        job: String,
        /// The last worker's reason.
        reason: String,
    },
    /// A result is impossible.
    #[error(
        "job {job}, unit {unit}: worker {worker} returned a result that cannot be right: {reason}; run \
         `fleet quarantine` and `fleet discard` for it, then the same command again"
    )]
    Result {
        /// The name of the job.
        job: String,
        /// The key of the unit.
        unit: u64,
        /// The worker that returned it.
        worker: String,
        /// Why it is impossible.
        reason: String,
    },
}

/// How far the results of a complete job can be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Its progress: how many units were to be compared, and were.
    pub progress: Progress,
    /// Differences between workers that nobody has decided.
    pub undecided: Vec<Alarm>,
}

impl Following<'_> {
    /// Waits until every unit has a result; `report` gets the progress of each poll. Returns false if
    /// an interrupt came meanwhile. Results can be discarded at that very moment: the caller counts
    /// what it reads.
    ///
    /// # Errors
    /// The broker fails or cannot be reached; the job was stopped or flagged before it was complete.
    pub fn wait(&self, report: &mut dyn FnMut(&Progress)) -> Result<bool, FollowError> {
        loop {
            let progress = self.progress()?;
            report(&progress);
            // Completeness comes first: a job that was stopped after its last result has all of
            // them.
            if progress.is_complete() {
                return Ok(true);
            }
            let job = || self.job.to_owned();
            if let Some(reason) = progress.stopped {
                return Err(FollowError::Stopped { job: job(), reason });
            }
            if let Some(reason) = progress.flagged {
                return Err(FollowError::Flagged { job: job(), reason });
            }
            if self.rest().is_err() {
                return Ok(false);
            }
        }
    }

    /// Waits until the job is complete, and what is to be compared is compared and decided; no longer
    /// than `most` while nothing of that changes, and not at all for workers that are not there.
    ///
    /// # Errors
    /// The broker fails or cannot be reached; the job was stopped or flagged before it was complete;
    /// an interrupt came.
    pub fn verify(&self, most: Duration) -> Result<Verified, FollowError> {
        let mut last: Option<(Progress, Instant)> = None;
        loop {
            if !self.wait(&mut |_| {})? {
                return Err(AskError::Interrupted.into());
            }
            let progress = self.progress()?;
            let alarms = self.retry.ask(|| self.broker.alarms(self.job))?;
            let workers = self.retry.ask(|| self.broker.workers())?;
            let undecided = undecided(&alarms, &workers);
            let since = match last {
                Some((before, since)) if before == progress => since,
                // Any change shows that somebody works, so the patience begins anew.
                _ => now(),
            };
            // A difference needs a third worker.
            let needed = if undecided.is_empty() { 2 } else { 3 };
            let is_settled = progress.compared >= progress.to_compare && undecided.is_empty();
            let there = workers
                .iter()
                .filter(|worker| worker.quarantined.is_none() && worker.silent_ms < RECENT_MS);
            let is_hopeless =
                // A stopped job hands out no leases, so nothing more will be compared.
                there.count() < needed || since.elapsed() >= most || progress.stopped.is_some();
            // Results may have been discarded since `wait`, with the worker that brought them.
            if progress.is_complete() && (is_settled || is_hopeless) {
                return Ok(Verified {
                    progress,
                    undecided,
                });
            }
            last = Some((progress, since));
            self.rest()?;
        }
    }

    /// Waits until the next poll.
    ///
    /// # Errors
    /// An interrupt came.
    pub fn rest(&self) -> Result<(), AskError> {
        self.retry.rest(self.poll)
    }

    /// The progress of the job.
    ///
    /// # Errors
    /// The broker fails or cannot be reached; an interrupt came.
    pub fn progress(&self) -> Result<Progress, AskError> {
        self.retry.ask(|| self.broker.progress(self.job))
    }

    /// Reads all results so far, by `take`, which says why one is impossible. Each time from the
    /// beginning: an earlier one may have been discarded and replaced.
    ///
    /// # Errors
    /// The broker fails or cannot be reached; an interrupt came; a result is impossible.
    pub fn results(
        &self,
        mut take: impl FnMut(&Recorded) -> Result<(), String>,
    ) -> Result<(), FollowError> {
        let mut last = 0;
        loop {
            let page = || self.broker.results(self.job, last, self.page);
            let page = self.retry.ask(page)?;
            // A full page may be the last one too; then one more call brings an empty page.
            let is_last = page.len() < self.page as usize;
            for recorded in page {
                // The next page begins after the highest number, in whatever order a server lists
                // them.
                last = last.max(recorded.number);
                take(&recorded).map_err(|reason| FollowError::Result {
                    job: self.job.to_owned(),
                    unit: recorded.key,
                    worker: recorded.worker,
                    reason,
                })?;
            }
            if is_last {
                return Ok(());
            }
        }
    }
}

/// Differences that nobody has decided. One is decided once a worker is quarantined for it, whose
/// unconfirmed results the broker has done again.
pub fn undecided(alarms: &[Alarm], known: &[WorkerState]) -> Vec<Alarm> {
    let is_quarantined = |name: &str| {
        let mut quarantined = known.iter().filter(|state| state.quarantined.is_some());
        quarantined.any(|state| state.worker.name == name)
    };
    let is_open = |alarm: &&Alarm| {
        !is_quarantined(&alarm.first_worker) && !is_quarantined(&alarm.second_worker)
    };
    alarms.iter().filter(is_open).cloned().collect()
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use kit::Interrupt;

    use super::*;
    use crate::{Chunk, InProcess, Job, Second, Unit, UnitResult, Worker};

    const MINUTE: Duration = Duration::from_mins(1);

    /// A broker with a job of one unit that is done twice.
    fn broker() -> InProcess {
        let broker = InProcess::new();
        let job = Job {
            id: "job".to_owned(),
            kind: "text/1".to_owned(),
            body: String::new(),
            units: 1,
            second: Second::Compare,
            again_every: NonZeroU64::new(1),
        };
        let (key, body) = (0, String::new());
        let units = vec![Unit { key, body }];
        let put = broker.put(&job, &mut [Chunk { units }].into_iter());
        put.expect("a sound job");
        broker
    }

    /// A worker that is there, and brings a result if it is to.
    fn worker(broker: &InProcess, name: &str, value: Option<&str>) {
        let worker = Worker {
            name: name.to_owned(),
            about: String::new(),
        };
        broker.register(&worker).expect("new");
        if let Some(value) = value {
            let lease = broker.lease(name, &["text/1"], MINUTE);
            let lease = lease.expect("there").expect("work");
            let (key, value) = (0, value.to_owned());
            let result = UnitResult { key, value };
            broker.complete(&lease, &[result]).expect("leased");
        }
    }

    fn follow<T>(broker: &InProcess, interrupt: &Interrupt, ask: impl Fn(Following<'_>) -> T) -> T {
        ask(Following {
            broker,
            job: "job",
            poll: Duration::from_millis(1),
            page: 1,
            retry: RetryPolicy {
                most: MINUTE,
                interrupt,
                report: &|_| {},
            },
        })
    }

    /// Number of comparisons and undecided differences.
    fn verify(broker: &InProcess, most: Duration) -> Result<(u64, usize), String> {
        let verified = follow(broker, &Interrupt::default(), |one| one.verify(most));
        let verified = verified.map_err(|error| error.to_string())?;
        Ok((verified.progress.compared, verified.undecided.len()))
    }

    #[test]
    fn checks_are_waited_for_while_somebody_can_make_them() {
        let one = broker();
        worker(&one, "a", Some("x"));
        assert_eq!(verify(&one, MINUTE), Ok((0, 0)));
        worker(&one, "b", None);
        assert_eq!(verify(&one, Duration::from_millis(5)), Ok((0, 0)));
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| verify(&one, MINUTE));
            worker(&one, "b", Some("x"));
            assert_eq!(waits.join().expect("no panic"), Ok((1, 0)));
        });
        let other = broker();
        worker(&other, "a", Some("x"));
        worker(&other, "b", Some("y"));
        assert_eq!(verify(&other, MINUTE), Ok((1, 1)));
        worker(&other, "c", None);
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| verify(&other, MINUTE));
            other.quarantine("b", "it lies").expect("known");
            assert_eq!(waits.join().expect("no panic"), Ok((1, 0)));
        });
    }

    #[test]
    fn a_wait_ends_with_the_job_or_an_interrupt() {
        let (one, interrupt) = (broker(), Interrupt::default());
        interrupt
            .flag()
            .store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(matches!(
            follow(&one, &interrupt, |one| one.wait(&mut |_| {})),
            Ok(false)
        ));
        let error = follow(&one, &interrupt, |one| one.verify(MINUTE));
        assert!(matches!(
            error,
            Err(FollowError::Ask(AskError::Interrupted))
        ));
        one.stop("job", "a mistake").expect("there");
        let expected = "job job was stopped: a mistake";
        assert_eq!(verify(&one, MINUTE), Err(expected.to_owned()));
    }

    #[test]
    fn an_alarm_is_settled_by_a_quarantine() {
        let alarm = Alarm {
            job: "job".to_owned(),
            unit: 0,
            first_worker: "a".to_owned(),
            first_value: "1".to_owned(),
            second_worker: "b".to_owned(),
            second_value: "2".to_owned(),
        };
        let state = |name: &str, is_quarantined: bool| WorkerState {
            worker: Worker {
                name: name.to_owned(),
                about: String::new(),
            },
            units: 0,
            silent_ms: 0,
            quarantined: is_quarantined.then(|| "it lies".to_owned()),
        };
        let is_undecided = |out: [bool; 2]| {
            let known = [state("a", out[0]), state("b", out[1])];
            !undecided(std::slice::from_ref(&alarm), &known).is_empty()
        };
        assert!(is_undecided([false, false]));
        assert!(!is_undecided([true, false]) && !is_undecided([false, true]));
    }
}
