//! The training loop: epochs of mini-batches, each a step of the Adam optimiser.
//!
//! Adam makes steps of similar size for all weights, whatever the scale of the gradient (Kingma and
//! Ba, "Adam: a method for stochastic optimization", 2015, algorithm 1, with its constants).

use std::f64::consts::PI;

use chacha20::ChaCha8Rng;
use rand::SeedableRng;
use rand::seq::SliceRandom;

use super::data::{Data, Errors};
use super::loss::{self, count};
use super::sample::Weight;
use crate::within;

#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Settings {
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// Passes over all positions
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = within(1..=100_000_u32))]
    pub(crate) epochs: u32,

    /// Positions per step
    #[arg(skip = 4096_usize)]
    pub(crate) batch: usize,

    /// Initial learning rate in centipawns
    #[arg(skip = 2.0)]
    pub(crate) rate: f64,

    /// How far weights lie from their initial values
    #[arg(skip = 20.0)]
    pub(crate) spread: f64,
}

/// The errors after an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Epoch {
    /// The number of the epoch, from 1; 0 is the initial state.
    pub(super) number: u32,
    pub(super) errors: Errors,
}

/// The result of the training.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Trained {
    /// The weights after the best epoch, the one with the least held-out error.
    pub(super) weights: Vec<Weight>,
    pub(super) best: Epoch,
    pub(super) before: Errors,
}

/// Trains and reports every epoch.
pub(super) fn train(
    data: &Data,
    start: &[Weight],
    scale: f64,
    settings: Settings,
    report: impl Fn(Epoch),
) -> Trained {
    let before = data.errors(start, scale);
    // The weight of the prior: the negative log-probability of a weight one centipawn from its
    // initial value, in units of the error. Positions of a game share its result, so games count
    // as observations.
    let pull = before.training / settings.spread.powi(2) / count(data.training_games);
    let mut best = Trained {
        weights: start.to_vec(),
        best: Epoch {
            number: 0,
            errors: before,
        },
        before,
    };
    report(best.best);
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
    let positions = u32::try_from(data.training.len()).expect("they fit into memory");
    let mut order: Vec<u32> = (0..positions).collect();
    let mut weights = start.to_vec();
    let mut adam = Adam::new(start.len());
    for number in 1..=settings.epochs {
        order.shuffle(&mut rng);
        let steps = order.len().div_ceil(settings.batch);
        for (step, chosen) in order.chunks(settings.batch).enumerate() {
            // The gradient of error and prior together.
            let mut gradient = loss::gradient(&data.training, chosen, &weights, scale);
            for (slope, (weight, start)) in gradient.iter_mut().zip(weights.iter().zip(start)) {
                for phase in 0..2 {
                    slope[phase] += 2.0 * pull * (weight[phase] - start[phase]);
                }
            }
            let epochs = f64::from(number - 1) + count(step) / count(steps);
            // Cosine decay to zero.
            let done = epochs / f64::from(settings.epochs);
            let rate = settings.rate * f64::midpoint(1.0, (PI * done).cos());
            adam.step(&mut weights, &gradient, rate);
        }
        let errors = data.errors(&weights, scale);
        let epoch = Epoch { number, errors };
        report(epoch);
        if errors.hold_out < best.best.errors.hold_out {
            best.weights.clone_from(&weights);
            best.best = epoch;
        }
    }
    best
}

const MEAN: f64 = 0.9;
const SQUARE: f64 = 0.999;
/// Suppresses noise: gradients are around 1e-6 per centipawn.
const EPSILON: f64 = 1e-9;

pub(super) struct Adam {
    means: Vec<Weight>,
    squares: Vec<Weight>,
    /// The powers of [`MEAN`] and [`SQUARE`], for bias correction of the means.
    lack: [f64; 2],
}

impl Adam {
    /// Creates the state for this number of weights.
    pub(super) fn new(weights: usize) -> Self {
        Self {
            means: vec![[0.0; 2]; weights],
            squares: vec![[0.0; 2]; weights],
            lack: [1.0; 2],
        }
    }

    /// Descends along a gradient, each weight by about `rate` centipawns at most.
    pub(super) fn step(&mut self, weights: &mut [Weight], gradient: &[Weight], rate: f64) {
        self.lack = [self.lack[0] * MEAN, self.lack[1] * SQUARE];
        let [mean_sum, square_sum] = self.lack.map(|lack| 1.0 - lack);
        for (index, slope) in gradient.iter().enumerate() {
            for (phase, &slope) in slope.iter().enumerate() {
                let mean = &mut self.means[index][phase];
                let square = &mut self.squares[index][phase];
                *mean = MEAN * *mean + (1.0 - MEAN) * slope;
                *square = SQUARE * *square + (1.0 - SQUARE) * slope * slope;
                let length = (*square / square_sum).sqrt() + EPSILON;
                weights[index][phase] -= rate * *mean / mean_sum / length;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_has_the_length_of_the_rate() {
        let mut weights = [[10.0, 20.0], [30.0, 40.0]];
        Adam::new(2).step(&mut weights, &[[1e-3, -5.0], [0.0, 1e-5]], 2.0);
        let expected = [[8.0, 22.0], [30.0, 38.0]];
        for (found, expected) in weights.concat().iter().zip(expected.concat()) {
            assert!(
                (found - expected).abs() < 1e-3,
                "{found}, expected {expected}"
            );
        }
    }

    #[test]
    fn a_bowl_is_walked_down() {
        let mut weights = [[100.0, -50.0]];
        let mut adam = Adam::new(1);
        for step in 0..2000 {
            let [x, y] = weights[0];
            let rate = 1.0 - f64::from(step) / 2000.0;
            adam.step(&mut weights, &[[x - 3.0, 0.01 * (y + 7.0)]], rate);
        }
        assert!((weights[0][0] - 3.0).abs() < 0.1 && (weights[0][1] + 7.0).abs() < 0.1);
    }
}
