//! The result of a sequential test from its final counts alone, without its history.

use super::after_stop::AfterStop;
use super::bayes_elo;
use super::counts::Counts;
use super::design::{EloModel, SprtDesign, UnknownDrawsError};
use super::llr::llr;
use super::sprt::SprtState;

/// The result of a sequential test, computed from counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// The design of the test.
    pub design: SprtDesign,
    /// The generalised log-likelihood ratio.
    pub llr: f64,
    /// The ratio in the `BayesElo` model itself, if the bounds are in its units and the games are
    /// known.
    pub llr_bayeselo: Option<f64>,
    /// The decision by Wald's bounds.
    pub state: SprtState,
    /// The estimated strength; `None` without games.
    pub after_stop: Option<AfterStop>,
}

impl Verdict {
    /// Evaluates a test on these counts.
    ///
    /// # Errors
    ///
    /// If the model is `BayesElo` and the results of the games are unknown.
    pub fn of(counts: &Counts, design: SprtDesign) -> Result<Self, UnknownDrawsError> {
        let hypotheses = design.hypotheses();
        let llr = llr(counts, hypotheses)?;
        let is_bayesian = hypotheses.model == EloModel::Bayesian;
        let games = counts.wdl().filter(|_| is_bayesian);
        Ok(Self {
            llr,
            llr_bayeselo: games.map(|wdl| bayes_elo::llr(wdl, hypotheses.elo0, hypotheses.elo1)),
            state: SprtState::of(llr, design.lower_bound(), design.upper_bound()),
            after_stop: AfterStop::of(counts, &design)?,
            design,
        })
    }
}
