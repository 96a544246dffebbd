//! The numbers that fastchess computes from the same counts, where they may differ from ours.
//!
//! Three rules of fastchess are not ours (`app/src/matchmaking/elo`, `sprt` of its sources): empty
//! cells count as nothing for Elo, nElo and LOS; the error of nElo treats the variance of the
//! results as known; with `BayesElo` bounds, all of it is computed from single games, and the test has
//! no result before one is won and one is lost. Where a formula has no answer, the numbers are infinite or NaN.

use serde::Serialize;

use super::counts::{Counts, Wdl};
use super::design::{EloModel, Hypotheses};
use super::elo::NELO_PER_DEVIATION;
use super::likelihood::llr;
use super::number::{digits, to_f64};
use super::numeric::{Z_95, cdf};

/// Strength as fastchess computes it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FastchessStrength {
    /// Logistic Elo; infinite if all games are won.
    #[serde(serialize_with = "digits")]
    pub elo: f64,
    /// Half of its interval.
    #[serde(serialize_with = "digits")]
    pub elo_error: f64,
    /// Normalised Elo.
    #[serde(serialize_with = "digits")]
    pub nelo: f64,
    /// Half of its interval: that of the score, in units of the deviation of the results.
    #[serde(serialize_with = "digits")]
    pub nelo_error: f64,
    /// Likelihood of superiority.
    #[serde(serialize_with = "digits")]
    pub los: f64,
}

impl FastchessStrength {
    /// NaN without any game.
    pub fn from_counts(counts: &Counts) -> Self {
        let samples = to_f64(counts.samples());
        let cells = [0.0, 0.25, 0.5, 0.75, 1.0].into_iter().zip(counts.cells());
        let expect = |value: &dyn Fn(f64) -> f64| -> f64 {
            let terms = cells.clone();
            terms
                .map(|(points, count)| to_f64(count) / samples * value(points))
                .sum()
        };
        let score = expect(&|points| points);
        let variance = expect(&|points| (points - score) * (points - score));
        let reach = Z_95 * libm::sqrt(variance / samples);
        // Not clamped: a score of 1 is infinite Elo, a bound above 1 is NaN.
        let elo = |score: f64| -400.0 * libm::log10(1.0 / score - 1.0);
        let deviation = libm::sqrt(f64::from(counts.games_per_sample()) * variance);
        let nelo = |score: f64| (score - 0.5) / deviation * NELO_PER_DEVIATION;
        Self {
            elo: elo(score),
            elo_error: (elo(score + reach) - elo(score - reach)) / 2.0,
            nelo: nelo(score),
            nelo_error: (nelo(score + reach) - nelo(score - reach)) / 2.0,
            los: cdf((score - 0.5) / libm::sqrt(variance / samples)),
        }
    }
}

/// What fastchess counts if the bounds are in this model: no pairs with `BayesElo`. `None` if the
/// results of the games are unknown, but needed.
pub fn fastchess_counts(counts: &Counts, model: Option<EloModel>) -> Option<Counts> {
    match model {
        None | Some(EloModel::Logistic | EloModel::Normalized) => Some(*counts),
        Some(EloModel::Bayesian) => counts.wdl().map(Counts::Games),
    }
}

/// The log-likelihood ratio that fastchess tests; `None` for `BayesElo` bounds if the results of
/// the games are unknown.
pub fn fastchess_llr(counts: &Counts, hypotheses: &Hypotheses) -> Option<f64> {
    let counts = fastchess_counts(counts, Some(hypotheses.model))?;
    match (hypotheses.model, counts.wdl()) {
        (EloModel::Bayesian, Some(Wdl { wins: 0, .. } | Wdl { losses: 0, .. })) => Some(0.0),
        _ => llr(&counts, hypotheses).ok(),
    }
}
