//! `trainer fit`: fits the weights to predict game results (Texel tuning).
//!
//! The score of a position is the tapered sum of its weights times their counts; a logistic curve
//! converts it to White's expected points. The scale of the curve is fitted first, with the initial
//! weights, and then fixed: it defines the centipawn. Then Adam (Kingma and Ba 2015) minimises the
//! mean squared error of the expectation in mini-batches.
//!
//! Sums are taken over fixed chunks of the data in a fixed order, so the number of threads does not
//! affect the result.

mod data;
mod loss;
mod sample;
mod train;
mod weights_file;

use engine::eval::Touchstone;

use crate::files::TrainerError;
use crate::{Say, files, within};
use data::{Data, Source};
use sample::Weight;
use train::{Epoch, Settings};
use weights_file::Fitted;

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Files of positions: of positions and play
    ///
    /// Files of positions, as written by `positions` and `play`
    #[arg(required = true, value_name = "POSITIONS")]
    pub(crate) files: Vec<String>,

    /// File to write; replaced when it is complete
    #[arg(short, long, alias = "out", value_name = "FILE")]
    pub(crate) output: String,

    /// WDL weight: share of the result in the target
    ///
    /// WDL weight: the share of the game result in the target; the rest is the engine's score.
    #[arg(long, value_name = "L", default_value_t = 0.5, value_parser = within(0.0..=1.0))]
    pub(crate) lambda: f64,

    #[command(flatten)]
    pub(crate) settings: Settings,
}

/// Share of the games that are held out.
const HOLD_OUT: f64 = 0.1;

/// Reads positions and writes weights.
pub(crate) fn run(options: &Options, say: Say<'_>) -> Result<(), TrainerError> {
    let (settings, out) = (options.settings, &options.output);
    let source = Source {
        seed: settings.seed,
        hold_out: HOLD_OUT,
    };
    let mut data = Data::default();
    for path in &options.files {
        data.read(path, files::open(path)?, source)?;
    }
    files::check_split(&data.training, &data.hold_out)?;
    let start = sample::weights(&Touchstone::weights());
    let scale = data.aim(&start, options.lambda, say);
    let fitted = fit(&data, &start, scale, settings, say);
    files::write(out, |file| {
        weights_file::write(file, &fitted).map_err(files::at(out))
    })
}

/// Trains and reports the progress.
fn fit(data: &Data, start: &[Weight], scale: f64, settings: Settings, say: Say<'_>) -> Fitted {
    let (training, hold_out) = (data.training.len(), data.hold_out.len());
    say(&format!(
        "{} games, {training} training positions, {hold_out} held out",
        data.games
    ));
    say("epoch   training  held out");
    let report = |epoch: Epoch| {
        let Epoch { number, errors } = epoch;
        say(&format!(
            "{number:>5}   {:.6}  {:.6}",
            errors.training, errors.hold_out
        ));
    };
    let trained = train::train(data, start, scale, settings, report);
    let weights = sample::rounded(&trained.weights);
    let after = data.errors(&sample::weights(&weights), scale);
    say(&format!(
        "best epoch {}; errors with weights in whole centipawns {:.6}, {:.6}",
        trained.best.number, after.training, after.hold_out
    ));
    Fitted {
        weights,
        seed: settings.seed,
        games: data.games,
        positions: training + hold_out,
        before: trained.before,
        after,
    }
}

#[cfg(test)]
mod tests;
