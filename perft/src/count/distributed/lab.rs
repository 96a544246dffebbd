//! A count of a lab: its job, and the sum of its results, once they are in. Pure.

use std::num::NonZeroU64;
use std::sync::atomic::AtomicBool;

use chess::notation::{fen, uci_move};
use chess::perft::Breakdown;
use chess::rules::Position;
use queue::{Chunk, Job, Recorded};

use super::job::{CUT, CountKind, JobBody, JobPlan};
use super::results::JobResults;
use crate::count::units::{Cut, CutError, Units};

/// A count, cut into units.
#[derive(Debug)]
pub struct CountPlan {
    kind: CountKind,
    units: Units,
    again_every: Option<NonZeroU64>,
}

/// Why there is no plan of a count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CountPlanError(String);

impl From<CutError> for CountPlanError {
    fn from(error: CutError) -> Self {
        Self(error.to_string())
    }
}

/// A result that cannot be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountFault {
    /// The unit has a result already: one was discarded and replaced. All are to be read again.
    Twice,
    /// The value is no count, or there is no such unit.
    Invalid,
    /// The count does not fit 64 bits: the tree is to be cut at a later ply.
    Overflow,
}

impl CountPlan {
    /// Cuts the tree of a position, by default the start position. With `again_every`, one in so
    /// many chunks is counted twice at least.
    ///
    /// # Errors
    /// The position is invalid; the tree is too large or too wide.
    pub fn new(
        position: Option<&str>,
        depth: u32,
        is_breakdown: bool,
        again_every: Option<NonZeroU64>,
    ) -> Result<Self, CountPlanError> {
        let kind = if is_breakdown {
            CountKind::Breakdown
        } else {
            CountKind::Count
        };
        let position = position.map_or_else(|| Ok(Position::startpos()), fen::parse);
        let position = position.map_err(|error| CountPlanError(error.to_string()))?;
        let cut = |cut| Units::new(&position, depth, cut, &AtomicBool::new(false));
        let mut units = cut(CUT)?;
        if units.ply == 0 {
            // Where the tree is cut at its root, there is no count by root move.
            units = cut(Cut::Ply(1))?;
        }
        Ok(Self {
            kind,
            units,
            again_every,
        })
    }

    /// The plan of a job, by its kind and body.
    ///
    /// # Errors
    /// They are not those of a count.
    pub fn of_job(kind: &str, body: &str) -> Result<Self, CountPlanError> {
        let wrong = || CountPlanError(format!("'{body}' is not a count of the kind {kind}"));
        let kind = CountKind::from_name(kind).ok_or_else(wrong)?;
        let JobBody { fen, depth, ply } = serde_json::from_str(body).map_err(|_| wrong())?;
        let position = chess::notation::fen::parse(&fen).map_err(|_| wrong())?;
        let units = Units::new(&position, depth, Cut::Ply(ply), &AtomicBool::new(false))?;
        Ok(Self {
            kind,
            units,
            again_every: None,
        })
    }

    fn plan(&self) -> JobPlan<'_> {
        JobPlan {
            kind: self.kind,
            units: &self.units,
            again_every: self.again_every,
            chunk: None,
        }
    }

    /// The job. Its name depends on the count alone.
    pub fn job(&self) -> Job {
        self.plan().job()
    }

    /// Its chunks.
    pub fn chunks(&self) -> Vec<Chunk> {
        self.plan().chunks().collect()
    }

    /// The position, as a FEN.
    pub fn fen(&self) -> String {
        fen::write(&self.units.position)
    }

    /// Number of units.
    pub fn units(&self) -> usize {
        self.units.list.len()
    }

    /// No results yet.
    pub fn totals(&self) -> CountTotals {
        CountTotals(JobResults::new(self.kind, self.units.list.len()))
    }
}

/// The results of a count so far.
#[derive(Clone, Debug)]
pub struct CountTotals(JobResults);

