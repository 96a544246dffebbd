//! One job: its chunks, waiting, leased and done, and its results, of which the first for each unit is kept and later
//! ones are compared with it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::model::{Units, is_done_twice};
use crate::{Alarm, BrokerError, Chunk, Job, Lease, Progress, Recorded, Second, Unit, UnitResult};

/// So many workers that cannot do a job flag it.
const UNABLE_WORKERS: usize = 3;
/// So many workers that fell silent while they had the same chunk flag its job, and so many times
/// that fewer did.
const SILENT_WORKERS: usize = 3;
const SILENCES: usize = 5;

/// Collects the chunks of a job, and checks that they contain each of its units once, in order.
pub(super) fn checked(
    job: &Job,
    chunks: &mut dyn Iterator<Item = Chunk>,
) -> Result<Vec<Chunk>, BrokerError> {
    let mut units = Units::from_job(job);
    let mut all = Vec::new();
    for chunk in chunks {
        units.follow(&chunk)?;
        all.push(chunk);
    }
    units.end()?;
    Ok(all)
}

/// Whether a chunk is leased for the first time, or again in order to compare results.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Turn {
    First,
    /// Not for this worker, which had the first turn.
    Second(String),
}

#[derive(Debug)]
struct Held {
    chunk: usize,
    turn: Turn,
    worker: String,
    since: Duration,
    until: Duration,
}

#[derive(Debug)]
struct ChunkState {
    units: Vec<Unit>,
    attempts: u32,
    /// The worker of the last lease, and when it got it, if the time of that lease is over.
    expired: Option<(String, Duration)>,
    /// Workers that fell silent while they had it.
    silent: Vec<String>,
    /// Whether its results were discarded and it has not been leased since.
    is_anew: bool,
}

impl ChunkState {
    /// Why nobody should get it any more, if too many fell silent.
    fn deadly(&self) -> Option<String> {
        let times = self.silent.len();
        let workers = self.silent.iter().collect::<BTreeSet<_>>().len();
        if workers >= SILENT_WORKERS {
            return Some(format!("{workers} workers fell silent while doing it"));
        }
        (times >= SILENCES).then(|| format!("workers fell silent {times} times while doing it"))
    }

    fn holds(&self, key: u64) -> bool {
        // A chunk is never empty and has no gaps.
        key >= self.units[0].key && key - self.units[0].key < self.units.len() as u64
    }
}

/// One job with its chunks.
#[derive(Debug)]
pub(super) struct Shelf {
    pub(super) job: Job,
    pub(super) stopped: Option<String>,
    pub(super) record: Record,
    chunks: Vec<ChunkState>,
    first: BTreeSet<usize>,
    /// By the worker that had the first turn.
    second: BTreeMap<String, BTreeSet<usize>>,
    leased: BTreeMap<String, Held>,
    /// The workers that cannot do this job.
    unable: BTreeSet<String>,
    /// Why nobody gets chunks any more: too many workers could not do the job, or fell silent.
    flagged: Option<String>,
}

/// The part of a lease that concerns a chunk.
pub(super) struct Given {
    pub(super) chunk: u64,
    pub(super) attempt: u32,
    pub(super) units: Vec<Unit>,
}

impl Shelf {
    pub(super) fn new(job: &Job, chunks: Vec<Chunk>) -> Self {
        let state = |chunk: Chunk| ChunkState {
            units: chunk.units,
            attempts: 0,
            expired: None,
            silent: Vec::new(),
            is_anew: false,
        };
        Self {
            job: job.clone(),
            stopped: None,
            record: Record::from_job(job),
            first: (0..chunks.len()).collect(),
            chunks: chunks.into_iter().map(state).collect(),
            second: BTreeMap::new(),
            leased: BTreeMap::new(),
            unable: BTreeSet::new(),
            flagged: None,
        }
    }

    /// Releases chunks whose workers were silent for too long.
    pub(super) fn expire(&mut self, now: Duration) {
        for held in self.release_where(|held| held.until <= now) {
            self.chunks[held.chunk].expired = Some((held.worker, held.since));
        }
    }

    /// Releases all chunks of a worker.
    pub(super) fn release_all_of(&mut self, worker: &str) {
        self.release_where(|held| held.worker == worker);
    }

    fn release_where(&mut self, is_meant: impl Fn(&Held) -> bool) -> Vec<Held> {
        let meant = self.leased.extract_if(.., |_, held| is_meant(held));
        let released: Vec<Held> = meant.map(|(_, held)| held).collect();
        for held in &released {
            self.offer(held.chunk, held.turn.clone());
        }
        released
    }

    /// A worker cannot do this job.
    pub(super) fn note_inability(&mut self, worker: &str, reason: &str) {
        self.unable.insert(worker.to_owned());
        if self.unable.len() >= UNABLE_WORKERS {
            self.flagged.get_or_insert_with(|| reason.to_owned());
        }
    }

