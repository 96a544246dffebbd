//! The results received so far, and whether they can be trusted. Pure.

use std::collections::BTreeMap;

use chess::perft::Breakdown;
use queue::Recorded;

use super::job::{Columns, CountKind, UnitCount};
use crate::count::units::Units;

/// The counts known so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JobResults {
    /// The count of each unit, if known.
    pub(crate) counts: Vec<Option<u64>>,
    /// The breakdown of each unit, if known; empty for a job without breakdowns.
    breakdowns: Vec<Option<Columns>>,
    kind: CountKind,
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
    pub(crate) fn new(kind: CountKind, units: usize) -> Self {
        let breakdowns = match kind {
            CountKind::Count => 0,
            CountKind::Breakdown => units,
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
                CountKind::Count => "a number of leaf nodes",
                CountKind::Breakdown => "the ten numbers of a breakdown",
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

#[cfg(test)]
mod tests {
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
        let mut results = JobResults::new(CountKind::Count, 3);
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
            let mut results = JobResults::new(CountKind::Count, 3);
            results.take(&recorded(1, 0, "b", "5")).expect("sound");
            let error = results.take(&result).expect_err("a fault");
            assert_eq!(error.to_string(), expected);
        }
        let mut results = JobResults::new(CountKind::Breakdown, 3);
        let error = results
            .take(&recorded(1, 0, "b", "5"))
            .expect_err("a fault");
        let expected = "unit 0: worker b brought '5', expected the ten numbers of a breakdown";
        assert_eq!(error.to_string(), expected);
    }
}
