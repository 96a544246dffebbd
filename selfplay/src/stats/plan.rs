//! Predicted length and result of a test.

use serde::Serialize;

use super::brownian::Brownian;
use super::counts::{Counts, Distribution};
use super::design::{EloModel, Hypotheses, SprtDesign};
use super::elo::{self, NELO_PER_DEVIATION};
use super::likelihood;
use super::number::digits;
use super::numeric::find_root;

/// The prediction for a test at one true strength. Lengths are in games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// The true strength, in units of the test.
    #[serde(serialize_with = "digits")]
    pub elo: f64,
    /// The same in logistic Elo.
    #[serde(serialize_with = "digits")]
    pub logistic_elo: f64,
    /// The probability of accepting H1.
    #[serde(serialize_with = "digits")]
    pub pass: f64,
    /// The mean length.
    #[serde(serialize_with = "digits")]
    pub games: f64,
    /// The mean length of tests that accept H1.
    #[serde(serialize_with = "digits")]
    pub games_if_pass: f64,
    /// The mean length of tests that accept H0.
    #[serde(serialize_with = "digits")]
    pub games_if_fail: f64,
    /// The median length.
    #[serde(rename = "games_median", serialize_with = "digits")]
    pub median: f64,
    /// The 95% quantile of the length.
    #[serde(rename = "games_95", serialize_with = "digits")]
    pub most: f64,
}

/// Predicts a test at a true strength, in units of the test.
///
/// The log-likelihood ratio is treated as a Brownian motion between Wald's bounds; real tests whose
/// bounds are corrected by [`crate::stats::Overshoot`] are about as long. Source: Van den Bergh's notes
/// for fishtest's calculator; Wald, *Sequential Analysis*.
///
/// # Errors
///
/// If no pairs of the model are that strong.
pub fn plan(model: &PairModel, design: &SprtDesign, elo: f64) -> Result<Plan, PairModelError> {
    let hypotheses = design.hypotheses();
    let [s0, s1] = model.scores(hypotheses)?;
    let pairs = model.at_elo(elo, hypotheses.model)?;
    let (mean, variance) = pairs.mean_and_variance();
    let motion = Brownian {
        low: design.lower_bound(),
        high: design.upper_bound(),
        // The ratio changes by (s1 - s0)(2x - s0 - s1)/(2 variance) with each pair x (Van den
        // Bergh, "A practical introduction to the GSPRT").
        drift: (mean - f64::midpoint(s0, s1)) * (s1 - s0) / variance,
        variance: (s1 - s0) * (s1 - s0) / variance,
    };
    let fail = motion.leaves_low();
    let [games_if_fail, games_if_pass] = motion.mean_times().map(|pairs| 2.0 * pairs);
    let games = fail * games_if_fail + (1.0 - fail) * games_if_pass;
    let over = |part: f64| {
        let excess = |games: f64| part - (1.0 - motion.is_running(games / 2.0));
        // After every further mean length, fewer than half of the tests are still running.
        find_root(excess, games * 1e-6, games * 50.0).unwrap_or(games)
    };
    Ok(Plan {
        elo,
        logistic_elo: elo::from_score(mean),
        pass: 1.0 - fail,
        games,
        games_if_pass,
        games_if_fail,
        median: over(0.5),
        most: over(0.95),
    })
}

// Models of pair results at a given strength, for planning and simulating tests.

/// A family of pair distributions, one for each strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PairModel {
    /// Independent games with a given draw probability, one from each side of an opening that
    /// favours one side by `bias` Elo.
    Games {
        /// The probability of a draw.
        draw_ratio: f64,
        /// The advantage of one side from the opening, in Elo; the root mean square over openings.
        bias: f64,
    },
    /// Observed pairs, tilted to the strength by as little as possible.
    Like(Distribution),
}

/// A strength that no pairs of the model have.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "no games have a draw ratio of {draw_ratio} and openings worth {bias} Elo at a score of {score:.4}"
)]
pub struct PairModelError {
    /// The probability of a draw.
    pub draw_ratio: f64,
    /// The opening advantage, in Elo.
    pub bias: f64,
    /// The expected score.
    pub score: f64,
}

impl PairModel {
    /// A model of pairs like those counted.
    pub fn like(counts: &Counts) -> Self {
        Self::Like(Distribution::from_counts(counts))
    }

