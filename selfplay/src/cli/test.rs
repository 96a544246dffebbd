//! The options of a sequential test.

use crate::stats::{EloModel, Hypotheses, SprtDesign};

/// In which units the bounds are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Model {
    /// Logistic Elo, the usual one
    Logistic,
    /// Normalised Elo: by how many standard deviations of a game a score differs from 1/2
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

/// How often a test may be wrong, and its units.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct TestArgs {
    /// The chance to accept H1 where the true difference is elo0
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,

    /// The chance to accept H0 where the true difference is elo1
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,

    /// The units of elo0 and elo1
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
