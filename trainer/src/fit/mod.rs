//! `trainer fit`: fits the weights to predict game results (Texel tuning).
//!
//! The score of a position is the tapered sum of its weights times their counts; a logistic curve
//! converts it to White's expected points. The scale of the curve is fitted first, with the initial
//! weights, and then fixed: it defines the centipawn. Then Adam (Kingma and Ba 2015) minimises the
//! mean squared error of the expectation in mini-batches.
//!
//! Sums are taken over fixed chunks of the data in a fixed order, so the number of threads does not
//! affect the result.

mod adam;
mod data;
mod loss;
mod sample;
mod scale;
mod train;
mod weights_file;

use engine::eval::Touchstone;

use crate::arguments::Arguments;
use crate::error::TrainerError;
use crate::{files, say};
use data::{Data, Source};
use sample::Weight;
use train::{Epoch, Settings};
use weights_file::Fitted;

/// The options of this command.
pub(crate) const OPTIONS: &[&str] = &["epochs", "lambda", "hold-out", "rate", "batch", "spread"];

/// Reads positions and writes weights.
pub(crate) fn run(arguments: &Arguments) -> Result<(), TrainerError> {
    let settings = Settings::new(arguments)?;
    let lambda = arguments.number("lambda", 0.5, 0.0..=1.0)?;
    let source = Source {
        seed: settings.seed,
        hold_out: arguments.number("hold-out", 0.1, 0.0..=0.9)?,
    };
    let (paths, out) = (arguments.files()?, arguments.out()?);
    let mut data = Data::default();
    for path in paths {
        data.read(path, files::open(path)?, source)?;
    }
    data.check()?;
    let start = sample::weights(&Touchstone::weights());
    let scale = data.aim(&start, lambda);
    let fitted = fit(&data, &start, scale, settings);
    files::write(out, |file| {
        weights_file::write(file, &fitted).map_err(files::at(out))
    })
}

/// Trains and reports the progress.
fn fit(data: &Data, start: &[Weight], scale: f64, settings: Settings) -> Fitted {
    let (training, hold_out) = (data.training.len(), data.hold_out.len());
    say(&format!(
        "{} games, {training} positions to learn from, {hold_out} to judge by",
        data.games
    ));
    say("epoch   learnt from  held out");
    let tell = |epoch: Epoch| {
        let Epoch { number, errors } = epoch;
        say(&format!(
            "{number:>5}      {:.6}  {:.6}",
            errors.training, errors.hold_out
        ));
    };
    let trained = train::train(data, start, scale, settings, tell);
    let weights = sample::rounded(&trained.weights);
    let after = data.errors(&sample::weights(&weights), scale);
    say(&format!(
        "epoch {} is the best; in whole centipawns {:.6}, {:.6}",
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
