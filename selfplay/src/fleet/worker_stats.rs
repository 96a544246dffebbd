//! Totals over the games of each worker. Pure.

use std::collections::BTreeMap;

use crate::model::{EngineIndex, GameRecord};
use crate::stats::Pentanomial;

/// Totals over the games of one worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkerStats {
    /// Complete pairs, by points of the first engine.
    pub pairs: Pentanomial,
    pub games: u64,
    /// Number of games lost by a fault for which the machine may be to blame.
    pub faults: u64,
}

impl WorkerStats {
    pub fn plus(self, other: &Self) -> Self {
        let mut pairs = self.pairs;
        for (sum, more) in pairs.0.iter_mut().zip(other.pairs.0) {
            *sum += more;
        }
        Self {
            pairs,
            games: self.games + other.games,
            faults: self.faults + other.faults,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct StatsByWorker {
    workers: BTreeMap<String, WorkerStats>,
    /// Pairs of which one game is known: points of the first engine, doubled.
    halves: BTreeMap<u64, u8>,
}

impl StatsByWorker {
    /// Counts the games of a ledger.
    pub fn new<'a>(records: impl IntoIterator<Item = &'a GameRecord>) -> Self {
        let mut workers = Self::default();
        records.into_iter().for_each(|record| workers.add(record));
        workers
    }

    /// Counts a game. Both games of a pair come from the same worker.
    pub fn add(&mut self, record: &GameRecord) {
        // Games of a run on one machine have no worker.
        let Some(machine) = &record.machine else {
            return;
        };
        let stats = self.workers.entry(machine.worker.clone()).or_default();
        stats.games += 1;
        let fault = record.fault.as_ref();
        stats.faults += u64::from(fault.is_some_and(|fault| fault.kind.may_be_the_machine()));
        let points = record.half_points(EngineIndex(0)).unwrap_or(0);
        let pair = record.plan.pairing.number.0;
        match self.halves.remove(&pair) {
            None => {
                self.halves.insert(pair, points);
            }
            Some(other) => stats.pairs.0[usize::from(points + other)] += 1,
        }
    }

    pub const fn workers(&self) -> &BTreeMap<String, WorkerStats> {
        &self.workers
    }

    pub fn worker(&self, worker: &str) -> WorkerStats {
        self.workers.get(worker).copied().unwrap_or_default()
    }

    pub fn rest(&self, worker: &str) -> WorkerStats {
        let others = self.workers.iter().filter(|(name, _)| *name != worker);
        others.fold(WorkerStats::default(), |sum, (_, one)| sum.plus(one))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{FaultKind, GameResult};
    use crate::play::ledger::samples::{fault, played_by};

    #[test]
    fn games_are_counted_by_worker() {
        let games = [(0, "a"), (2, "b"), (1, "a"), (3, "b"), (4, "a")].map(|(game, worker)| {
            let mut record = played_by(worker, game, 4);
            if game == 2 {
                record.result = GameResult::WhiteWins;
                record.fault = Some(fault(EngineIndex(1), FaultKind::Crash, ""));
            }
            record
        });
        let workers = StatsByWorker::new(&games);
        let a = WorkerStats {
            pairs: Pentanomial([0, 0, 1, 0, 0]),
            games: 3,
            faults: 0,
        };
        let b = WorkerStats {
            pairs: Pentanomial([0, 0, 0, 1, 0]),
            games: 2,
            faults: 1,
        };
        assert_eq!((workers.worker("a"), workers.worker("b")), (a, b));
        assert_eq!((workers.rest("a"), workers.rest("c")), (b, a.plus(&b)));
    }
}
