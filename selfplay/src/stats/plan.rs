//! Predicted length and result of a test.

use super::brownian::Brownian;
use super::design::SprtDesign;
use super::elo;
use super::pair_model::{PairModel, PairModelError};
use super::root::find_root;

/// The prediction for a test at one true strength. Lengths are in games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The true strength, in units of the test.
    pub elo: f64,
    /// The same in logistic Elo.
    pub logistic_elo: f64,
    /// The probability of accepting H1.
    pub pass: f64,
    /// The mean length.
    pub games: f64,
    /// The mean length of tests that accept H1.
    pub games_if_pass: f64,
    /// The mean length of tests that accept H0.
    pub games_if_fail: f64,
    /// The median length.
    pub median: f64,
    /// The 95% quantile of the length.
    pub most: f64,
}

/// Predicts a test at a true strength, in units of the test.
///
/// The log-likelihood ratio is treated as a Brownian motion between Wald's bounds; real tests whose
/// bounds are corrected by [`super::Overshoot`] are about as long. Source: Van den Bergh's notes
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
