//! Maximum-likelihood distributions for the observed counts, under a constraint.
//!
//! They have the form `p / (1 + x b)`, with the observed frequencies `p` and a number `b` for each
//! cell; `x` solves `sum p b / (1 + x b) = 0`, called the secular equation.

use super::counts::{Counts, Distribution, POINTS};
use super::design::{EloModel, Hypotheses, UnknownDrawsError};
use super::elo::NELO_PER_DEVIATION;

/// Maximum number of steps for a secular equation; bisection alone needs 64.
const MAX_STEPS: u32 = 100;
/// Maximum number of rounds for a distribution with a given t-value.
const MAX_ROUNDS: u32 = 100;
/// The last step is below this fraction of the distance to the nearer end: Newton's method squares
/// the error.
const STEP_TOLERANCE: f64 = 1e-6;
/// Maximum change of a probability in the last round; the rounds converge quadratically.
const ROUND_TOLERANCE: f64 = 1e-9;

/// A distribution `p / (1 + x b)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mle {
    x: f64,
    b: [f64; 5],
}

impl Mle {
    fn divisors(&self) -> [f64; 5] {
        self.b.map(|b| 1.0 + self.x * b)
    }

    pub(super) fn apply(&self, observed: &Distribution) -> Distribution {
        let mut tilted = *observed;
        for (p, divisor) in tilted.probabilities.iter_mut().zip(self.divisors()) {
            // An unused cell stays unused, whatever its divisor is.
            *p = if *p > 0.0 { *p / divisor } else { 0.0 };
        }
        tilted
    }
}

/// The maximum-likelihood distribution with a given expectation, which must be between 0 and 1.
///
/// Source: Van den Bergh, "MLE for a multinomial distribution with given expectation", proposition
/// 1.1.
pub(super) fn with_expectation(observed: &Distribution, mean: f64) -> Option<Mle> {
    solve_secular(observed, POINTS.map(|points| points - mean))
}

/// The maximum-likelihood distribution with a given t-value: the distance of the expectation from
/// 1/2 in standard deviations. `None` if none is found.
///
/// Source: Van den Bergh, "Normalized Elo Practical", section 4.1: the condition is linearised at a
/// distribution, the maximum under it is the next distribution, until it no longer changes. The
/// first is uniform: starting from the observed one, the iteration can end at a lower likelihood if
/// nearly all results are alike.
pub(super) fn with_t_value(observed: &Distribution, t: f64) -> Option<Mle> {
    let mut current = uniform(observed);
    let mut last = None;
    for _ in 0..MAX_ROUNDS {
        let (mean, variance) = current.mean_and_variance();
        let deviation = libm::sqrt(variance);
        let b = POINTS.map(|points| {
            let distance = (points - mean) / deviation;
            points - 0.5 - t * deviation * (1.0 + distance * distance) / 2.0
        });
        let mle = solve_secular(observed, b)?;
        let next = mle.apply(observed);
        let cells = next.probabilities.iter().zip(current.probabilities);
        let change = cells.fold(0.0_f64, |most, (p, q)| most.max((p - q).abs()));
        last = Some(mle);
        if change < ROUND_TOLERANCE {
            break;
        }
        current = next;
    }
    let found = last?;
    let (mean, variance) = found.apply(observed).mean_and_variance();
    let reached = (mean - 0.5) / libm::sqrt(variance);
    // Rounds that have not converged must not give a ratio that looks right.
    ((reached - t).abs() < 1e-5).then_some(found)
}

/// The same probability for every cell in use.
fn uniform(observed: &Distribution) -> Distribution {
    let in_use = observed.probabilities.map(|p| f64::from(u8::from(p > 0.0)));
    let cells: f64 = in_use.iter().sum();
    Distribution {
        probabilities: in_use.map(|one| one / cells),
        ..*observed
    }
}

/// The expectation of `ln(q1 / q0)`, for two distributions fitted to the observed one.
pub(super) fn mean_log_ratio(observed: &Distribution, q0: &Mle, q1: &Mle) -> f64 {
    let divisors = q0.divisors().into_iter().zip(q1.divisors());
    let cells = observed.probabilities.iter().zip(divisors);
    cells
        .filter(|&(&p, _)| p > 0.0)
        // This is `ln(d0 / d1)`, without a loss of digits where both hypotheses are close.
        .map(|(&p, (d0, d1))| p * libm::log1p((d0 - d1) / d1))
        .sum()
}

/// Solves the secular equation by Newton's method, with bisection where a step leaves the bracket.
/// `None` if the cells in use are not on both sides of 0. The likelihoods are stationary in `x`, so
/// half its digits would suffice.
fn solve_secular(observed: &Distribution, b: [f64; 5]) -> Option<Mle> {
    let p = observed.probabilities;
    let in_use = |cell: usize| p[cell] > 0.0;
    let used = (0..5).filter(|&cell| in_use(cell)).map(|cell| b[cell]);
    let (least, most) = used.fold((0.0_f64, 0.0_f64), |(least, most), b| {
        (least.min(b), most.max(b))
    });
    if !(least < 0.0 && most > 0.0) {
        return None;
    }
    // Between these, and nowhere else, the divisors `1 + x b` of all cells in use are positive.
    let ends = [-1.0 / most, -1.0 / least];
    let [mut low, mut high] = ends;
    let (mut first, mut second) = (0.0, 0.0);
    for cell in 0..5 {
        first += p[cell] * b[cell];
        second += p[cell] * b[cell] * b[cell];
    }
    // Newton's first step from 0, where the sum is `first` and its slope `-second`.
    let mut x = first / second;
    for _ in 0..MAX_STEPS {
        if !(low < x && x < high) {
            x = low + (high - low) / 2.0;
        }
        let (mut value, mut slope) = (0.0, 0.0);
        for cell in 0..5 {
            let part = b[cell] / (1.0 + x * b[cell]);
            // An unused cell may have a divisor of 0.
            if in_use(cell) {
                value += p[cell] * part;
                slope -= p[cell] * part * part;
            }
        }
        // The sum decreases from the low end to the high end.
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let step = value / slope;
        x -= step;
        if step.abs() <= STEP_TOLERANCE * (x - ends[0]).min(ends[1] - x) {
            break;
        }
    }
    Some(Mle { x, b })
}

