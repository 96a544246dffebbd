//! The design of a test: its hypotheses and error probabilities.

use super::bayes_elo;
use super::counts::{Counts, Distribution};
use super::elo::{self, NELO_PER_DEVIATION};
pub use crate::model::EloModel;
use crate::model::SprtConfig;

/// Maximum absolute bound: 1000 normalised Elo mean a score of nearly 1.
const MAX_BOUND: f64 = 1000.0;
/// Bounds closer than this are indistinguishable in floating point.
const MIN_WIDTH: f64 = 0.001;

/// `BayesElo` bounds with pairs for which the results of the individual games are unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model bayesian needs the games by result, not only the pairs")]
pub struct UnknownDrawsError;

/// The two hypotheses of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses {
    /// H0: no stronger than this.
    pub elo0: f64,
    /// H1: at least as strong as this.
    pub elo1: f64,
    /// The unit of both.
    pub model: EloModel,
}

impl Hypotheses {
    /// Converts `BayesElo` bounds to logistic ones, using the draw parameter of these games, as in
    /// fishtest; other bounds are unchanged.
    ///
    /// # Errors
    ///
    /// If the model is `BayesElo` and the results of the games are unknown.
    pub fn for_counts(&self, counts: &Counts) -> Result<Self, UnknownDrawsError> {
        if self.model != EloModel::Bayesian {
            return Ok(*self);
        }
        let draw_elo = bayes_elo::draw_elo(counts.wdl().ok_or(UnknownDrawsError)?);
        Ok(Self {
            elo0: bayes_elo::to_elo(self.elo0, draw_elo),
            elo1: bayes_elo::to_elo(self.elo1, draw_elo),
            model: EloModel::Logistic,
        })
    }

    /// The expected scores that correspond to the bounds, given the deviation of `distribution`.
    pub(super) fn scores(&self, distribution: &Distribution) -> [f64; 2] {
        let deviation = distribution.deviation_per_game();
        [self.elo0, self.elo1].map(|elo| match self.model {
            // nElo is the distance of the score from 1/2 in deviations of one game, times 800/ln 10
            // (Van den Bergh, "Normalized Elo Practical", section 2).
            EloModel::Normalized => 0.5 + elo / NELO_PER_DEVIATION * deviation,
            EloModel::Logistic | EloModel::Bayesian => elo::to_score(elo),
        })
    }
}

/// A sequential test: its hypotheses and error probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtDesign {
    hypotheses: Hypotheses,
    alpha: f64,
    beta: f64,
}

/// Why a test is invalid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum DesignError {
    /// The second bound is not above the first.
    #[error("elo0 is {elo0} and elo1 is {elo1}, expected elo1 to be larger by {MIN_WIDTH} or more")]
    Order {
        /// The first bound.
        elo0: f64,
        /// The second bound.
        elo1: f64,
    },
    /// A bound outside the allowed range.
    #[error("{elo} is out of range, expected bounds from -{MAX_BOUND} to {MAX_BOUND} Elo")]
    Range {
        /// The bound.
        elo: f64,
    },
    /// Invalid error probabilities.
    #[error("alpha is {alpha} and beta is {beta}, expected both above 0 and their sum below 1")]
    Errors {
        /// The probability of accepting H1 wrongly.
        alpha: f64,
        /// The probability of accepting H0 wrongly.
        beta: f64,
    },
}

impl SprtDesign {
    /// A test that accepts H1 with probability `alpha` at `elo0`, and H0 with probability `beta` at
    /// `elo1`.
    ///
    /// # Errors
    ///
    /// If the bounds or the probabilities are invalid.
    pub fn new(hypotheses: Hypotheses, alpha: f64, beta: f64) -> Result<Self, DesignError> {
        let Hypotheses { elo0, elo1, .. } = hypotheses;
        for elo in [elo0, elo1] {
            // NaN is in no range.
            if !(-MAX_BOUND..=MAX_BOUND).contains(&elo) {
                return Err(DesignError::Range { elo });
            }
        }
        if elo1 - elo0 < MIN_WIDTH {
            return Err(DesignError::Order { elo0, elo1 });
        }
        // Otherwise Wald's lower bound would not be below 0 and the upper one not above it.
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(DesignError::Errors { alpha, beta });
        }
        Ok(Self {
            hypotheses,
            alpha,
            beta,
        })
    }

    /// The hypotheses.
    pub const fn hypotheses(&self) -> &Hypotheses {
        &self.hypotheses
    }

    /// The probability of accepting H1 at `elo0`.
    pub const fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The probability of accepting H0 at `elo1`.
    pub const fn beta(&self) -> f64 {
        self.beta
    }

    /// Wald's lower bound: H0 is accepted at or below it.
    pub fn lower_bound(&self) -> f64 {
        // A. Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics
        // 16 (1945).
        libm::log(self.beta / (1.0 - self.alpha))
    }

    /// Wald's upper bound: H1 is accepted at or above it.
    pub fn upper_bound(&self) -> f64 {
        libm::log((1.0 - self.beta) / self.alpha)
    }
}

impl TryFrom<&SprtConfig> for SprtDesign {
    type Error = DesignError;

    fn try_from(config: &SprtConfig) -> Result<Self, DesignError> {
        let hypotheses = Hypotheses {
            elo0: config.elo0,
            elo1: config.elo1,
            model: config.model,
        };
        Self::new(hypotheses, config.alpha, config.beta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<SprtDesign, DesignError> {
        let model = EloModel::Logistic;
        SprtDesign::new(Hypotheses { elo0, elo1, model }, alpha, beta)
    }

    #[test]
    fn bounds_are_wald_s() {
        let design = design(0.0, 5.0, 0.05, 0.1).expect("a test");
        assert!((design.lower_bound() - (0.1_f64 / 0.95).ln()).abs() < 1e-15);
        assert!((design.upper_bound() - (0.9_f64 / 0.05).ln()).abs() < 1e-15);
    }

    #[test]
    fn invalid_designs_are_rejected() {
        let rows = rows![
            design(5.0, 0.0, 0.05, 0.05) =>
                "elo0 is 5 and elo1 is 0, expected elo1 to be larger by 0.001 or more";
            design(1.0, 1.0, 0.05, 0.05) =>
                "elo0 is 1 and elo1 is 1, expected elo1 to be larger by 0.001 or more";
            design(f64::NAN, 1.0, 0.05, 0.05) =>
                "NaN is out of range, expected bounds from -1000 to 1000 Elo";
            design(0.0, 1001.0, 0.05, 0.05) =>
                "1001 is out of range, expected bounds from -1000 to 1000 Elo";
            design(0.0, 1.0, 0.0, 0.05) =>
                "alpha is 0 and beta is 0.05, expected both above 0 and their sum below 1";
            design(0.0, 1.0, 0.5, 0.5) =>
                "alpha is 0.5 and beta is 0.5, expected both above 0 and their sum below 1";
        ];
        for (found, expected) in rows {
            assert_eq!(found.expect_err(expected).to_string(), expected);
        }
    }
}
