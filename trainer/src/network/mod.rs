//! `trainer network`: trains a network to predict results and scores.
//!
//! The target of a position blends the result of its game and the engine's score, converted to
//! points by a logistic curve. Adam (Kingma and Ba 2015) minimises the mean squared error in
//! mini-batches; the weights are quantised at the end.

mod model;
mod sample;
mod train;

use std::io::Write;

use engine::eval::network::Weights;

use crate::files::TrainerError;
use crate::{Say, files, within};
use sample::{Aim, Data};
use train::Settings;

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Options {
    /// Files of positions, as written by `positions` and `play`
    #[arg(required = true, value_name = "POSITIONS")]
    files: Vec<String>,

    /// File to write; replaced when it is complete
    #[arg(short, long, alias = "out", value_name = "FILE")]
    pub(crate) output: String,

    /// WDL weight: the share of the game result in the target; the rest is the engine's score
    #[arg(long, value_name = "L", default_value_t = 0.0, value_parser = within(0.0..=1.0))]
    lambda: f32,

    /// Centipawns per unit of the logistic curve
    #[arg(long, value_name = "CP", default_value_t = 255, value_parser = within(1..=10_000_u16))]
    scale: u16,

    #[command(flatten)]
    settings: Settings,
}

/// Reads positions and writes a network.
pub(crate) fn run(options: &Options, say: Say<'_>) -> Result<(), TrainerError> {
    let (settings, out) = (options.settings, &options.output);
    let aim = Aim {
        lambda: options.lambda,
        scale: f32::from(options.scale),
    };
    let mut data = Data::default();
    for path in &options.files {
        data.read(path, files::open(path)?, aim)?;
    }
    files::check_split(&data.training, &data.hold_out)?;
    let (training, hold_out) = (data.training.len(), data.hold_out.len());
    say(&format!(
        "{training} training positions, {hold_out} held out"
    ));
    say("epoch   training  held out");
    let model = train::train(&data, settings, |epoch, training, hold_out| {
        say(&format!("{epoch:>5}   {training:.6}  {hold_out:.6}"));
    });
    let bytes = model.quantized(i32::from(options.scale)).to_bytes();
    Weights::from_bytes(&bytes).map_err(|why| TrainerError::Network {
        path: out.to_owned(),
        why,
    })?;
    files::write(out, |file| file.write_all(&bytes).map_err(files::at(out)))
}

#[cfg(test)]
mod tests;