// The generalised log-likelihood ratio (GSPRT): how much better one hypothesis explains the
// observations than the other.

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
    let observed = Distribution::from_counts(counts);
    Ok(match hypotheses.model {
        EloModel::Normalized => normalized(&observed, &hypotheses),
        EloModel::Logistic | EloModel::Bayesian => logistic(&observed, &hypotheses),
    })
}

fn logistic(observed: &Distribution, hypotheses: &Hypotheses) -> f64 {
    let [q0, q1] = hypotheses.scores(observed).map(|score| {
        with_expectation(observed, score)
            .expect("scores lie between 0 and 1, and both ends have been counted")
    });
    observed.samples * mean_log_ratio(observed, &q0, &q1)
}

fn normalized(observed: &Distribution, hypotheses: &Hypotheses) -> f64 {
    // nElo is per game; the deviation of a pair's mean is smaller by the root of 2.
    let root = libm::sqrt(observed.games_per_sample);
    let [q0, q1] = [hypotheses.elo0, hypotheses.elo1]
        .map(|nelo| with_t_value(observed, nelo / NELO_PER_DEVIATION * root));
    match (q0, q1) {
        (Some(q0), Some(q1)) => observed.samples * mean_log_ratio(observed, &q0, &q1),
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
/// "A practical introduction to the GSPRT"); [`crate::stats::AfterStop`] is computed with it. `BayesElo`
/// bounds must have been converted to logistic ones.
pub fn llr_approximate(observed: &Distribution, hypotheses: &Hypotheses) -> f64 {
    let [s0, s1] = hypotheses.scores(observed);
    let (mean, variance) = observed.mean_and_variance();
    observed.samples * (s1 - s0) * (2.0 * mean - s0 - s1) / variance / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Counts, Pentanomial, Wdl};

    const PAIRS: [[u64; 5]; 4] = [
        [100, 200, 400, 220, 90],
        [0, 3, 10, 2, 0],
        [0, 0, 0, 0, 7],
        [1, 0, 0, 0, 5000],
    ];

    fn all() -> impl Iterator<Item = Distribution> {
        let games = Wdl {
            wins: 20,
            draws: 50,
            losses: 0,
        };
        let pairs = PAIRS.map(|cells| Counts::of_pairs(Pentanomial(cells)));
        let counts = pairs.into_iter().chain([Counts::Games(games)]);
        counts.map(|counts| Distribution::from_counts(&counts))
    }

    fn assert_is_distribution(d: &Distribution) {
        let sum: f64 = d.probabilities.iter().sum();
        assert!((sum - 1.0).abs() < 1e-8, "{d:?}");
        assert!(d.probabilities.iter().all(|&p| p >= 0.0), "{d:?}");
    }

    #[test]
    fn the_expectation_is_the_one_asked_for() {
        for observed in all() {
            for mean in [0.01, 0.3, 0.5, 0.507, 0.99] {
                let mle = with_expectation(&observed, mean).expect("between 0 and 1");
                let found = mle.apply(&observed);
                assert_is_distribution(&found);
                assert!((found.mean() - mean).abs() < 1e-8, "{mean}: {found:?}");
            }
        }
    }

    #[test]
    fn the_t_value_is_the_one_asked_for() {
        for observed in all() {
            for t in [-0.02, 0.0, 0.01, 0.2] {
                let mle = with_t_value(&observed, t).expect("a small t-value");
                let found = mle.apply(&observed);
                assert_is_distribution(&found);
                let (mean, variance) = found.mean_and_variance();
                let reached = (mean - 0.5) / libm::sqrt(variance);
                assert!((reached - t).abs() < 1e-10, "{t}: {reached}");
            }
        }
    }

    /// No neighbour with the same expectation is more likely.
    #[test]
    fn nothing_explains_more() {
        let observed = all().next().expect("a distribution");
        let best = with_expectation(&observed, 0.52).expect("between 0 and 1");
        let best = best.apply(&observed).probabilities;
        let explains = |q: [f64; 5]| -> f64 {
            let cells = observed.probabilities.iter().zip(q);
            cells.map(|(p, q)| p * libm::log(q)).sum()
        };
        // Steps that preserve sum and expectation.
        for step in [[1.0, -2.0, 1.0, 0.0, 0.0], [0.0, 1.0, -1.0, -1.0, 1.0]] {
            for size in [-1e-4, 1e-4] {
                let mut other = best;
                for (q, by) in other.iter_mut().zip(step) {
                    *q += size * by;
                }
                assert!(explains(other) < explains(best), "{step:?} by {size}");
            }
        }
    }

    #[test]
    fn an_expectation_out_of_reach_has_no_explanation() {
        let observed = all().next().expect("a distribution");
        assert!(with_expectation(&observed, 1.0).is_none());
        assert!(with_expectation(&observed, -0.1).is_none());
    }
}
