//! Options of a sequential test.

use crate::stats::{EloModel, Hypotheses, SprtDesign};

/// Units of the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Model {
    /// Logistic Elo, the usual one
    Logistic,
    /// Normalised Elo: the score's distance from 1/2 in standard deviations of a game
    Normalized,
    /// Elo of the program `BayesElo`
    Bayesian,
}

impl From<Model> for EloModel {
    fn from(model: Model) -> Self {
        match model {
            Model::Logistic => Self::Logistic,
            Model::Normalized => Self::Normalized,
            Model::Bayesian => Self::Bayesian,
        }
    }
}

/// Error probabilities of a test, and the units of its bounds.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct TestArgs {
    /// Probability of accepting H1 if the true difference is elo0
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,

    /// Probability of accepting H0 if the true difference is elo1
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,

    /// Units of elo0 and elo1
    #[arg(long, value_enum, default_value_t = Model::Logistic)]
    model: Model,
}

impl TestArgs {
    /// The test with these bounds.
    pub(super) fn design(&self, elo0: f64, elo1: f64) -> anyhow::Result<SprtDesign> {
        let model = self.model.into();
        let hypotheses = Hypotheses { elo0, elo1, model };
        SprtDesign::new(hypotheses, self.alpha, self.beta).map_err(super::bad)
    }
}