    /// The pair distribution at an expected score.
    ///
    /// # Errors
    ///
    /// If no pairs of the model have this score.
    pub fn at_score(&self, score: f64) -> Result<Distribution, PairModelError> {
        match self {
            Self::Games { draw_ratio, bias } => independent_games(score, *draw_ratio, *bias),
            Self::Like(observed) => {
                let no_such = PairModelError {
                    draw_ratio: observed.probabilities[2],
                    bias: 0.0,
                    score,
                };
                let mle = likelihood::with_expectation(observed, score).ok_or(no_such)?;
                Ok(mle.apply(observed))
            }
        }
    }

    /// The pair distribution at a strength, in units of the Elo model. `BayesElo` is treated as
    /// logistic.
    ///
    /// # Errors
    ///
    /// If no pairs of the model are that strong.
    pub fn at_elo(&self, elo: f64, model: EloModel) -> Result<Distribution, PairModelError> {
        if model != EloModel::Normalized {
            return self.at_score(elo::to_score(elo));
        }
        let nt = elo / NELO_PER_DEVIATION;
        let deviation = self.at_score(0.5)?.deviation_per_game();
        // The deviation changes little with the score.
        let reach = (2.0 * nt * deviation).abs() + 1e-9;
        let (low, high) = ((0.5 - reach).max(1e-6), (0.5 + reach).min(1.0 - 1e-6));
        let excess = |score| match self.at_score(score) {
            Ok(pairs) => score - 0.5 - nt * pairs.deviation_per_game(),
            // Outside the range of the model.
            Err(_) => score - 0.5,
        };
        let score = find_root(excess, low, high).unwrap_or(0.5 + nt * deviation);
        self.at_score(score)
    }

    /// The scores that correspond to the bounds, at the strength halfway between them.
    ///
    /// # Errors
    ///
    /// If no pairs of the model are that strong.
    pub fn scores(&self, hypotheses: &Hypotheses) -> Result<[f64; 2], PairModelError> {
        let middle = f64::midpoint(hypotheses.elo0, hypotheses.elo1);
        Ok(hypotheses.scores(&self.at_elo(middle, hypotheses.model)?))
    }
}

fn independent_games(
    score: f64,
    draw_ratio: f64,
    bias: f64,
) -> Result<Distribution, PairModelError> {
    let advantage = elo::to_score(bias) - 0.5;
    let mut probabilities = [0.0; 5];
    // The engine has the better side of the opening in one game, and the worse in the other.
    let games = [score + advantage, score - advantage].map(|score| {
        let win = score - draw_ratio / 2.0;
        [1.0 - draw_ratio - win, draw_ratio, win]
    });
    if !games
        .iter()
        .flatten()
        .all(|chance| (0.0..=1.0).contains(chance))
    {
        return Err(PairModelError {
            draw_ratio,
            bias,
            score,
        });
    }
    for (i, first) in games[0].iter().enumerate() {
        for (j, second) in games[1].iter().enumerate() {
            probabilities[i + j] += first * second;
        }
    }
    Ok(Distribution {
        probabilities,
        samples: 1.0,
        games_per_sample: 2.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Pentanomial;

    #[test]
    fn games_have_the_variance_of_draws_and_bias() {
        let model = PairModel::Games {
            draw_ratio: 0.5,
            bias: 100.0,
        };
        let pairs = model.at_score(0.5).expect("a model");
        let advantage = elo::to_score(100.0) - 0.5;
        let (mean, variance) = pairs.mean_and_variance();
        assert!((mean - 0.5).abs() < 1e-15);
        let per_game = 0.125 - advantage * advantage;
        assert!((2.0 * variance - per_game).abs() < 1e-15);
    }

    #[test]
    fn strength_is_the_one_asked_for() {
        let observed = Counts::of_pairs(Pentanomial([20, 100, 300, 130, 10]));
        let games = PairModel::Games {
            draw_ratio: 0.6,
            bias: 50.0,
        };
        for model in [games, PairModel::like(&observed)] {
            for elo in [-20.0, 0.0, 3.0] {
                let pairs = model.at_elo(elo, EloModel::Logistic).expect("a strength");
                assert!((elo::from_score(pairs.mean()) - elo).abs() < 1e-9);
                let pairs = model.at_elo(elo, EloModel::Normalized).expect("a strength");
                let nt = (pairs.mean() - 0.5) / pairs.deviation_per_game();
                assert!((nt * NELO_PER_DEVIATION - elo).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn impossible_pairs_are_rejected() {
        let model = PairModel::Games {
            draw_ratio: 0.9,
            bias: 0.0,
        };
        let error = model.at_score(0.6).expect_err("too many draws");
        let expected =
            "no games have a draw ratio of 0.9 and openings worth 0 Elo at a score of 0.6000";
        assert_eq!(error.to_string(), expected);
    }
}
