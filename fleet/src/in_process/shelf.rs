//! One job with its chunks: which wait, which are leased, what came out.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::{
    Alarm, BrokerError, Chunk, Completed, Job, Progress, Recorded, Second, Unit, UnitResult,
};

/// The chunks of a job, if they hold each of its units once, in ascending order.
pub(super) fn checked(
    job: &Job,
    chunks: &mut dyn Iterator<Item = Chunk>,
) -> Result<Vec<Chunk>, BrokerError> {
    let mut expected = 0;
    let mut all = Vec::new();
    let wrong = |chunk: usize, found: String, expected: String| BrokerError::Units {
        id: job.id.clone(),
        chunk: chunk as u64,
        found,
        expected,
    };
    for chunk in chunks {
        if chunk.units.is_empty() {
            return Err(wrong(all.len(), "none".into(), expected.to_string()));
        }
        for unit in &chunk.units {
            if unit.key != expected || unit.key >= job.units {
                let expected = if expected < job.units {
                    expected.to_string()
                } else {
                    "none".into()
                };
                return Err(wrong(all.len(), unit.key.to_string(), expected));
            }
            expected += 1;
        }
        all.push(chunk);
    }
    if expected != job.units {
        return Err(wrong(all.len(), "none".into(), expected.to_string()));
    }
    Ok(all)
}

/// One of the times that a chunk is given out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Copy {
    pub(super) chunk: usize,
    /// 0, or 1 for the second time.
    pub(super) number: usize,
}

#[derive(Debug)]
struct Held {
    copy: Copy,
    worker: String,
    until: Duration,
}

#[derive(Debug, Default)]
struct ChunkState {
    units: Vec<Unit>,
    attempts: u32,
    /// Who holds or has done each copy.
    workers: [Option<String>; 2],
}

/// One job with its chunks.
#[derive(Debug)]
pub(super) struct Shelf {
    pub(super) job: Job,
    pub(super) stopped: Option<String>,
    pub(super) alarms: Vec<Alarm>,
    chunks: Vec<ChunkState>,
    waiting: BTreeSet<Copy>,
    leased: BTreeMap<String, Held>,
    results: BTreeMap<u64, Recorded>,
    compared: BTreeSet<u64>,
}

impl Shelf {
    pub(super) fn new(job: &Job, chunks: Vec<Chunk>) -> Self {
        let twice = |chunk: usize| {
            job.again_every
                .is_some_and(|every| (chunk as u64).is_multiple_of(every.get()))
        };
        let copies = (0..chunks.len()).flat_map(|chunk| {
            (0..=usize::from(twice(chunk))).map(move |number| Copy { chunk, number })
        });
        Self {
            job: job.clone(),
            stopped: None,
            alarms: Vec::new(),
            waiting: copies.collect(),
            chunks: chunks
                .into_iter()
                .map(|chunk| ChunkState {
                    units: chunk.units,
                    ..ChunkState::default()
                })
                .collect(),
            leased: BTreeMap::new(),
            results: BTreeMap::new(),
            compared: BTreeSet::new(),
        }
    }

    /// Takes back what was leased to somebody who was not heard of in time.
    pub(super) fn expire(&mut self, now: Duration) {
        let late: Vec<String> = self
            .leased
            .iter()
            .filter(|(_, held)| held.until <= now)
            .map(|(token, _)| token.clone())
            .collect();
        for token in late {
            self.release(&token);
        }
    }

    /// The next copy that this worker may have, and all that a lease says of it.
    pub(super) fn lease(
        &mut self,
        worker: &str,
        token: String,
        until: Duration,
    ) -> Option<(u64, u32, Vec<Unit>)> {
        if self.stopped.is_some() {
            return None;
        }
        let other_is_mine = |copy: &Copy| {
            self.chunks[copy.chunk].workers[1 - copy.number].as_deref() == Some(worker)
        };
        let copy = *self.waiting.iter().find(|copy| !other_is_mine(copy))?;
        self.waiting.remove(&copy);
        let worker = worker.to_owned();
        let chunk = &mut self.chunks[copy.chunk];
        chunk.attempts += 1;
        chunk.workers[copy.number] = Some(worker.clone());
        let leased = (copy.chunk as u64, chunk.attempts, chunk.units.clone());
        self.leased.insert(
            token,
            Held {
                copy,
                worker,
                until,
            },
        );
        Some(leased)
    }

    pub(super) fn prolong(&mut self, token: &str, until: Duration) -> bool {
        let held = self.leased.get_mut(token);
        held.map(|held| held.until = until).is_some()
    }

