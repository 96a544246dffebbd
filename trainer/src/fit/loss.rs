//! The loss, mean squared error of the expected points, and its gradient.

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
