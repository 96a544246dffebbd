//! The loss (mean squared error of the expected points), its gradient, and the scale of the logistic
//! curve that converts scores to points.

use std::f64::consts::LN_10;

use rayon::prelude::*;

use super::sample::{Sample, Weight};

/// Number of positions per chunk. The sums of chunks are added in order, whichever thread computed
/// them, so that the result is deterministic.
const PIECE: usize = 512;

/// The expected points for a score in centipawns, by a logistic curve of this scale.
pub(super) fn expected(scale: f64, value: f64) -> f64 {
    1.0 / (1.0 + (-scale * value).exp())
}

/// The mean squared error of the expectation.
pub(super) fn error(samples: &[Sample], weights: &[Weight], scale: f64) -> f64 {
    let one = |sample: &Sample| {
        let miss = expected(scale, sample.value(weights)) - f64::from(sample.target);
        miss * miss
    };
    let piece = |piece: &[Sample]| piece.iter().map(one).sum();
    let sums: Vec<f64> = samples.par_chunks(PIECE).map(piece).collect();
    sums.iter().sum::<f64>() / count(samples.len())
}

/// The gradient of the mean squared error of some of the samples.
pub(super) fn gradient(
    samples: &[Sample],
    chosen: &[u32],
    weights: &[Weight],
    scale: f64,
) -> Vec<Weight> {
    let piece = |piece: &[u32]| {
        let mut sum = vec![[0.0; 2]; weights.len()];
        for &index in piece {
            let sample = &samples[index as usize];
            sample.add_gradient(slope(sample, weights, scale), &mut sum);
        }
        sum
    };
    let pieces: Vec<Vec<Weight>> = chosen.par_chunks(PIECE).map(piece).collect();
    let mut total = vec![[0.0; 2]; weights.len()];
    for piece in pieces {
        for (total, part) in total.iter_mut().zip(piece) {
            total[0] += part[0] / count(chosen.len());
            total[1] += part[1] / count(chosen.len());
        }
    }
    total
}

/// The derivative of the squared error of one position by its score.
fn slope(sample: &Sample, weights: &[Weight], scale: f64) -> f64 {
    let expected = expected(scale, sample.value(weights));
    2.0 * (expected - f64::from(sample.target)) * expected * (1.0 - expected) * scale
}

/// Converts a number of positions to a divisor.
#[expect(
    clippy::cast_precision_loss,
    reason = "there are fewer than 2^52 positions"
)]
pub(super) fn count(positions: usize) -> f64 {
    positions as f64
}

/// The usual scale, `1 / (1 + 10^(-value/400))`; K is a multiple of it.
pub(super) const USUAL: f64 = LN_10 / 400.0;
/// The search range of K.
const RANGE: [f64; 2] = [0.05, 5.0];
/// Number of search steps: they narrow the range to less than a millionth of its length.
const STEPS: usize = 32;
/// Scores per chunk; the sums of chunks are added in order.
const SCORES: usize = 4096;

/// The scale that predicts points from scores in centipawns with the least squared error. Without
/// any scores it is the usual one.
pub(super) fn best(values_and_points: &[(f64, f64)]) -> f64 {
    if values_and_points.is_empty() {
        return USUAL;
    }
    USUAL
        * minimum(RANGE, |multiple| {
            squared_error(values_and_points, USUAL * multiple)
        })
}

fn squared_error(values_and_points: &[(f64, f64)], scale: f64) -> f64 {
    let one = |&(value, points): &(f64, f64)| (expected(scale, value) - points).powi(2);
    let piece = |piece: &[(f64, f64)]| piece.iter().map(one).sum();
    let sums: Vec<f64> = values_and_points.par_chunks(SCORES).map(piece).collect();
    sums.iter().sum::<f64>() / count(values_and_points.len())
}

/// The minimum of a unimodal function, by golden-section search (Kiefer 1953).
fn minimum([mut low, mut high]: [f64; 2], function: impl Fn(f64) -> f64) -> f64 {
    let part = (5.0_f64.sqrt() - 1.0) / 2.0;
    let inner = |low: f64, high: f64| [high - part * (high - low), low + part * (high - low)];
    let [mut left, mut right] = inner(low, high);
    let (mut at_left, mut at_right) = (function(left), function(right));
    for _ in 0..STEPS {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = inner(low, high)[0];
            at_left = function(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = inner(low, high)[1];
            at_right = function(right);
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bottom_of_a_valley_is_found() {
        for bottom in [0.05, 0.7, 1.0, 4.9] {
            let found = minimum(RANGE, |x| (x - bottom).powi(2));
            assert!((found - bottom).abs() < 1e-5, "{found}, expected {bottom}");
        }
    }

    #[test]
    fn the_steepness_that_made_the_points_is_found() {
        for multiple in [0.3, 1.0, 2.5] {
            let made = |value: i32| {
                let value = f64::from(value);
                (value, expected(USUAL * multiple, value))
            };
            let data: Vec<(f64, f64)> = (-600..600).map(made).collect();
            assert!((best(&data) / USUAL - multiple).abs() < 1e-4);
        }
        assert!((best(&[]) - USUAL).abs() < 1e-12);
    }
}
