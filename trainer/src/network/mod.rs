//! `trainer network`: trains a network to predict results and scores.
//!
//! The target of a position blends the result of its game and the engine's scores, converted to
//! points by a logistic curve. Adam minimises the mean squared error in mini-batches; the weights
//! are quantised at the end. After every epoch, a checkpoint is written beside the output.

mod adam;
mod checkpoint;
mod model;
mod sample;
mod train;
mod vectors;

use std::io::Write;
use std::path::Path;

use clap::ValueEnum;
use engine::eval::network::{HIDDEN, KingBuckets, Weights};
use sha2::{Digest as _, Sha256};

use crate::evaluator::Evaluator;
use crate::files::TrainerError;
use crate::{Say, files, packed, within};
use model::NetworkShape;
use sample::{Aim, Data};
use train::{TrainSettings, Trainer};

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct TrainOptions {
    /// Binary files of positions, of play and pack
    ///
    /// Binary files of positions, as written by `play` and `pack`
    #[arg(required = true, value_name = "POSITIONS")]
    pub(crate) files: Vec<String>,

    /// File to write; replaced when it is complete
    #[arg(short, long, alias = "out", value_name = "FILE")]
    pub(crate) output: String,

    #[command(flatten)]
    pub(crate) recipe: TrainRecipe,
}

/// Centipawns per unit of the logistic curve between scores and points.
pub(crate) const SCALE: u8 = 255;

/// How to train, on whatever positions.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct TrainRecipe {
    /// WDL weight: share of the result in the target
    ///
    /// WDL weight: the share of the game result in the target; the rest is the engine's score.
    #[arg(long, value_name = "L", default_value_t = 0.0, value_parser = within(0.0_f32..=1.0))]
    lambda: f32,

    /// Share of the next score in a score: TD(lambda)
    ///
    /// Share of the next score of the game in a score, and so on: TD(lambda)
    #[arg(long, value_name = "S", default_value_t = 0.0, value_parser = within(0.0_f32..=0.99))]
    smooth: f32,

    /// Neurons of each perspective, a multiple of 64
    #[arg(long, value_name = "N", default_value_t = HIDDEN, value_parser = hidden)]
    hidden: usize,

    /// King buckets
    #[arg(long, value_name = "N", value_enum, default_value_t = Kings::One)]
    kings: Kings,

    /// Network to start from, or built-in
    ///
    /// Network to start from instead of random weights: `built-in`, or a file with one king bucket or
    /// the same ones; then a low learning rate is better.
    #[arg(long, value_name = "FILE|built-in")]
    start: Option<String>,

    #[command(flatten)]
    settings: TrainSettings,
}

/// Maps of king buckets.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kings {
    #[value(name = "1")]
    One,
    #[value(name = "4")]
    Four,
    #[value(name = "8")]
    Eight,
}

impl Kings {
    /// The buckets, finest where castled kings are.
    fn buckets(self) -> KingBuckets {
        #[rustfmt::skip]
        let map = match self {
            Self::One => return KingBuckets::ONE,
            Self::Four => [
                0, 0, 1, 1,  2, 2, 2, 2,  3, 3, 3, 3,  3, 3, 3, 3,
                3, 3, 3, 3,  3, 3, 3, 3,  3, 3, 3, 3,  3, 3, 3, 3,
            ],
            Self::Eight => [
                0, 1, 2, 3,  4, 4, 5, 5,  6, 6, 6, 6,  6, 6, 6, 6,
                7, 7, 7, 7,  7, 7, 7, 7,  7, 7, 7, 7,  7, 7, 7, 7,
            ],
        };
        KingBuckets::new(map).expect("the numbers are from 0")
    }
}

fn hidden(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| {
        (adam::WIDTH..=HIDDEN).contains(number) && number.is_multiple_of(adam::WIDTH)
    });
    number.ok_or_else(|| format!("expected a multiple of {} up to {HIDDEN}", adam::WIDTH))
}

/// Reads positions and writes a network.
pub(crate) fn run(options: &TrainOptions, say: Say<'_>) -> Result<(), TrainerError> {
    let (recipe, out) = (&options.recipe, &options.output);
    let aim = Aim {
        lambda: recipe.lambda,
        smooth: recipe.smooth,
        scale: f32::from(SCALE),
    };
    let data = read(&options.files, aim)?;
    files::check_split(&data.training, &data.hold_out)?;
    let (training, hold_out) = (data.training.len(), data.hold_out.len());
    say(&format!(
        "{training} training positions, {hold_out} held out"
    ));
    let shape = NetworkShape {
        hidden: recipe.hidden,
        kings: recipe.kings.buckets(),
    };
    let settings = recipe.settings;
    let mut trainer = Trainer::new(shape, settings.seed);
    let mut start = 0;
    if let Some(path) = &recipe.start {
        let file = Some(path.as_str()).filter(|&path| path != "built-in");
        let evaluator = Evaluator::new(file)?;
        let weights = evaluator.network().weights();
        let kings_fit = [KingBuckets::ONE, shape.kings].contains(&weights.kings);
        if !kings_fit || weights.hidden > shape.hidden {
            return Err(TrainerError::Start { path: path.clone() });
        }
        trainer.model.start_from(weights);
        start = evaluator.network().fingerprint();
    }
    let mut hash = Sha256::new();
    hash.update(format!(
        "{aim:?} {shape:?} {settings:?} {start} {training} {hold_out}"
    ));
    data.hash(&mut hash);
    let (checkpoint, of) = (format!("{out}.checkpoint"), hash.finalize().into());
    if Path::new(&checkpoint).exists() {
        checkpoint::read(&checkpoint, &of, &mut trainer)?;
        say(&format!("resumed after epoch {}", trainer.epochs));
    }
    say("epoch   training  held out");
    trainer.run(&data, settings, |trainer, errors| {
        say(&format!(
            "{:>5}   {:.6}  {:.6}",
            errors.epoch, errors.training, errors.hold_out
        ));
        checkpoint::write(&checkpoint, &of, trainer)
    })?;
    let bytes = trainer.model.quantized(i32::from(SCALE)).to_bytes();
    // The reader rejects sums that might overflow; better here than in the engine.
    Weights::from_bytes(&bytes).map_err(|why| TrainerError::Network {
        path: out.to_owned(),
        why,
    })?;
    files::write(out, |file| file.write_all(&bytes).map_err(files::at(out)))?;
    // After the network is there: an interruption in between repeats only the quantising.
    files::remove(&checkpoint)
}

/// Reads the positions of some files.
fn read(paths: &[String], aim: Aim) -> Result<Data, TrainerError> {
    let mut data = Data::default();
    let mut bytes = 0;
    for path in paths {
        bytes += files::length(path)?;
    }
    // All but the held-out positions; they are too many to be moved when there is no more room.
    let positions = usize::try_from(bytes).unwrap_or(usize::MAX) / packed::BYTES;
    data.training.reserve_exact(positions);
    for path in paths {
        data.read(path, files::open(path)?, aim)?;
    }
    Ok(data)
}

#[cfg(test)]
mod tests;
