//! Decides which workers to quarantine: those whose pairs do not have the distribution of the
//! others', and those on whose machine games are lost by faults far more often than elsewhere.
//! Pure.
//!
//! A worker is tested when it has delivered [`FEWEST_PAIRS`] pairs, twice as many, four times as
//! many and so on, and once more before a test stops. The probability of quarantining any worker by
//! mistake in a whole run is at most [`LEVEL`]: each test of each of `w` workers spends its share,
//! `LEVEL / (2 w)` halved at each test, for each of the two reasons (Bonferroni's inequality).
//!
//! The outlier is the worker that differs most from all others together, if at least three have
//! delivered enough. With only two, it is unknown which one is wrong, and the difference is merely
//! reported. Fishtest performs the same test on the same counts: `get_chi2` and `get_bad_workers`
//! in `server/fishtest/util.py`.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use super::worker_stats::{StatsByWorker, WorkerStats};
use crate::stats::Pentanomial;
use crate::stats::homogeneity::{CountShare, Homogeneity, homogeneity, more_than_its_share};

/// The probability of quarantining any worker by mistake in a run.
pub const LEVEL: f64 = 1e-3;
/// Minimum number of pairs of a worker, and of the others together, for a test.
pub const FEWEST_PAIRS: u64 = 32;
/// Minimum number of faults for a test.
const FEWEST_FAULTS: u64 = 3;
/// Minimum number of workers with enough pairs for one of them to be the outlier.
const FEWEST_WORKERS: usize = 3;

/// Remembers which workers were tested.
#[derive(Clone, Debug, Default)]
pub struct DeviationWatch {
    looks: BTreeMap<String, u32>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub worker: String,
    pub reason: Reason,
    /// The significance level that the p-value was below.
    pub level: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    Pairs {
        own: Pentanomial,
        rest: Pentanomial,
        test: Homogeneity,
        /// Whether this worker, and not the others, is known to be the outlier.
        is_certain: bool,
    },
    Faults {
        own: CountShare,
        rest: CountShare,
        /// The probability of at least as many by chance.
        p: f64,
    },
}

impl Finding {
    /// Returns true if this worker, and not the others, is known to be the outlier.
    pub const fn is_certain(&self) -> bool {
        match self.reason {
            Reason::Pairs { is_certain, .. } => is_certain,
            Reason::Faults { .. } => true,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = self.level;
        match &self.reason {
            Reason::Pairs {
                own, rest, test, ..
            } => {
                let Homogeneity { chi2, freedom, p } = test;
                write!(
                    f,
                    "its {} pairs [{own}] differ from the {} of the others [{rest}]: chi-squared {chi2:.1}, {freedom} \
                     degrees of freedom, p {p:.1e}, less than {level:.1e}",
                    own.pairs(),
                    rest.pairs()
                )
            }
            Reason::Faults { own, rest, p } => write!(
                f,
                "{} of its {} games were lost by faults that a machine can cause, of the others' {} of {}: p {p:.1e}, \
                 less than {level:.1e}",
                own.some, own.of, rest.some, rest.of
            ),
        }
    }
}

impl DeviationWatch {
    /// Tests all workers that are due, or all workers if a test is about to stop. Returns the worst
    /// finding; once its games are gone, the others are to be tested again.
    pub fn look(&mut self, roll: &StatsByWorker, is_last: bool) -> Option<Finding> {
        let due: Vec<(String, u32)> = roll
            .workers()
            .iter()
            .filter_map(|(name, stats)| Some((name.clone(), self.due(name, stats, is_last)?)))
            .collect();
        let worst = due
            .iter()
            .filter_map(|(name, look)| find(roll, name, *look))
            // An uncertain finding waits as long as a third worker may still deliver enough pairs.
            .filter(|found| found.is_certain() || is_last || roll.workers().len() < FEWEST_WORKERS)
            .max_by(|one, other| one.weight().total_cmp(&other.weight()));
        self.looks.extend(due);
        worst
    }

    /// The number of the test that is due for a worker, from 1.
    fn due(&self, name: &str, stats: &WorkerStats, is_last: bool) -> Option<u32> {
        let reached = (stats.pairs.pairs() / FEWEST_PAIRS).checked_ilog2()? + 1;
        let before = self.looks.get(name).copied().unwrap_or(0);
        if reached > before {
            Some(reached)
        } else {
            is_last.then_some(before + 1)
        }
    }
}

impl Finding {
    fn weight(&self) -> f64 {
        match &self.reason {
            Reason::Pairs { test, .. } => test.chi2,
            // Faults take precedence over skewed results.
            Reason::Faults { p, .. } => f64::MAX * (1.0 - p),
        }
    }
}

/// A finding from this test of one worker; the outlier may be another one.
fn find(roll: &StatsByWorker, name: &str, look: u32) -> Option<Finding> {
    let rest = roll.rest(name);
    if rest.pairs.pairs() < FEWEST_PAIRS {
        return None;
    }
    let workers = u32::try_from(roll.workers().len()).unwrap_or(u32::MAX);
    // 2^1000 is still a finite number.
    let halved = f64::from(look.min(1000));
    let level = LEVEL / (2.0 * f64::from(workers)) / libm::exp2(halved);
    faults(roll, name, level).or_else(|| pairs(roll, name, level))
}

fn faults(roll: &StatsByWorker, name: &str, level: f64) -> Option<Finding> {
    let share = |stats: WorkerStats| CountShare {
        some: stats.faults,
        of: stats.games,
    };
    let (own, rest) = (share(roll.worker(name)), share(roll.rest(name)));
    let p = more_than_its_share(own, rest);
    (own.some >= FEWEST_FAULTS && p < level).then(|| Finding {
        worker: name.to_owned(),
        reason: Reason::Faults { own, rest, p },
        level,
    })
}

/// If the pairs of this worker differ from the others', finds the worker that differs most.
fn pairs(roll: &StatsByWorker, name: &str, level: f64) -> Option<Finding> {
    let compare = |name: &str| homogeneity(roll.worker(name).pairs, roll.rest(name).pairs);
    compare(name).filter(|test| test.p < level)?;
    let enough = roll
        .workers()
        .iter()
        .filter(|(_, stats)| stats.pairs.pairs() >= FEWEST_PAIRS);
    let compared: Vec<(&String, Homogeneity)> = enough
        .filter_map(|(name, _)| Some((name, compare(name)?)))
        .collect();
    let is_certain = compared.len() >= FEWEST_WORKERS;
    let (worker, test) = compared
        .into_iter()
        .max_by(|(_, one), (_, other)| one.chi2.total_cmp(&other.chi2))?;
    Some(Finding {
        worker: worker.clone(),
        reason: Reason::Pairs {
            own: roll.worker(worker).pairs,
            rest: roll.rest(worker).pairs,
            test,
            is_certain,
        },
        level,
    })
}
