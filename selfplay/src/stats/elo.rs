//! Elo: conversion between scores and rating differences.

use std::f64::consts::LN_10;

/// Normalised Elo per unit of the expected score's distance from 1/2, in standard deviations of one
/// game: `800 / ln 10`, the slope of logistic Elo if there were no draws ("Normalized Elo
/// Practical", section 2).
pub const NELO_PER_DEVIATION: f64 = 800.0 / LN_10;

/// Higher scores are clamped to this; as in fishtest.
const MAX_SCORE: f64 = 0.999;

/// Maximum Elo reported: that of a score of 0.999.
pub const MAX_ELO: f64 = 1_199.826_195_290_393;

/// Logistic Elo of a score, which is clamped to 0.001 to 0.999.
pub fn from_score(score: f64) -> f64 {
    let score = score.clamp(1.0 - MAX_SCORE, MAX_SCORE);
    -400.0 * libm::log10(1.0 / score - 1.0)
}

/// The expected score at a difference in logistic Elo.
pub fn to_score(elo: f64) -> f64 {
    1.0 / (1.0 + libm::exp10(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-700.0, -3.5, 0.0, 0.01, 400.0] {
            let back = from_score(to_score(elo));
            assert!((back - elo).abs() < 1e-9, "{elo} became {back}");
        }
        assert!((to_score(400.0) - 10.0 / 11.0).abs() < 1e-15);
    }

    #[test]
    fn the_ends_are_defined() {
        assert!((from_score(1.0) - MAX_ELO).abs() < 1e-9);
        assert!((from_score(0.0) + MAX_ELO).abs() < 1e-9);
    }
}
