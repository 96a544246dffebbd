//! Who is to be set aside: workers whose pairs are not from the distribution of the others', and workers
//! on whose machine games are lost by faults far more often than elsewhere. Pure.
//!
//! A worker is looked at when it has brought [`FEWEST_PAIRS`] pairs, twice as many, four times as many and so on, and once more
//! before a test is decided. The chance to set aside anybody by mistake in a whole run is [`LEVEL`] at most:
//! each look of each of `w` workers spends its part, `LEVEL / (2 w)` halved at each look, for either
//! reason (Bonferroni's inequality).
//!
//! Who is the odd one out? The one that differs most from the others together, if there are three that
//! have brought enough; of two that differ, nobody knows, and that is all that is told. Fishtest asks the same question of the same
//! counts: `get_chi2` and `get_bad_workers` in `server/fishtest/util.py`.

use std::collections::BTreeMap;
use std::fmt;

use super::chance::{Homogeneity, Share, homogeneity, more_than_its_share};
use super::conduct::{Conduct, Roll};
use crate::stats::Pentanomial;

/// The chance to set aside anybody by mistake in a run.
pub const LEVEL: f64 = 1e-3;
/// With fewer pairs nobody is looked at, and no rest compared with.
pub const FEWEST_PAIRS: u64 = 32;
/// Fewer faults tell nothing.
const FEWEST_FAULTS: u64 = 3;
/// So many workers must have brought enough pairs for one of them to be the odd one.
const FEWEST_WORKERS: usize = 3;

/// Remembers who was looked at.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    looks: BTreeMap<String, u32>,
}

/// A worker that is not like the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Its name.
    pub worker: String,
    /// In what.
    pub reason: Reason,
    /// Less than this chance was to be found.
    pub level: f64,
}

/// In what a worker differs.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// Its pairs.
    Pairs {
        /// Its own.
        own: Pentanomial,
        /// Those of all others.
        rest: Pentanomial,
        /// How they differ.
        test: Homogeneity,
        /// Whether it is known that it is this one and not the others.
        is_certain: bool,
    },
    /// Games lost by faults.
    Faults {
        /// Its own.
        own: Share,
        /// Those of all others.
        rest: Share,
        /// The chance of as many or more.
        p: f64,
    },
}

impl Finding {
    /// Whether it is known that it is this worker and not the others.
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

impl Watch {
    /// Looks at all whose turn it is, or, if a decision is about to fall, at all. The worst is found; once its games
    /// are gone, the others are to be looked at again.
    pub fn look(&mut self, roll: &Roll, is_last: bool) -> Option<Finding> {
        let due: Vec<(String, u32)> = roll
            .workers()
            .iter()
            .filter_map(|(name, conduct)| Some((name.clone(), self.due(name, conduct, is_last)?)))
            .collect();
        let worst = due
            .iter()
            .filter_map(|(name, look)| find(roll, name, *look))
            .filter(|found| found.is_certain() || is_last || roll.workers().len() < FEWEST_WORKERS)
            .max_by(|one, other| one.weight().total_cmp(&other.weight()));
        self.looks.extend(due);
        worst
    }

    /// Which look at a worker is due, from 1.
    fn due(&self, name: &str, conduct: &Conduct, is_last: bool) -> Option<u32> {
        let reached = (conduct.pairs.pairs() / FEWEST_PAIRS).checked_ilog2()? + 1;
        let before = self.looks.get(name).copied().unwrap_or(0);
        if reached > before {
            Some(reached)
        } else {
            is_last.then_some(before + 1)
        }
    }
}

impl Finding {
    /// Who differs most.
    fn weight(&self) -> f64 {
        match &self.reason {
            Reason::Pairs { test, .. } => test.chi2,
            // A machine that breaks games comes before one that bends them.
            Reason::Faults { p, .. } => f64::MAX * (1.0 - p),
        }
    }
}

/// Whether anybody deviates, seen at this look at one worker; it may be another that does.
fn find(roll: &Roll, name: &str, look: u32) -> Option<Finding> {
    let rest = roll.rest(name);
    if rest.pairs.pairs() < FEWEST_PAIRS {
        return None;
    }
    let workers = u32::try_from(roll.workers().len()).unwrap_or(u32::MAX);
    let halved = f64::from(look.min(1000));
    let level = LEVEL / (2.0 * f64::from(workers)) / libm::exp2(halved);
    faults(roll, name, level).or_else(|| pairs(roll, name, level))
}

fn faults(roll: &Roll, name: &str, level: f64) -> Option<Finding> {
    let share = |conduct: Conduct| Share {
        some: conduct.faults,
        of: conduct.games,
    };
    let (own, rest) = (share(roll.of(name)), share(roll.rest(name)));
    let p = more_than_its_share(own, rest);
    (own.some >= FEWEST_FAULTS && p < level).then(|| Finding {
        worker: name.to_owned(),
        reason: Reason::Faults { own, rest, p },
        level,
    })
}

/// If this worker differs from the others, the one that differs most.
fn pairs(roll: &Roll, name: &str, level: f64) -> Option<Finding> {
    let compare = |name: &str| homogeneity(roll.of(name).pairs, roll.rest(name).pairs);
    compare(name).filter(|test| test.p < level)?;
    let enough = roll
        .workers()
        .iter()
        .filter(|(_, conduct)| conduct.pairs.pairs() >= FEWEST_PAIRS);
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
            own: roll.of(worker).pairs,
            rest: roll.rest(worker).pairs,
            test,
            is_certain,
        },
        level,
    })
}

#[cfg(test)]
mod tests;
