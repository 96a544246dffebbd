//! The Adam optimiser: steps of similar size for all weights, whatever the scale of the gradient.
//!
//! Source: Kingma and Ba, "Adam: a method for stochastic optimization", 2015, algorithm 1, with its
//! constants.

use super::sample::Weight;

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
