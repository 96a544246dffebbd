//! A training sample: the coefficients of a position and the result of its game.

use engine::eval::{Coefficients, Phased, Taper};

/// A weight in centipawns: middle game, end game.
pub(super) type Weight = [f64; 2];

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sample {
    /// Indices and counts of the weights: White's count minus Black's.
    pub(super) counts: Box<[(u16, i16)]>,
    /// The factors of both phases, from 0 to 1, including the end-game scale.
    pub(super) shares: [f32; 2],
    /// White's result: 1, 0.5 or 0.
    pub(super) points: f32,
    /// The engine's score in centipawns for White, if known.
    pub(super) score: Option<f32>,
    /// The training target, from 0 to 1.
    pub(super) target: f32,
}

impl Sample {
    /// Creates a sample whose target is White's result.
    pub(super) fn new(coefficients: Coefficients, points: f32, score: Option<f32>) -> Self {
        let whole = f32::from(u8::try_from(Taper::WHOLE).expect("it is 24"));
        let middle_game = f32::from(coefficients.middle_game_parts) / whole;
        let scale = f32::from(coefficients.scale) / 64.0;
        Self {
            counts: coefficients.counts.into(),
            shares: [middle_game, (1.0 - middle_game) * scale],
            points,
            score,
            target: points,
        }
    }

    /// The score in centipawns for White.
    pub(super) fn value(&self, weights: &[Weight]) -> f64 {
        let mut sum = [0.0; 2];
        for &(index, count) in &self.counts {
            let [middle_game, end_game] = weights[usize::from(index)];
            sum[0] += middle_game * f64::from(count);
            sum[1] += end_game * f64::from(count);
        }
        sum[0] * f64::from(self.shares[0]) + sum[1] * f64::from(self.shares[1])
    }

    /// Adds the gradient of the score, times `slope`.
    pub(super) fn add_gradient(&self, slope: f64, gradient: &mut [Weight]) {
        let [middle_game, end_game] = self.shares.map(|share| slope * f64::from(share));
        for &(index, count) in &self.counts {
            let sum = &mut gradient[usize::from(index)];
            sum[0] += middle_game * f64::from(count);
            sum[1] += end_game * f64::from(count);
        }
    }
}

/// Converts the weights of the evaluation to floating point.
pub(super) fn weights(phased: &[Phased]) -> Vec<Weight> {
    let weight = |one: &Phased| [f64::from(one.middle_game), f64::from(one.end_game)];
    phased.iter().map(weight).collect()
}

/// Rounds the weights to whole centipawns.
pub(super) fn rounded(weights: &[Weight]) -> Vec<Phased> {
    let round = |weight: f64| -> i32 {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "weights are some thousands"
        )]
        let whole = weight.round() as i32;
        whole
    };
    let phased = |one: &Weight| Phased::new(round(one[0]), round(one[1]));
    weights.iter().map(phased).collect()
}
