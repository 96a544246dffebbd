//! The generalised log-likelihood ratio (GSPRT): how much better one hypothesis explains the
//! observations than the other.

use super::counts::Counts;
use super::design::{EloModel, Hypotheses, UnknownDrawsError};
use super::distribution::Distribution;
use super::elo::NELO_PER_DEVIATION;
use super::likelihood;

/// The log-likelihood ratio of H1 against H0, each with its maximum-likelihood distribution. 0
/// without any game.
///
/// Logistic: the distributions with the expected score of the bound (Van den Bergh, "The
/// Generalized Sequential Probability Ratio Test"). Normalised: those with the t-value of the bound
/// ("Normalized Elo Practical", section 4.1), or the approximation of section 4.2 if none is found
/// because the bounds are far from the observations. `BayesElo`: as logistic, after
/// [`Hypotheses::for_counts`].
///
/// # Errors
///
/// If the model is `BayesElo` and the results of the games are unknown.
pub fn llr(counts: &Counts, hypotheses: &Hypotheses) -> Result<f64, UnknownDrawsError> {
    let hypotheses = hypotheses.for_counts(counts)?;
    if counts.samples() == 0 {
        return Ok(0.0);
    }
    let observed = Distribution::of(counts);
    Ok(match hypotheses.model {
        EloModel::Normalized => normalized(&observed, &hypotheses),
        EloModel::Logistic | EloModel::Bayesian => logistic(&observed, &hypotheses),
    })
}

fn logistic(observed: &Distribution, hypotheses: &Hypotheses) -> f64 {
    let [q0, q1] = hypotheses.scores(observed).map(|score| {
        likelihood::with_expectation(observed, score)
            .expect("scores lie between 0 and 1, and both ends have been counted")
    });
    observed.samples * likelihood::mean_log_ratio(observed, &q0, &q1)
}

fn normalized(observed: &Distribution, hypotheses: &Hypotheses) -> f64 {
    let root = libm::sqrt(observed.games_per_sample);
    let [q0, q1] = [hypotheses.elo0, hypotheses.elo1]
        .map(|nelo| likelihood::with_t_value(observed, nelo / NELO_PER_DEVIATION * root));
    match (q0, q1) {
        (Some(q0), Some(q1)) => observed.samples * likelihood::mean_log_ratio(observed, &q0, &q1),
        _ => normalized_approximate(observed, hypotheses),
    }
}

/// "Normalized Elo Practical", section 4.2.
fn normalized_approximate(observed: &Distribution, hypotheses: &Hypotheses) -> f64 {
    let t = (observed.mean() - 0.5) / observed.deviation_per_game();
    let [d0, d1] = [hypotheses.elo0, hypotheses.elo1].map(|nelo| t - nelo / NELO_PER_DEVIATION);
    let games = observed.samples * observed.games_per_sample;
    games / 2.0 * libm::log((1.0 + d0 * d0) / (1.0 + d1 * d1))
}

/// Approximates the ratio by a random walk whose steps have the observed variance (Van den Bergh,
/// "A practical introduction to the GSPRT"); [`super::AfterStop`] is computed with it. `BayesElo`
/// bounds must have been converted to logistic ones.
pub fn llr_approximate(observed: &Distribution, hypotheses: &Hypotheses) -> f64 {
    let [s0, s1] = hypotheses.scores(observed);
    let (mean, variance) = observed.mean_and_variance();
    observed.samples * (s1 - s0) * (2.0 * mean - s0 - s1) / variance / 2.0
}