    /// Makes a leased chunk wait again. A worker that gives it back did not fall silent, be it late.
    pub(super) fn give_back(&mut self, lease: &Lease) {
        if let Some(held) = self.leased.remove(&lease.token) {
            self.offer(held.chunk, held.turn);
        } else if let Ok(chunk) = usize::try_from(lease.chunk)
            && let Some(state) = self.chunks.get_mut(chunk)
            // Another worker may have the chunk by now, and this one speaks only for its own lease.
            && state.attempts == lease.attempt
        {
            state.expired = None;
        }
    }

    fn offer(&mut self, chunk: usize, turn: Turn) {
        match turn {
            Turn::First => self.first.insert(chunk),
            Turn::Second(other) => self.second.entry(other).or_default().insert(chunk),
        };
    }

    /// The next chunk for this worker, from `now` until `until`. Second turns come first, so that a
    /// worker with wrong results is detected early. `fell_silent` is whether a worker has, since it
    /// got a chunk.
    pub(super) fn lease(
        &mut self,
        worker: &str,
        token: String,
        (now, until): (Duration, Duration),
        fell_silent: impl Fn(&str, Duration) -> bool,
    ) -> Option<Given> {
        if self.stopped.is_some() || self.flagged.is_some() || self.unable.contains(worker) {
            return None;
        }
        let (chunk, turn) = loop {
            let (chunk, turn) = self.take_second(worker).or_else(|| {
                let chunk = self.first.pop_first()?;
                Some((chunk, Turn::First))
            })?;
            let state = &mut self.chunks[chunk];
            if let Some((worker, since)) = state.expired.take()
                && fell_silent(&worker, since)
            {
                state.silent.push(worker);
            }
            let Some(reason) = state.deadly() else {
                break (chunk, turn);
            };
            // Of a job that is complete, a second turn that nobody survives is given up.
            if !self.record.is_complete(&self.job) {
                self.flagged = Some(format!("chunk {chunk}: {reason}"));
                self.offer(chunk, turn);
                return None;
            }
        };
        let state = &mut self.chunks[chunk];
        state.attempts += 1;
        state.is_anew = false;
        let (attempt, units) = (state.attempts, state.units.clone());
        let worker = worker.to_owned();
        let held = Held {
            chunk,
            turn,
            worker,
            since: now,
            until,
        };
        self.leased.insert(token, held);
        let chunk = chunk as u64;
        Some(Given {
            chunk,
            attempt,
            units,
        })
    }

    fn take_second(&mut self, worker: &str) -> Option<(usize, Turn)> {
        let mut of_others = self.second.iter_mut().filter(|(other, _)| *other != worker);
        let (other, chunks) = of_others.find(|(_, chunks)| !chunks.is_empty())?;
        let chunk = chunks.pop_first()?;
        Some((chunk, Turn::Second(other.clone())))
    }

    pub(super) fn prolong(&mut self, token: &str, until: Duration) -> bool {
        let held = self.leased.get_mut(token);
        held.map(|held| held.until = until).is_some()
    }

    pub(super) fn leased(&self) -> u64 {
        self.leased.len() as u64
    }

    pub(super) fn holds(&self, chunk: u64, key: u64) -> bool {
        let chunk = usize::try_from(chunk).ok();
        let state = chunk.and_then(|chunk| self.chunks.get(chunk));
        state.is_some_and(|state| state.holds(key))
    }

    /// Keeps or compares the results of a worker; those kept are numbered from `last` on.
    pub(super) fn take(&mut self, worker: &str, results: &[UnitResult], last: &mut u64) {
        for result in results {
            *last += 1;
            self.record.take(worker, result, *last);
        }
    }

    /// Ends a lease once its worker has delivered results for all units, now or before.
    pub(super) fn finish(&mut self, lease: &Lease, results: &[UnitResult]) {
        let Ok(chunk) = usize::try_from(lease.chunk) else {
            return;
        };
        let brought: BTreeSet<u64> = results.iter().map(|result| result.key).collect();
        let is_done =
            |unit: &Unit| brought.contains(&unit.key) || self.record.is_by(unit.key, &lease.worker);
        if !self.chunks[chunk].units.iter().all(is_done) {
            return;
        }
        if self.end(chunk, lease) == Some(Turn::First) && is_done_twice(&self.job, lease.chunk) {
            self.offer(chunk, Turn::Second(lease.worker.clone()));
        }
    }

    /// Takes a chunk off the shelf, also for a late lease unless the chunk was leased again since.
    fn end(&mut self, chunk: usize, lease: &Lease) -> Option<Turn> {
        if let Some(held) = self.leased.remove(&lease.token) {
            return Some(held.turn);
        }
        let state = &self.chunks[chunk];
        if state.is_anew || state.attempts != lease.attempt {
            return None;
        }
        if self.first.remove(&chunk) {
            return Some(Turn::First);
        }
        let mut waiting = self.second.iter_mut();
        let (other, _) =
            waiting.find_map(|(other, chunks)| chunks.remove(&chunk).then_some((other, chunks)))?;
        Some(Turn::Second(other.clone()))
    }

