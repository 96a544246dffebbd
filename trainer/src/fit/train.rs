//! The training itself: epochs of batches, each of which moves the weights a little.

use std::f64::consts::PI;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::adam::Adam;
use super::data::{Data, Errors};
use super::loss::{self, count};
use super::sample::Weight;
use crate::arguments::Arguments;
use crate::error::TrainerError;

/// How to train.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// What the order of positions comes from.
    pub(super) seed: u64,
    /// How often every position is looked at.
    pub(super) epochs: u32,
    /// How many positions make one step.
    pub(super) batch: usize,
    /// The length of the first step, in centipawns; the last is next to nothing.
    pub(super) rate: f64,
    /// How far from its start a weight is thought to lie, in centipawns, before any position is
    /// looked at: the standard deviation of a normal distribution. A weight that counts in few
    /// positions stays near its start.
    pub(super) spread: f64,
}

impl Settings {
    /// As the arguments say.
    pub(super) fn new(arguments: &Arguments) -> Result<Self, TrainerError> {
        Ok(Self {
            seed: arguments.seed()?,
            epochs: arguments.number("epochs", 40, 1..=100_000)?,
            batch: arguments.number("batch", 4096, 1..=10_000_000)?,
            rate: arguments.number("rate", 2.0, 0.001..=100.0)?,
            spread: arguments.number("spread", 20.0, 0.001..=10_000.0)?,
        })
    }

    /// The length of a step, when so much of the training is over, from 0 to 1: half a wave of
    /// cosine from the first to nothing.
    fn rate_at(self, done: f64) -> f64 {
        self.rate * f64::midpoint(1.0, (PI * done).cos())
    }
}

/// The errors after an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Epoch {
    /// Which, from 1; 0 is the start.
    pub(super) number: u32,
    /// The errors.
    pub(super) errors: Errors,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Trained {
    /// The weights after the best epoch, which is the one with the least error held out.
    pub(super) weights: Vec<Weight>,
    /// That epoch.
    pub(super) best: Epoch,
    /// The errors at the start.
    pub(super) before: Errors,
}

/// Trains, and tells of every epoch.
pub(super) fn train(
    data: &Data,
    start: &[Weight],
    scale: f64,
    settings: Settings,
    tell: impl Fn(Epoch),
) -> Trained {
    let before = data.errors(start, scale);
    let mut trainer = Trainer::new(data, start, scale, settings, before);
    let mut best = Trained {
        weights: start.to_vec(),
        best: Epoch {
            number: 0,
            errors: before,
        },
        before,
    };
    tell(best.best);
    for number in 1..=settings.epochs {
        trainer.epoch(number);
        let errors = data.errors(&trainer.weights, scale);
        let epoch = Epoch { number, errors };
        tell(epoch);
        if errors.hold_out < best.best.errors.hold_out {
            best.weights.clone_from(&trainer.weights);
            best.best = epoch;
        }
    }
    best
}

struct Trainer<'a> {
    data: &'a Data,
    start: &'a [Weight],
    scale: f64,
    settings: Settings,
    /// What a weight that lies a centipawn from its start costs: the logarithm of its probability,
    /// in units of the errors. Positions of a game share its result, so that it is games that count
    /// as observations.
    pull: f64,
    rng: ChaCha8Rng,
    order: Vec<u32>,
    weights: Vec<Weight>,
    adam: Adam,
}

impl<'a> Trainer<'a> {
    fn new(
        data: &'a Data,
        start: &'a [Weight],
        scale: f64,
        settings: Settings,
        before: Errors,
    ) -> Self {
        let positions = u32::try_from(data.training.len()).expect("they fit into memory");
        Self {
            data,
            start,
            scale,
            settings,
            pull: before.training / settings.spread.powi(2) / count(data.training_games),
            rng: ChaCha8Rng::seed_from_u64(settings.seed),
            order: (0..positions).collect(),
            weights: start.to_vec(),
            adam: Adam::new(start.len()),
        }
    }

    /// Goes once through all positions, in a new order.
    fn epoch(&mut self, number: u32) {
        self.order.shuffle(&mut self.rng);
        let batch = self.settings.batch;
        let steps = self.order.len().div_ceil(batch);
        for step in 0..steps {
            let chosen = step * batch..self.order.len().min((step + 1) * batch);
            let gradient = self.gradient(chosen);
            let epochs = f64::from(number - 1) + count(step) / count(steps);
            let rate = self
                .settings
                .rate_at(epochs / f64::from(self.settings.epochs));
            self.adam.step(&mut self.weights, &gradient, rate);
        }
    }

    /// The derivatives of error and pull together.
    fn gradient(&self, chosen: std::ops::Range<usize>) -> Vec<Weight> {
        let chosen = &self.order[chosen];
        let mut gradient = loss::gradient(&self.data.training, chosen, &self.weights, self.scale);
        let weights = self.weights.iter().zip(self.start);
        for (slope, (weight, start)) in gradient.iter_mut().zip(weights) {
            for phase in 0..2 {
                slope[phase] += 2.0 * self.pull * (weight[phase] - start[phase]);
            }
        }
        gradient
    }
}
