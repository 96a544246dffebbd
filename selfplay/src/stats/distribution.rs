//! Probabilities of the results of a game or a pair.

use super::counts::{Counts, EMPTY_CELL};
use crate::digits::to_f64;

/// Points as a fraction of the maximum, by cell.
pub(super) const POINTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Observed frequencies or assumed probabilities of results.
///
/// Individual games use the cells 0, 2 and 4; the others have probability 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distribution {
    /// The probabilities of 0, 1/4, 1/2, 3/4 and 1 of the points; their sum is 1.
    pub probabilities: [f64; 5],
    /// Number of observations it was made from, with empty cells counted as [`EMPTY_CELL`].
    pub samples: f64,
    /// 2 for pairs, 1 for games.
    pub games_per_sample: f64,
}

impl Distribution {
    /// The observed frequencies, with empty cells counted as [`EMPTY_CELL`].
    pub fn of(counts: &Counts) -> Self {
        let pairs = matches!(counts, Counts::Pairs { .. });
        let mut cells = [0.0; 5];
        for (index, (cell, count)) in cells.iter_mut().zip(counts.cells()).enumerate() {
            *cell = match count {
                // A single game cannot score a quarter of its point.
                0 if !pairs && index % 2 == 1 => 0.0,
                0 => EMPTY_CELL,
                count => to_f64(count),
            };
        }
        let samples: f64 = cells.iter().sum();
        Self {
            probabilities: cells.map(|cell| cell / samples),
            samples,
            games_per_sample: f64::from(counts.games_per_sample()),
        }
    }

    /// The expected score, from 0 to 1.
    pub fn mean(&self) -> f64 {
        self.expect(|points| points)
    }

    /// The expected score, and the variance of the score of one observation.
    pub fn mean_and_variance(&self) -> (f64, f64) {
        let mean = self.mean();
        (mean, self.central_moment(2))
    }

    /// The standard deviation per game; that of a pair is spread over two.
    pub fn deviation_per_game(&self) -> f64 {
        libm::sqrt(self.games_per_sample * self.central_moment(2))
    }

    /// The central moment of this order.
    pub(super) fn central_moment(&self, power: u32) -> f64 {
        let mean = self.mean();
        self.expect(|points| (0..power).fold(1.0, |product, _| product * (points - mean)))
    }

    fn expect(&self, value: impl Fn(f64) -> f64) -> f64 {
        let cells = self.probabilities.iter().zip(POINTS);
        cells.map(|(p, points)| p * value(points)).sum()
    }
}
