//! The units of a test, which come in rounds: a test that is decided early needs few of them, and
//! the pairings of a knockout or the values of a tuning depend on results. Pure.

use std::collections::BTreeMap;

use super::conduct::PairConductor;
use super::plan::{PlanError, openings};
use super::spec::TestSpec;
use crate::fleet::protocol::UnitBody;
use crate::model::{PairOptions, Pairing, RunConfig, TournamentFormat};
use crate::openings::{OpeningError, Openings};

/// Number of pairs that are made at first; later twice as many as are counted, and these.
const FIRST: u64 = 2_000;

/// The units of a test: those that were made, and which are next.
///
/// The key of a unit is the number of its pair, unless pairings depend on results: results that are
/// taken back can then change the pairings after them, and units of the old pairings stay unused.
#[derive(Debug)]
pub struct PairPlan {
    openings: Openings,
    made: Made,
}

#[derive(Debug)]
enum Made {
    /// The pairs with numbers below this one.
    Below(u64),
    /// Pairings by key, and the last key of each pair.
    Pairings(Vec<Pairing>, BTreeMap<u64, usize>),
}

impl PairPlan {
    /// The plan of a test with this configuration, before any unit is made.
    ///
    /// # Errors
    /// The openings cannot be read.
    pub fn new(spec: &TestSpec, config: &RunConfig) -> Result<Self, PlanError> {
        let depends = matches!(
            config.format,
            TournamentFormat::Swiss | TournamentFormat::Knockout
        );
        Ok(Self {
            openings: openings(spec)?,
            made: if depends {
                Made::Pairings(Vec::new(), BTreeMap::new())
            } else {
                Made::Below(0)
            },
        })
    }

    /// Whether the units that were made must be given to [`PairPlan::note`] one by one when the plan
    /// is made anew; otherwise their number is enough.
    pub const fn needs_units(&self) -> bool {
        matches!(self.made, Made::Pairings(..))
    }

    /// Notes a unit that was made: the next key is its.
    pub fn note(&mut self, unit: &UnitBody) {
        match &mut self.made {
            Made::Below(next) => *next += 1,
            Made::Pairings(all, last) => {
                last.insert(unit.pairing.number.0, all.len());
                all.push(unit.pairing);
            }
        }
    }

    /// Notes that the first `count` pairs were made.
    ///
    /// # Panics
    /// If the plan needs the units themselves.
    pub fn note_pairs(&mut self, count: u64) {
        match &mut self.made {
            Made::Below(next) => *next = count,
            Made::Pairings(..) => panic!("the plan needs the units themselves"),
        }
    }

    /// Number of units made, which is the key of the next one.
    pub fn made(&self) -> u64 {
        match &self.made {
            Made::Below(next) => *next,
            Made::Pairings(all, _) => all.len() as u64,
        }
    }

    /// The number of units of the test, as far as it is known: there may be more if it is larger than
    /// [`PairPlan::made`].
    pub fn total(&self, conductor: &PairConductor) -> u64 {
        let pairs = conductor.schedule().total().map_or_else(
            // At least one more, until a knockout is over.
            || conductor.schedule().wave().end() + u64::from(!conductor.is_over()),
            |games| games / 2,
        );
        match &self.made {
            Made::Below(_) => pairs,
            // Units of pairings that have changed stay unused, but `made` counts them.
            Made::Pairings(all, last) => pairs + (all.len() - last.len()) as u64,
        }
    }

    /// What is asked for in a unit that was made, but for options.
    ///
    /// # Errors
    /// Its opening cannot be read.
    ///
    /// # Panics
    /// If there is no such unit.
    pub fn unit(&self, key: u64, conductor: &PairConductor) -> Result<UnitBody, OpeningError> {
        let pairing = match &self.made {
            Made::Below(_) => conductor.schedule().pairing(key),
            Made::Pairings(all, _) => all[usize::try_from(key).expect("units are in memory")],
        };
        self.body(pairing, None)
    }

    /// The next units: what can be played now and was not made, at most `most`, and not many more
    /// than are likely to be needed.
    ///
    /// # Errors
    /// An opening cannot be read.
    pub fn next(
        &self,
        conductor: &PairConductor,
        most: usize,
    ) -> Result<Vec<UnitBody>, OpeningError> {
        let mut units = Vec::new();
        if conductor.is_over() {
            return Ok(units);
        }
        let room = (2 * conductor.pairs() + FIRST).saturating_sub(self.made());
        let most = most.min(usize::try_from(room).unwrap_or(most));
        let wave = conductor.schedule().wave();
        let first = match &self.made {
            Made::Below(next) => *next,
            Made::Pairings(..) => wave.first_pair,
        };
        for pair in first..wave.end() {
            if units.len() >= most {
                break;
            }
            let pairing = conductor.schedule().pairing(pair);
            if let Made::Pairings(all, last) = &self.made
                && last.get(&pair).is_some_and(|&key| all[key] == pairing)
            {
                // This unit was made before, and results that were taken back since have not
                // changed it.
                continue;
            }
            let options = conductor.options(pair);
            // Later pairs depend on the same results.
            if conductor.is_tuning() && options.is_none() {
                break;
            }
            units.push(self.body(pairing, options)?);
        }
        Ok(units)
    }

    fn body(
        &self,
        pairing: Pairing,
        options: Option<PairOptions>,
    ) -> Result<UnitBody, OpeningError> {
        Ok(UnitBody {
            opening: self.openings.get(pairing.opening)?,
            pairing,
            options,
        })
    }
}
