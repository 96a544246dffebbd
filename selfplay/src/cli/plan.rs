//! `selfplay plan`.

use kit::{Exit, output};

use super::Format;
use super::model::FutureArgs;
use crate::report;
use crate::stats::plan;

/// How many games a sequential test will take, and how likely it is to pass
///
/// For each true difference: the probability that H1 is accepted; the mean number of games of all
/// tests, of those that pass and of those that fail; and the number of games by which 50% and 95%
/// of the tests have ended. Without --elo the true differences are elo0, elo1 and seven others
/// between and beyond them. Lengths are those of a random walk without overshoot;
/// `selfplay simulate` runs the test itself.
///
/// Examples: `selfplay plan --elo0 0 --elo1 5`,
/// `selfplay plan --elo0 0 --elo1 2 --model normalized --draw-ratio 0.6 --bias 90 --elo 0,1,2`.
#[derive(Debug, clap::Args)]
pub(super) struct PlanArgs {
    #[command(flatten)]
    future: FutureArgs,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

const PARTS: [f64; 9] = [-1.0, -0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0];

pub(super) fn run(args: &PlanArgs) -> anyhow::Result<Exit> {
    let design = args.future.design()?;
    let pairs = args.future.pairs()?;
    let plans = args.future.elos(&PARTS)?;
    let plans = plans.into_iter().map(|elo| plan(&pairs, &design, elo));
    let plans = plans.collect::<Result<Vec<_>, _>>().map_err(super::bad)?;
    output::to_stdout(match args.format {
        Format::Human => report::plan::human(&plans),
        Format::Json => report::plan::json(&design, &plans),
    })?;
    Ok(Exit::Agreed)
}
