//! The broker within one process: no server, and nothing outlives it.

mod shelf;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use shelf::Shelf;

use super::{
    Alarm, Broker, BrokerError, Chunk, Job, JobState, Jobs, Lease, Progress, Put, Recorded,
    Standing, UnitResult, Worker, WorkerState,
};

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
    fn register(&self, worker: &Worker) -> Result<(), BrokerError> {
        self.state().register(worker, self.now())
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

    fn complete(&self, lease: &Lease, results: &[UnitResult]) -> Result<(), BrokerError> {
        self.state().complete(lease, results, self.now())
    }

    fn give_back(&self, lease: &Lease, inability: Option<&str>) -> Result<(), BrokerError> {
        if let Ok(shelf) = self.state().shelf_mut(&lease.job.id) {
            shelf.give_back(lease);
            if let Some(reason) = inability {
                shelf.note_inability(&lease.worker, reason);
            }
        }
        Ok(())
    }
}

impl Jobs for InProcess {
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

    fn stop(&self, job: &str, reason: &str) -> Result<(), BrokerError> {
        let mut state = self.state();
        let stopped = &mut state.shelf_mut(job)?.stopped;
        stopped.get_or_insert_with(|| reason.to_owned());
        Ok(())
    }

    fn quarantine(&self, worker: &str, reason: &str) -> Result<(), BrokerError> {
        let mut state = self.state();
        let known = state.workers.get_mut(worker);
        let known = known.ok_or_else(|| BrokerError::NoWorker(worker.to_owned()))?;
        known.quarantined.get_or_insert_with(|| reason.to_owned());
        for shelf in &mut state.shelves {
            // Its leases would else block their chunks until they expire.
            shelf.release_all_of(worker);
            shelf.discard(worker);
        }
        Ok(())
    }

    fn discard(&self, job: &str, worker: &str) -> Result<u64, BrokerError> {
        Ok(self.state().shelf_mut(job)?.discard(worker))
    }

    fn progress(&self, job: &str) -> Result<Progress, BrokerError> {
        Ok(self.state().shelf(job)?.progress())
    }

    fn results(&self, job: &str, after: u64, limit: u32) -> Result<Vec<Recorded>, BrokerError> {
        Ok(self.state().shelf(job)?.record.results(after, limit))
    }

    fn alarms(&self, job: &str) -> Result<Vec<Alarm>, BrokerError> {
        Ok(self.state().shelf(job)?.record.alarms.clone())
    }

    fn jobs(&self) -> Result<Vec<JobState>, BrokerError> {
        Ok(self.state().jobs(self.now()))
    }

    fn workers(&self) -> Result<Vec<WorkerState>, BrokerError> {
        Ok(self.state().workers(self.now()))
    }
}

#[derive(Debug)]
struct Enlisted {
    worker: Worker,
    registered: Duration,
    heard: Duration,
    quarantined: Option<String>,
}

/// All jobs and workers, and the calls that depend on the time. Every method takes effect completely
/// or not at all.
#[derive(Debug, Default)]
struct State {
    shelves: Vec<Shelf>,
    workers: BTreeMap<String, Enlisted>,
    /// The last number given to a lease or a result.
    last: u64,
}

impl State {
    /// Returns true if the job is already there.
    fn known(&self, job: &Job) -> Result<bool, BrokerError> {
        match self.shelf(&job.id) {
            Err(_) => Ok(false),
            Ok(shelf) => same(&shelf.job, job).map(|()| true),
        }
    }

    fn put(&mut self, job: &Job, chunks: Vec<Chunk>) -> Result<Put, BrokerError> {
        if self.known(job)? {
            return Ok(Put::Known);
        }
        self.shelves.push(Shelf::new(job, chunks));
        Ok(Put::New)
    }

    fn register(&mut self, worker: &Worker, now: Duration) -> Result<(), BrokerError> {
        if let Some(known) = self.workers.get_mut(&worker.name) {
            refuse_set_aside(known)?;
            known.worker = worker.clone();
            known.registered = now;
            known.heard = now;
        } else {
            let worker = worker.clone();
            let enlisted = Enlisted {
                worker,
                registered: now,
                heard: now,
                quarantined: None,
            };
            self.workers.insert(enlisted.worker.name.clone(), enlisted);
        }
        Ok(())
    }

    fn lease(
        &mut self,
        worker: &str,
        kinds: &[&str],
        now: Duration,
        visibility: Duration,
    ) -> Result<Option<Lease>, BrokerError> {
        self.hear(worker, now)?;
        // Leases and results share the counter, so a number is never given twice.
        self.last += 1;
        let token = self.last.to_string();
        let workers = &self.workers;
        // One that was heard since only lost the lease; one that registered since was started anew.
        let fell_silent = |worker: &str, since| {
            let known = workers.get(worker);
            known.is_some_and(|known| known.heard <= since || known.registered > since)
        };
        for shelf in &mut self.shelves {
            shelf.expire(now);
            if !kinds.contains(&shelf.job.kind.as_str()) {
                continue;
            }
            let until = now.saturating_add(visibility);
            if let Some(given) = shelf.lease(worker, token.clone(), (now, until), fell_silent) {
                let (job, worker) = (shelf.job.clone(), worker.to_owned());
                return Ok(Some(Lease {
                    token,
                    worker,
                    job,
                    chunk: given.chunk,
                    units: given.units,
                    attempt: given.attempt,
                }));
            }
        }
        Ok(None)
    }

