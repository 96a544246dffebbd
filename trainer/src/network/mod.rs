//! `trainer network`: trains a network to predict results and scores.
//!
//! The target of a position blends the result of its game and the engine's score, converted to
//! points by a logistic curve. Adam (Kingma and Ba 2015) minimises the mean squared error in
//! mini-batches; the weights are quantised at the end.

mod data;
mod model;
mod sample;
mod train;

use std::io::Write;

use engine::eval::network::Weights;

use crate::arguments::Arguments;
use crate::error::TrainerError;
use crate::{files, say};
use data::Data;
use sample::Aim;
use train::Settings;

/// The options of this command.
pub(crate) const OPTIONS: &[&str] = &["epochs", "lambda", "rate", "decay", "batch", "scale"];

/// Reads positions and writes a network.
pub(crate) fn run(arguments: &Arguments) -> Result<(), TrainerError> {
    let settings = Settings {
        seed: arguments.seed()?,
        epochs: arguments.number("epochs", 16, 1..=100_000)?,
        batch: arguments.number("batch", 4096, 1..=10_000_000)?,
        rate: arguments.number("rate", 0.001, 1e-6..=1.0)?,
        decay: arguments.number("decay", 0.0, 0.0..=10.0)?,
    };
    let scale = arguments.number("scale", 255_u16, 1..=10_000)?;
    let aim = Aim {
        lambda: arguments.number("lambda", 0.0, 0.0..=1.0)?,
        scale: f32::from(scale),
    };
    let (paths, out) = (arguments.files()?, arguments.out()?);
    let mut data = Data::default();
    for path in paths {
        data.read(path, files::open(path)?, aim)?;
    }
    data.check()?;
    let (training, hold_out) = (data.training.len(), data.hold_out.len());
    say(&format!(
        "{training} positions to learn from, {hold_out} to judge by"
    ));
    say("epoch   learnt from  held out");
    let model = train::train(&data, settings, |epoch, training, hold_out| {
        say(&format!("{epoch:>5}      {training:.6}  {hold_out:.6}"));
    });
    let bytes = model.quantized(i32::from(scale)).to_bytes();
    Weights::from_bytes(&bytes).map_err(|source| TrainerError::Network {
        path: out.to_owned(),
        source,
    })?;
    files::write(out, |file| file.write_all(&bytes).map_err(files::at(out)))
}

#[cfg(test)]
mod tests;
