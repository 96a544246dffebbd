//! Options of tests that are yet to be played.

use clap::Args;

use super::test::TestArgs;
use crate::stats::{Counts, EloModel, PairModel, Pentanomial, SprtDesign};

/// A test and a model of its pairs.
#[derive(Clone, Debug, Args)]
pub(super) struct FutureArgs {
    /// H0: the new engine is no better than this
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo0: f64,

    /// H1: it is at least as good as this
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo1: f64,

    #[command(flatten)]
    test: TestArgs,

    /// Expected draw ratio of games
    #[arg(
        long,
        value_name = "PART",
        default_value_t = 0.5,
        conflicts_with = "like"
    )]
    draw_ratio: f64,

    /// Bias of the openings towards one side: root mean square in Elo
    #[arg(
        long,
        value_name = "ELO",
        default_value_t = 0.0,
        conflicts_with = "like"
    )]
    bias: f64,

    /// Expect pairs distributed as in an earlier test: LL,LD,DD,WD,WW, worst first
    #[arg(long, value_name = "LL,LD,DD,WD,WW")]
    like: Option<Pentanomial>,

    /// True differences to evaluate, in the units of elo0 and elo1, separated by commas [default:
    /// see above]
    #[arg(
        long,
        value_name = "ELO,…",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    elo: Vec<f64>,
}

impl FutureArgs {
    pub(super) fn design(&self) -> anyhow::Result<SprtDesign> {
        let design = self.test.design(self.elo0, self.elo1)?;
        if design.hypotheses().model == EloModel::Bayesian {
            let message = "the model bayesian depends on the games themselves, expected logistic or \
                           normalized";
            return Err(super::bad(message));
        }
        Ok(design)
    }

    pub(super) fn pairs(&self) -> anyhow::Result<PairModel> {
        if let Some(pairs) = self.like {
            if pairs.pairs() == 0 {
                return Err(super::bad("--like has no pairs"));
            }
            return Ok(PairModel::like(&Counts::of_pairs(pairs)));
        }
        if !(0.0..1.0).contains(&self.draw_ratio) {
            let found = self.draw_ratio;
            let message = format!("the draw ratio is {found}, expected 0 or more and less than 1");
            return Err(super::bad(message));
        }
        if !(0.0..=1000.0).contains(&self.bias) {
            let message = format!("the bias is {}, expected 0 to 1000 Elo", self.bias);
            return Err(super::bad(message));
        }
        Ok(PairModel::Games {
            draw_ratio: self.draw_ratio,
            bias: self.bias,
        })
    }

    /// The true differences requested; by default the bounds and points between and beyond them,
    /// one for each of `parts`, in units of the distance between the bounds.
    pub(super) fn elos(&self, parts: &[f64]) -> anyhow::Result<Vec<f64>> {
        if let Some(elo) = self
            .elo
            .iter()
            .find(|elo| !(-1000.0..=1000.0).contains(*elo))
        {
            let message = format!("{elo} is out of range, expected -1000 to 1000 Elo");
            return Err(super::bad(message));
        }
        if !self.elo.is_empty() {
            return Ok(self.elo.clone());
        }
        let width = self.elo1 - self.elo0;
        Ok(parts.iter().map(|part| self.elo0 + part * width).collect())
    }
}
