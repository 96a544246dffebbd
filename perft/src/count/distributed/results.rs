//! The results received so far, and whether they can be trusted. Pure.

use std::collections::BTreeMap;

use chess::perft::Breakdown;
use queue::{Alarm, Recorded, WorkerState};

use super::job::{Columns, JobKind, UnitCount};
use crate::count::units::Units;

/// The counts known so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JobResults {
    /// The count of each unit, if known.
    pub(crate) counts: Vec<Option<u64>>,
    /// The breakdown of each unit, if known; empty for a job without breakdowns.
    breakdowns: Vec<Option<Columns>>,
    kind: JobKind,
    /// The units counted by each worker.
    pub(crate) workers: BTreeMap<String, Vec<usize>>,
    /// The number of the last result taken.
    pub(crate) last: u64,
}

/// A result that is not a valid count.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ResultError {
    #[error("unit {unit}: worker {worker} brought '{value}', expected {expected}")]
    NoCount {
        unit: u64,
        worker: String,
        value: String,
        expected: &'static str,
    },
    #[error("unit {unit}: the count does not fit 64 bits; cut the tree at a later ply")]
    Overflow { unit: u64 },
    #[error("unit {unit} does not exist, expected one below {units}")]
    NoUnit { unit: u64, units: usize },
    #[error("unit {unit} has two results")]
    Twice { unit: u64 },
}

impl JobResults {
    pub(crate) fn new(kind: JobKind, units: usize) -> Self {
        let breakdowns = match kind {
            JobKind::Count => 0,
            JobKind::Breakdown => units,
        };
        Self {
            counts: vec![None; units],
            breakdowns: vec![None; breakdowns],
            kind,
            workers: BTreeMap::new(),
            last: 0,
        }
    }

    pub(crate) fn done(&self) -> usize {
        self.counts.iter().flatten().count()
    }

    pub(crate) fn take(&mut self, recorded: &Recorded) -> Result<(), ResultError> {
        let Recorded {
            key: unit,
            worker,
            value,
            ..
        } = recorded;
        let units = self.counts.len();
        let index = usize::try_from(*unit).ok().filter(|&index| index < units);
        let index = index.ok_or(ResultError::NoUnit { unit: *unit, units })?;
        let count = UnitCount::parse(self.kind, value).ok_or_else(|| ResultError::NoCount {
            unit: *unit,
            worker: worker.clone(),
            value: value.clone(),
            expected: match self.kind {
                JobKind::Count => "a number of leaf nodes",
                JobKind::Breakdown => "the ten numbers of a breakdown",
            },
        })?;
        let nodes = count.nodes().ok_or(ResultError::Overflow { unit: *unit })?;
        if self.counts[index].replace(nodes).is_some() {
            return Err(ResultError::Twice { unit: *unit });
        }
        if let UnitCount::Breakdown(columns) = count {
            self.breakdowns[index] = Some(columns);
        }
        self.workers.entry(worker.clone()).or_default().push(index);
        self.last = self.last.max(recorded.number);
        Ok(())
    }

    /// The count of a unit, if known.
    pub(super) fn count_of(&self, unit: usize) -> Option<UnitCount> {
        match self.kind {
            JobKind::Count => self.counts[unit].map(UnitCount::Nodes),
            JobKind::Breakdown => self.breakdowns[unit].map(UnitCount::Breakdown),
        }
    }

    /// The columns of the whole breakdown, summed up as the counts are.
    pub(crate) fn breakdown(&self, units: &Units) -> [u128; Breakdown::NAMES.len()] {
        std::array::from_fn(|column| {
            let counts = self.breakdowns.iter();
            let counts: Vec<_> = counts
                .map(|row| row.map(|columns| columns[column]))
                .collect();
            units.sum(&counts)
        })
    }
}

/// The alarms that nobody has decided: one is settled once a worker is quarantined for it, whose
/// unconfirmed results the broker has done again.
pub(crate) fn undecided(alarms: &[Alarm], known: &[WorkerState]) -> Vec<Alarm> {
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
    use queue::Worker;

    use super::*;

    fn recorded(number: u64, key: u64, worker: &str, value: &str) -> Recorded {
        Recorded {
            number,
            key,
            worker: worker.to_owned(),
            value: value.to_owned(),
        }
    }

    #[test]
    fn results_are_taken_once() {
        let mut results = JobResults::new(JobKind::Count, 3);
        for row in [(4, 2, "a", "20"), (9, 0, "b", "18446744073709551615")] {
            let (number, key, worker, value) = row;
            let taken = results.take(&recorded(number, key, worker, value));
            assert_eq!(taken, Ok(()));
        }
        assert_eq!(results.counts, [Some(u64::MAX), None, Some(20)]);
        assert_eq!((results.done(), results.last), (2, 9));
        assert_eq!(results.workers["a"], [2]);
    }

    #[test]
    fn errors_say_what_and_where() {
        let rows = [
            (
                recorded(2, 3, "a", "1"),
                "unit 3 does not exist, expected one below 3",
            ),
            (recorded(2, 0, "a", "1"), "unit 0 has two results"),
            (
                recorded(2, 1, "a", "overflow"),
                "unit 1: the count does not fit 64 bits; cut the tree at a later ply",
            ),
            (
                recorded(2, 1, "a", "-1"),
                "unit 1: worker a brought '-1', expected a number of leaf nodes",
            ),
            (
                recorded(2, 1, "a", "18446744073709551616"),
                "unit 1: worker a brought '18446744073709551616', expected a number of leaf nodes",
            ),
        ];
        for (result, expected) in rows {
            let mut results = JobResults::new(JobKind::Count, 3);
            results.take(&recorded(1, 0, "b", "5")).expect("sound");
            let error = results.take(&result).expect_err("a fault");
            assert_eq!(error.to_string(), expected);
        }
        let mut results = JobResults::new(JobKind::Breakdown, 3);
        let error = results
            .take(&recorded(1, 0, "b", "5"))
            .expect_err("a fault");
        let expected = "unit 0: worker b brought '5', expected the ten numbers of a breakdown";
        assert_eq!(error.to_string(), expected);
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
