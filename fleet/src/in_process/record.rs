//! The results of one job: the first for each unit is kept, later ones are compared with it.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Alarm, Completed, Job, Recorded, Second, UnitResult};

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
    pub(super) fn of(job: &Job) -> Self {
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
    pub(super) fn take(
        &mut self,
        worker: &str,
        result: &UnitResult,
        number: u64,
        completed: &mut Completed,
    ) {
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
            completed.taken += 1;
            return;
        };
        if first.worker != worker && self.second == Second::Compare {
            self.compared.insert(result.key);
        }
        if first.value == result.value || self.second == Second::Ignore {
            completed.second += 1;
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
            self.alarms.push(alarm.clone());
        }
        completed.alarms.push(alarm);
    }

    /// Discards the results of a worker and returns their keys.
    pub(super) fn forget(&mut self, worker: &str) -> BTreeSet<u64> {
        let of_worker = |result: &&Recorded| result.worker == worker;
        let dropped: Vec<Recorded> = self.results.values().filter(of_worker).cloned().collect();
        for result in &dropped {
            self.results.remove(&result.key);
            self.order.remove(&result.number);
            self.compared.remove(&result.key);
        }
        dropped.into_iter().map(|result| result.key).collect()
    }

    pub(super) fn is_by(&self, key: u64, worker: &str) -> bool {
        let kept = self.results.get(&key);
        kept.is_some_and(|kept| kept.worker == worker)
    }

    pub(super) fn len(&self) -> u64 {
        self.results.len() as u64
    }

    pub(super) fn compared(&self) -> u64 {
        self.compared.len() as u64
    }

    pub(super) fn count_of(&self, worker: &str) -> u64 {
        let results = self.results.values();
        results.filter(|result| result.worker == worker).count() as u64
    }

    pub(super) fn results(&self, after: u64, limit: u32) -> Vec<Recorded> {
        let Some(from) = after.checked_add(1) else {
            return Vec::new();
        };
        let later = self.order.range(from..).take(limit as usize);
        later.map(|(_, key)| self.results[key].clone()).collect()
    }
}