    fn heartbeat(&mut self, lease: &Lease, now: Duration, visibility: Duration) -> Standing {
        if self.hear(&lease.worker, now).is_err() {
            return Standing::Lost;
        }
        let Ok(shelf) = self.shelf_mut(&lease.job.id) else {
            return Standing::Lost;
        };
        if let Some(reason) = &shelf.stopped {
            return Standing::Stopped(reason.clone());
        }
        shelf.expire(now);
        if shelf.prolong(&lease.token, now.saturating_add(visibility)) {
            Standing::Held
        } else {
            Standing::Lost
        }
    }

    fn complete(
        &mut self,
        lease: &Lease,
        results: &[UnitResult],
        now: Duration,
    ) -> Result<(), BrokerError> {
        self.hear(&lease.worker, now)?;
        let mut last = self.last;
        let shelf = self.shelf_mut(&lease.job.id)?;
        shelf.expire(now);
        if let Some(result) = results
            .iter()
            .find(|result| !shelf.holds(lease.chunk, result.key))
        {
            let (id, chunk, key) = (lease.job.id.clone(), lease.chunk, result.key);
            return Err(BrokerError::NotLeased { id, chunk, key });
        }
        shelf.take(&lease.worker, results, &mut last);
        shelf.finish(lease, results);
        self.last = last;
        Ok(())
    }

    fn jobs(&mut self, now: Duration) -> Vec<JobState> {
        let state = |shelf: &mut Shelf| {
            shelf.expire(now);
            let (job, progress, leased) = (shelf.job.clone(), shelf.progress(), shelf.leased());
            JobState {
                job,
                progress,
                leased,
            }
        };
        self.shelves.iter_mut().map(state).collect()
    }

    fn workers(&self, now: Duration) -> Vec<WorkerState> {
        let units = |name: &str| {
            self.shelves
                .iter()
                .map(|shelf| shelf.record.count_of(name))
                .sum()
        };
        let state = |(name, known): (&String, &Enlisted)| WorkerState {
            worker: known.worker.clone(),
            units: units(name),
            silent_ms: u64::try_from(now.saturating_sub(known.heard).as_millis())
                .unwrap_or(u64::MAX),
            quarantined: known.quarantined.clone(),
        };
        self.workers.iter().map(state).collect()
    }

    fn hear(&mut self, worker: &str, now: Duration) -> Result<(), BrokerError> {
        let known = self.workers.get_mut(worker);
        let known = known.ok_or_else(|| BrokerError::NoWorker(worker.to_owned()))?;
        refuse_set_aside(known)?;
        known.heard = now;
        Ok(())
    }

    fn shelf(&self, job: &str) -> Result<&Shelf, BrokerError> {
        let found = self.shelves.iter().find(|shelf| shelf.job.id == job);
        found.ok_or_else(|| BrokerError::NoJob(job.to_owned()))
    }

    fn shelf_mut(&mut self, job: &str) -> Result<&mut Shelf, BrokerError> {
        let found = self.shelves.iter_mut().find(|shelf| shelf.job.id == job);
        found.ok_or_else(|| BrokerError::NoJob(job.to_owned()))
    }
}

/// Compares two jobs of the same name; the error names the first field that differs.
fn same(known: &Job, put: &Job) -> Result<(), BrokerError> {
    let fields = [
        ("kind", known.kind == put.kind),
        ("body", known.body == put.body),
        ("number of units", known.units == put.units),
        ("treatment of second results", known.second == put.second),
        ("share done twice", known.again_every == put.again_every),
    ];
    match fields.iter().find(|(_, same)| !same) {
        None => Ok(()),
        Some(&(field, _)) => Err(BrokerError::OtherJob {
            id: put.id.clone(),
            field: field.to_owned(),
        }),
    }
}

fn refuse_set_aside(known: &Enlisted) -> Result<(), BrokerError> {
    match &known.quarantined {
        None => Ok(()),
        Some(reason) => Err(BrokerError::Quarantined {
            worker: known.worker.name.clone(),
            reason: reason.clone(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Second, Unit};

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// A job with one unit, and two workers registered at time 0.
    fn state() -> State {
        let mut state = State::default();
        let job = Job {
            id: "job".into(),
            kind: "kind".into(),
            body: String::new(),
            units: 1,
            second: Second::Compare,
            again_every: None,
        };
        let body = String::new();
        let units = vec![Unit { key: 0, body }];
        state.put(&job, vec![Chunk { units }]).expect("new");
        for name in ["one", "other"] {
            let (name, about) = (name.to_owned(), String::new());
            state.register(&Worker { name, about }, at(0)).expect("new");
        }
        state
    }

    #[test]
    fn time_is_over_to_the_moment() {
        let mut state = state();
        let mut lease = |worker, now| state.lease(worker, &["kind"], at(now), at(10));
        assert!(lease("one", 0).expect("known").is_some());
        assert!(lease("other", 9).expect("known").is_none());
        let next = lease("other", 10).expect("known");
        assert_eq!(next.map(|lease| lease.attempt), Some(2));
    }

    #[test]
    fn a_heartbeat_counts_from_when_it_comes() {
        let mut state = state();
        let held = state.lease("one", &["kind"], at(0), at(10)).expect("known");
        let held = held.expect("work");
        assert_eq!(state.heartbeat(&held, at(9), at(10)), Standing::Held);
        assert_eq!(state.heartbeat(&held, at(18), at(1)), Standing::Held);
        assert_eq!(state.heartbeat(&held, at(19), at(10)), Standing::Lost);
    }

    #[test]
    fn silence_is_counted_from_the_last_word() {
        let mut state = state();
        state.lease("one", &["kind"], at(3), at(10)).expect("known");
        let silent: Vec<u64> = state
            .workers(at(5))
            .iter()
            .map(|worker| worker.silent_ms)
            .collect();
        assert_eq!(silent, [2_000, 5_000]);
    }
}