impl CountTotals {
    /// Takes a result.
    ///
    /// # Errors
    /// It cannot be counted; nothing changed, except after [`CountFault::Twice`].
    pub fn take(&mut self, recorded: &Recorded) -> Result<(), CountFault> {
        use super::results::ResultError;
        self.0.take(recorded).map_err(|error| match error {
            ResultError::Twice { .. } => CountFault::Twice,
            ResultError::Overflow { .. } => CountFault::Overflow,
            ResultError::NoCount { .. } | ResultError::NoUnit { .. } => CountFault::Invalid,
        })
    }

    /// Number of units counted.
    pub fn done(&self) -> usize {
        self.0.done()
    }

    /// The number of the last result taken.
    pub fn last(&self) -> u64 {
        self.0.last
    }

    /// Number of units by worker.
    pub fn workers(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0
            .workers
            .iter()
            .map(|(name, units)| (name.as_str(), units.len() as u64))
    }

    /// Leaf nodes below the units counted.
    pub fn nodes(&self, plan: &CountPlan) -> u128 {
        plan.units.sum(&self.0.counts)
    }

    /// Leaf nodes by root move, in UCI notation, once all units are counted.
    ///
    /// # Errors
    /// The tree is too wide.
    pub fn divide(&self, plan: &CountPlan) -> Result<Vec<(String, u128)>, CountPlanError> {
        let position = &plan.units.position;
        let rows = plan.units.by_root_move(&AtomicBool::new(false))?;
        let rows = rows.iter().filter_map(|row| {
            let text = uci_move::write(row.root_move, position, position.castling_mode());
            Some((text, row.sum(&self.0.counts)?))
        });
        Ok(rows.collect())
    }

    /// The columns of the breakdown by name; empty for a plain count.
    pub fn breakdown(&self, plan: &CountPlan) -> Vec<(&'static str, u128)> {
        match plan.kind {
            CountKind::Count => Vec::new(),
            CountKind::Breakdown => {
                let columns = self.0.breakdown(&plan.units);
                Breakdown::NAMES.into_iter().zip(columns).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_of_a_job_is_that_of_its_position() {
        let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let plan = CountPlan::new(Some(kiwipete), 4, true, NonZeroU64::new(2)).expect("a plan");
        let job = plan.job();
        let again = CountPlan::of_job(&job.kind, &job.body).expect("the same");
        assert_eq!((again.job().id, again.units()), (job.id, plan.units()));
        let mut totals = again.totals();
        let chunks = plan.chunks();
        let units = chunks.iter().flat_map(|chunk| &chunk.units);
        for (number, unit) in (1..).zip(units) {
            let position = fen::parse(&unit.body).expect("a position");
            let below = plan.units.depth_below();
            let never = AtomicBool::new(false);
            let sum = chess::perft::breakdown(&position, below, &never).expect("it fits");
            let recorded = Recorded {
                number,
                key: unit.key,
                worker: "a".to_owned(),
                value: sum.columns().map(|column| column.to_string()).join(" "),
            };
            assert_eq!(totals.take(&recorded), Ok(()));
            assert_eq!(totals.clone().take(&recorded), Err(CountFault::Twice));
        }
        assert_eq!(totals.nodes(&again), 4_085_603);
        let breakdown = totals.breakdown(&again);
        assert_eq!(breakdown[0].1, 4_085_603);
        assert!(
            breakdown.iter().any(|&(_, count)| count == 757_163),
            "captures"
        );
        let divide = totals.divide(&again).expect("it fits");
        let sum: u128 = divide.iter().map(|(_, nodes)| nodes).sum();
        assert_eq!((divide.len(), sum), (48, 4_085_603));
        assert!(divide.contains(&("e1g1".to_owned(), 86_975)), "{divide:?}");
        assert!(CountPlan::new(Some("e4"), 4, true, None).is_err());
        assert!(CountPlan::of_job("perft-count/2", &job.body).is_err());
    }
}
