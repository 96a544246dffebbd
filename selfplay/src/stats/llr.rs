//! The generalised log-likelihood ratio: how much better one hypothesis explains what was observed
//! than the other.

use super::counts::Counts;
use super::design::{EloModel, Hypotheses, UnknownDrawsError};
use super::distribution::Distribution;
use super::elo::NELO_PER_DEVIATION;
use super::likelihood;

/// The logarithm of how much better H1 explains the counts than H0, where each is given the
/// distribution that suits it best. 0 without any game.
///
/// Logistic: the distributions with the expected score of the bound (Van den Bergh, "The
/// Generalized Sequential Probability Ratio Test"). Normalised: those with the t-value of the
/// bound ("Normalized Elo Practical", section 4.1); where none is found, because the bounds are
/// far beyond what was observed, the approximation of section 4.2 is given. `BayesElo`: as
/// logistic, after [`Hypotheses::for_counts`].
///
/// # Errors
///
/// When the model is `BayesElo` and the results of the games are not known.
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

/// The approximation of the ratio by a random walk whose steps have the observed variance (Van den
/// Bergh, "A practical introduction to the GSPRT"); what [`super::AfterStop`] is computed with.
/// Bounds of `BayesElo` must have become logistic ones.
pub fn llr_approximate(observed: &Distribution, hypotheses: &Hypotheses) -> f64 {
    let [s0, s1] = hypotheses.scores(observed);
    let (mean, variance) = observed.mean_and_variance();
    observed.samples * (s1 - s0) * (2.0 * mean - s0 - s1) / variance / 2.0
}
