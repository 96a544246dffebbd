//! A tuning on a lab: the values, as a function of the results of pairs in any order. Pure.
//!
//! The rule is that of [`crate::tune`]: iteration `k` starts from the values after iteration
//! `k - lag`, and results are applied in the order of the iterations. Which worker plays what, and
//! which server counts it, changes nothing.

use std::collections::BTreeMap;

use super::spec::{TestKind, TestSpec, TuneSpec};
use super::summary::{TuneSummary, TunedParameter};
use crate::model::{GameRecord, PairOptions};
use crate::stats::{Wdl, twelve_digits};
use crate::tune::Parameter;
use crate::tune::config::PLUS;
use crate::tune::parameter::{ParameterError, check_list};
use crate::tune::spsa::{Gains, Spsa};

impl TuneSpec {
    /// The options that are tuned.
    ///
    /// # Errors
    /// A line is no parameter, or an option comes twice.
    pub fn parsed(&self) -> Result<Vec<Parameter>, ParameterError> {
        let lines = self.parameters.iter();
        let parameters: Vec<Parameter> = lines
            .map(|line| Parameter::from_line(line))
            .collect::<Result<_, _>>()?;
        check_list(&parameters)?;
        Ok(parameters)
    }

    /// How far values move.
    pub const fn gains(&self) -> Gains {
        Gains {
            iterations: self.iterations,
            a_ratio: self.a_ratio,
            alpha: self.alpha,
            gamma: self.gamma,
        }
    }

    /// Number of pairs in all.
    pub const fn all_pairs(&self) -> u64 {
        self.iterations * self.pairs
    }
}

/// The values of a tuning so far.
#[derive(Clone, Debug)]
pub(super) struct TuneCount {
    spsa: Spsa,
    /// Number of pairs of an iteration.
    pairs: u64,
    /// Games of iterations that are not applied yet.
    open: BTreeMap<u64, Wdl>,
}

impl TuneCount {
    /// A tuning without results; `None` for another kind of test.
    pub(super) fn from_spec(spec: &TestSpec) -> Result<Option<Self>, ParameterError> {
        let TestKind::Tune { tune } = &spec.kind else {
            return Ok(None);
        };
        let spsa = Spsa::new(tune.parsed()?, tune.gains(), spec.seed, tune.lag.max(1));
        Ok(Some(Self {
            spsa,
            // `TestSpec::check` reports a 0; here it must not be divided by.
            pairs: tune.pairs.max(1),
            open: BTreeMap::new(),
        }))
    }

    /// Counts a game. Iterations that are complete are applied, in their order.
    pub(super) fn add(&mut self, record: &GameRecord) {
        let iteration = record.plan.pairing.number.0 / self.pairs;
        let games = self.open.entry(iteration).or_default();
        games.add(record.half_points(PLUS).expect("it plays in every game"));
        while let Some(games) = self.open.get(&self.spsa.done()).copied()
            && games.games() == 2 * self.pairs
        {
            self.open.remove(&self.spsa.done());
            self.spsa.apply(games);
        }
    }

    /// The options of both engines in a pair; `None` while results are missing on which they depend.
    pub(super) fn options(&self, pair: u64) -> Option<PairOptions> {
        let trial = self.spsa.trial(pair / self.pairs)?;
        Some(self.spsa.options(&trial))
    }

    /// The values so far.
    pub(super) fn values(&self) -> Vec<f64> {
        self.spsa.values().to_vec()
    }

    pub(super) fn summary(&self) -> TuneSummary {
        let values = self.spsa.parameters().iter().zip(self.spsa.values());
        let values = values.map(|(parameter, value)| TunedParameter {
            name: parameter.name.clone(),
            start: parameter.start,
            value: twelve_digits(*value).unwrap_or(*value),
            min: parameter.min,
            max: parameter.max,
        });
        TuneSummary {
            iterations: self.spsa.done(),
            of: self.spsa.gains().iterations,
            parameters: values.collect(),
        }
    }
}
