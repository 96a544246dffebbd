//! How far the expectation is from what came, and where it falls.

use rayon::prelude::*;

use super::sample::{Sample, Weight};

/// How many positions one thread sums up at once. Sums over pieces of this length are added in
/// order, whichever thread made them.
const PIECE: usize = 512;

/// The points that a value in centipawns is worth, on a curve of this steepness.
pub(super) fn expected(scale: f64, value: f64) -> f64 {
    1.0 / (1.0 + (-scale * value).exp())
}

/// The mean square error of the expectation.
pub(super) fn error(samples: &[Sample], weights: &[Weight], scale: f64) -> f64 {
    let one = |sample: &Sample| {
        let miss = expected(scale, sample.value(weights)) - f64::from(sample.target);
        miss * miss
    };
    let piece = |piece: &[Sample]| piece.iter().map(one).sum();
    let sums: Vec<f64> = samples.par_chunks(PIECE).map(piece).collect();
    sums.iter().sum::<f64>() / count(samples.len())
}

/// The derivatives of the mean square error of some of the samples by each weight.
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

/// The derivative of the square error of one position by its value.
fn slope(sample: &Sample, weights: &[Weight], scale: f64) -> f64 {
    let expected = expected(scale, sample.value(weights));
    2.0 * (expected - f64::from(sample.target)) * expected * (1.0 - expected) * scale
}

/// A number of positions as a divisor.
#[expect(
    clippy::cast_precision_loss,
    reason = "there are fewer than 2^52 positions"
)]
pub(super) fn count(positions: usize) -> f64 {
    positions as f64
}