    /// Discards the results of a worker; any worker may then lease its chunks.
    pub(super) fn discard(&mut self, worker: &str) -> u64 {
        let dropped = self.record.discard(worker);
        let is_open = |state: &ChunkState| {
            let first = state.units[0].key;
            let keys = first..first + state.units.len() as u64;
            dropped.range(keys).next().is_some()
        };
        let open: BTreeSet<usize> = (self.chunks.iter().enumerate())
            .filter(|(_, state)| is_open(state))
            .map(|(chunk, _)| chunk)
            .collect();
        // A chunk done again has a first turn; its second turn comes after that.
        for chunks in self.second.values_mut() {
            chunks.retain(|chunk| !open.contains(chunk));
        }
        self.leased
            .retain(|_, held| held.turn == Turn::First || !open.contains(&held.chunk));
        let in_work: BTreeSet<usize> = self.leased.values().map(|held| held.chunk).collect();
        for chunk in open {
            if !in_work.contains(&chunk) && self.first.insert(chunk) {
                self.chunks[chunk].is_anew = true;
            }
        }
        dropped.len() as u64
    }

    pub(super) fn progress(&self) -> Progress {
        let chunks = self.chunks.iter().enumerate();
        let twice = chunks.filter(|(chunk, _)| is_done_twice(&self.job, *chunk as u64));
        Progress {
            done: self.record.results.len() as u64,
            units: self.job.units,
            compared: self.record.compared.len() as u64,
            to_compare: twice.map(|(_, chunk)| chunk.units.len() as u64).sum(),
            alarms: self.record.alarms.len() as u64,
            flagged: self.flagged.clone(),
            stopped: self.stopped.clone(),
        }
    }
}

#[derive(Debug)]
pub(super) struct Record {
    job: String,
    second: Second,
    pub(super) alarms: Vec<Alarm>,
    results: BTreeMap<u64, Recorded>,
    /// The keys, by result number.
    order: BTreeMap<u64, u64>,
    compared: BTreeSet<u64>,
}

impl Record {
    pub(super) fn from_job(job: &Job) -> Self {
        Self {
            job: job.id.clone(),
            second: job.second,
            alarms: Vec::new(),
            results: BTreeMap::new(),
            order: BTreeMap::new(),
            compared: BTreeSet::new(),
        }
    }

    /// Keeps the result of a unit under `number`, or compares it.
    pub(super) fn take(&mut self, worker: &str, result: &UnitResult, number: u64) {
        let Some(first) = self.results.get(&result.key) else {
            let (key, value) = (result.key, result.value.clone());
            let worker = worker.to_owned();
            let recorded = Recorded {
                number,
                key,
                worker,
                value,
            };
            self.results.insert(key, recorded);
            self.order.insert(number, key);
            return;
        };
        // A worker that repeats its own result confirms nothing.
        if first.worker != worker && self.second == Second::Compare {
            self.compared.insert(result.key);
        }
        if first.value == result.value || self.second == Second::Ignore {
            return;
        }
        let alarm = Alarm {
            job: self.job.clone(),
            unit: result.key,
            first_worker: first.worker.clone(),
            first_value: first.value.clone(),
            second_worker: worker.to_owned(),
            second_value: result.value.clone(),
        };
        // A repeated call raises no second alarm.
        if !self.alarms.contains(&alarm) {
            self.alarms.push(alarm);
        }
    }

    /// Discards the results of a worker and returns their keys.
    pub(super) fn discard(&mut self, worker: &str) -> BTreeSet<u64> {
        let of_worker = |result: &&Recorded| result.worker == worker;
        let dropped: Vec<Recorded> = self.results.values().filter(of_worker).cloned().collect();
        for result in &dropped {
            self.results.remove(&result.key);
            self.order.remove(&result.number);
            // The result that it was compared with is gone.
            self.compared.remove(&result.key);
        }
        dropped.into_iter().map(|result| result.key).collect()
    }

    fn is_complete(&self, job: &Job) -> bool {
        self.results.len() as u64 == job.units
    }

    pub(super) fn is_by(&self, key: u64, worker: &str) -> bool {
        let kept = self.results.get(&key);
        kept.is_some_and(|kept| kept.worker == worker)
    }

    pub(super) fn count_of(&self, worker: &str) -> u64 {
        let results = self.results.values();
        results.filter(|result| result.worker == worker).count() as u64
    }

    pub(super) fn results(&self, after: u64, limit: u32) -> Vec<Recorded> {
        // Nothing comes after the last number that there is.
        let Some(from) = after.checked_add(1) else {
            return Vec::new();
        };
        let later = self.order.range(from..).take(limit as usize);
        later.map(|(_, key)| self.results[key].clone()).collect()
    }
}