    /// Makes a leased copy one that waits.
    pub(super) fn release(&mut self, token: &str) {
        if let Some(held) = self.leased.remove(token) {
            self.chunks[held.copy.chunk].workers[held.copy.number] = None;
            self.waiting.insert(held.copy);
        }
    }

    pub(super) fn leased(&self) -> u64 {
        self.leased.len() as u64
    }

    /// Gives back all that a worker holds.
    pub(super) fn release_all_of(&mut self, worker: &str) {
        let of_worker = |held: &Held| held.worker == worker;
        let tokens: Vec<_> = self
            .leased
            .iter()
            .filter(|(_, held)| of_worker(held))
            .map(|(token, _)| token.clone())
            .collect();
        for token in tokens {
            self.release(&token);
        }
    }

    pub(super) fn holds(&self, chunk: u64, key: u64) -> bool {
        usize::try_from(chunk)
            .ok()
            .and_then(|chunk| self.chunks.get(chunk))
            .is_some_and(|chunk| chunk.units.iter().any(|unit| unit.key == key))
    }

    /// Keeps the result of a unit, or compares it; `number` is what it is kept by.
    pub(super) fn take(
        &mut self,
        worker: &str,
        result: &UnitResult,
        number: u64,
        completed: &mut Completed,
    ) {
        let Some(first) = self.results.get(&result.key) else {
            let recorded = Recorded {
                number,
                key: result.key,
                worker: worker.to_owned(),
                value: result.value.clone(),
            };
            self.results.insert(result.key, recorded);
            completed.taken += 1;
            return;
        };
        if first.worker != worker && self.job.second == Second::Compare {
            self.compared.insert(result.key);
        }
        if first.value == result.value || self.job.second == Second::Ignore {
            completed.second += 1;
            return;
        }
        let alarm = Alarm {
            job: self.job.id.clone(),
            unit: result.key,
            first_worker: first.worker.clone(),
            first_value: first.value.clone(),
            second_worker: worker.to_owned(),
            second_value: result.value.clone(),
        };
        // A call that is made again raises no second alarm.
        if !self.alarms.contains(&alarm) {
            self.alarms.push(alarm.clone());
        }
        completed.alarms.push(alarm);
    }

    /// Ends a lease whose units all have results.
    pub(super) fn finish(&mut self, token: &str, results: &[UnitResult]) {
        let Some(held) = self.leased.get(token) else {
            return;
        };
        let units = &self.chunks[held.copy.chunk].units;
        let brought = |unit: &Unit| results.iter().any(|result| result.key == unit.key);
        let kept_of_worker = |unit: &Unit| {
            self.results
                .get(&unit.key)
                .is_some_and(|first| first.worker == held.worker)
        };
        if units
            .iter()
            .all(|unit| brought(unit) || kept_of_worker(unit))
        {
            self.leased.remove(token);
        }
    }

    /// Drops the results of a worker; its chunks are to be done anew, by anybody.
    pub(super) fn forget(&mut self, worker: &str) -> u64 {
        let before = self.results.len();
        self.results.retain(|_, result| result.worker != worker);
        let leased: BTreeSet<Copy> = self.leased.values().map(|held| held.copy).collect();
        for (chunk, state) in self.chunks.iter_mut().enumerate() {
            let mut keys = state.units.iter().map(|unit| unit.key);
            if keys.all(|key| self.results.contains_key(&key)) {
                continue;
            }
            for number in [0, 1] {
                let copy = Copy { chunk, number };
                if state.workers[number].is_some() && !leased.contains(&copy) {
                    state.workers[number] = None;
                    self.waiting.insert(copy);
                }
            }
        }
        let results = &self.results;
        self.compared.retain(|key| results.contains_key(key));
        (before - self.results.len()) as u64
    }

    pub(super) fn progress(&self) -> Progress {
        let twice = (self.chunks.iter().enumerate()).filter(|(number, _)| {
            self.job
                .again_every
                .is_some_and(|every| (*number as u64).is_multiple_of(every.get()))
        });
        Progress {
            done: self.results.len() as u64,
            units: self.job.units,
            compared: self.compared.len() as u64,
            to_compare: twice.map(|(_, chunk)| chunk.units.len() as u64).sum(),
            alarms: self.alarms.len() as u64,
            stopped: self.stopped.clone(),
        }
    }

    pub(super) fn results(&self, after: u64, limit: u32) -> Vec<Recorded> {
        let mut later: Vec<_> = self
            .results
            .values()
            .filter(|result| result.number > after)
            .cloned()
            .collect();
        later.sort_by_key(|result| result.number);
        later.truncate(limit as usize);
        later
    }

    pub(super) fn results_of(&self, worker: &str) -> u64 {
        self.results
            .values()
            .filter(|result| result.worker == worker)
            .count() as u64
    }
}
