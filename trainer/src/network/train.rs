//! The training loop: epochs of mini-batches.

use std::f32::consts::PI;

use chacha20::ChaCha8Rng;
use rand::SeedableRng;
use rand::seq::SliceRandom;

use super::adam::Rate;
use super::model::{NetworkShape, TrainedModel};
use super::sample::{Data, Sample};
use crate::files::TrainerError;
use crate::within;

#[derive(Clone, Copy, Debug, PartialEq, clap::Args)]
pub(crate) struct TrainSettings {
    /// Random seed
    #[arg(skip = 1_u64)]
    pub(super) seed: u64,

    /// Passes over all positions
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = within(1..=100_000_u32))]
    pub(super) epochs: u32,

    /// Positions per step
    #[arg(skip = 16_384_usize)]
    pub(super) batch: usize,

    /// Initial learning rate; it decays to almost zero
    #[arg(long, value_name = "R", default_value_t = 0.001, value_parser = within(1e-6_f32..=1.0))]
    pub(super) rate: f32,
}

/// A training after some epochs.
#[derive(Clone, Debug)]
pub(super) struct Trainer {
    pub(super) model: TrainedModel,
    /// Number of epochs and steps done.
    pub(super) epochs: u32,
    pub(super) steps: u64,
}

/// What an epoch reports: its number, the error in training and that of held-out positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct EpochErrors {
    pub(super) epoch: u32,
    pub(super) training: f64,
    pub(super) hold_out: f64,
}

impl Trainer {
    pub(super) fn new(shape: NetworkShape, seed: u64) -> Self {
        Self {
            model: TrainedModel::random(shape, &mut ChaCha8Rng::seed_from_u64(seed)),
            epochs: 0,
            steps: 0,
        }
    }

    /// Trains the epochs that are left. After each, `done` is called.
    #[expect(clippy::cast_precision_loss, reason = "positions are some millions")]
    pub(super) fn run(
        &mut self,
        data: &Data,
        settings: TrainSettings,
        mut done: impl FnMut(&Self, EpochErrors) -> Result<(), TrainerError>,
    ) -> Result<(), TrainerError> {
        let count = u32::try_from(data.training.len()).map_err(|_| TrainerError::TooMany)?;
        while self.epochs < settings.epochs {
            // An order of each epoch's own, so that a resumed training is the same.
            let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
            rng.set_stream(u64::from(self.epochs) + 1);
            // Four bytes instead of eight: the order takes as much memory as an eighth of the
            // positions.
            let mut order: Vec<u32> = (0..count).collect();
            order.shuffle(&mut rng);
            let mut error = 0.0;
            let steps = order.len().div_ceil(settings.batch);
            for (step, chosen) in order.chunks(settings.batch).enumerate() {
                let epochs = self.epochs as f32 + step as f32 / steps as f32;
                let done = epochs / settings.epochs as f32;
                // Cosine decay.
                let rate = settings.rate * f32::midpoint(1.0, (PI * done).cos());
                self.steps += 1;
                let rate = Rate::new(rate, self.steps, chosen.len());
                let sample = |index: usize| &data.training[chosen[index] as usize];
                error += self.model.learn(sample, chosen.len());
                self.model.step(rate);
            }
            self.epochs += 1;
            let errors = EpochErrors {
                epoch: self.epochs,
                training: error / data.training.len() as f64,
                hold_out: mean_error(&mut self.model, &data.hold_out),
            };
            done(self, errors)?;
        }
        Ok(())
    }
}

#[expect(clippy::cast_precision_loss, reason = "positions are some millions")]
pub(super) fn mean_error(model: &mut TrainedModel, samples: &[Sample]) -> f64 {
    let points = model.points(samples);
    let errors = samples.iter().zip(points);
    let errors = errors.map(|(sample, points)| f64::from(points - sample.target).powi(2));
    errors.sum::<f64>() / samples.len() as f64
}
