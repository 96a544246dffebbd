//! The training loop: epochs of mini-batches.
//!
//! Sums are taken over fixed chunks of a batch in a fixed order, so the number of threads does not
//! affect the result.

use std::f32::consts::PI;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::model::{Model, SIZE, Slope};
use super::sample::Data;
use super::sample::Sample;
use crate::within;

#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Settings {
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,

    /// Passes over all positions
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = within(1..=100_000_u32))]
    pub(super) epochs: u32,

    /// Positions per step
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = within(1..=10_000_000_usize))]
    pub(super) batch: usize,

    /// Initial learning rate; it decays to almost zero
    #[arg(long, value_name = "R", default_value_t = 0.001, value_parser = within(1e-6..=1.0))]
    pub(super) rate: f32,

    /// Weight decay at a learning rate of 1: parameters that are not needed shrink to zero (Loshchilov
    /// and Hutter 2019)
    #[arg(long, value_name = "D", default_value_t = 0.0, value_parser = within(0.0..=10.0))]
    pub(super) decay: f32,
}

/// Number of chunks per batch computed in parallel.
const PIECES: usize = 8;
/// Adam's constants (Kingma and Ba 2015, algorithm 1).
const MEAN: f32 = 0.9;
const SQUARE: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// Trains and reports each epoch's number, training error and held-out error.
pub(super) fn train(data: &Data, settings: Settings, report: impl Fn(u32, f64, f64)) -> Model {
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
    let mut trainer = Trainer {
        model: Model::random(&mut rng),
        means: vec![0.0; SIZE],
        squares: vec![0.0; SIZE],
        lack: [1.0; 2],
        slopes: vec![Slope::flat(); PIECES],
    };
    let mut order: Vec<usize> = (0..data.training.len()).collect();
    for epoch in 0..settings.epochs {
        order.shuffle(&mut rng);
        let mut error = 0.0;
        let steps = order.len().div_ceil(settings.batch);
        for (step, chosen) in order.chunks(settings.batch).enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "steps are some thousands")]
            let epochs = epoch as f32 + step as f32 / steps as f32;
            #[expect(clippy::cast_precision_loss, reason = "epochs are few")]
            let done = epochs / settings.epochs as f32;
            // Cosine decay.
            let rate = settings.rate * f32::midpoint(1.0, (PI * done).cos());
            error += trainer.step(&data.training, chosen, rate, settings.decay);
        }
        #[expect(clippy::cast_precision_loss, reason = "positions are some millions")]
        let of_training = error / data.training.len() as f64;
        report(
            epoch + 1,
            of_training,
            mean_error(&trainer.model, &data.hold_out),
        );
    }
    trainer.model
}

#[expect(clippy::cast_precision_loss, reason = "positions are some millions")]
pub(super) fn mean_error(model: &Model, samples: &[Sample]) -> f64 {
    let error = |sample: &Sample| f64::from(model.points(sample) - sample.target).powi(2);
    let pieces = samples.par_chunks(4096);
    let sums: Vec<f64> = pieces.map(|piece| piece.iter().map(error).sum()).collect();
    sums.iter().sum::<f64>() / samples.len() as f64
}

struct Trainer {
    model: Model,
    /// Adam's means of gradients and squared gradients, and their bias corrections.
    means: Vec<f32>,
    squares: Vec<f32>,
    lack: [f32; 2],
    /// One per chunk of a batch.
    slopes: Vec<Slope>,
}

impl Trainer {
    /// Performs a step on some samples; returns the sum of their squared errors.
    fn step(&mut self, samples: &[Sample], chosen: &[usize], rate: f32, decay: f32) -> f64 {
        let model = &self.model;
        let pieces = chosen.par_chunks(chosen.len().div_ceil(PIECES));
        self.slopes
            .par_iter_mut()
            .zip(pieces)
            .for_each(|(slope, piece)| {
                slope.error = 0.0;
                slope.gradient.fill(0.0);
                for &index in piece {
                    model.learn(&samples[index], slope);
                }
            });
        let used = chosen.len().div_ceil(chosen.len().div_ceil(PIECES));
        self.move_against(used, chosen.len(), rate, decay);
        self.slopes[..used].iter().map(|slope| slope.error).sum()
    }

    fn move_against(&mut self, used: usize, count: usize, rate: f32, decay: f32) {
        self.lack = [self.lack[0] * MEAN, self.lack[1] * SQUARE];
        let [mean_sum, square_sum] = self.lack.map(|lack| 1.0 - lack);
        let slopes = &self.slopes[..used];
        #[expect(clippy::cast_precision_loss, reason = "a batch is some thousands")]
        let count = count as f32;
        for (index, number) in self.model.0.iter_mut().enumerate() {
            let sum: f32 = slopes.iter().map(|slope| slope.gradient[index]).sum();
            let slope = sum / count;
            let (mean, square) = (&mut self.means[index], &mut self.squares[index]);
            *mean = MEAN * *mean + (1.0 - MEAN) * slope;
            *square = SQUARE * *square + (1.0 - SQUARE) * slope * slope;
            let step = *mean / mean_sum / ((*square / square_sum).sqrt() + EPSILON);
            *number -= rate * (step + decay * *number);
        }
        self.model.limit();
    }
}
