//! Estimates of the strength after a sequential test has stopped.

use super::brownian::Brownian;
use super::counts::{Counts, Distribution};
use super::design::{SprtDesign, UnknownDrawsError};
use super::elo;
use super::likelihood::llr_approximate;
use super::numeric::find_root;
use super::summary::Estimate;

const MAX_ELO: f64 = 1000.0;
/// A log-likelihood ratio this far beyond its bound is no mere overshoot.
const CLAMPED: f64 = 1.03;

/// The strength estimated from a stopped test, in logistic Elo.
///
/// A test that stops early was lucky, so the plain estimate is too high after H1 and too low after
/// H0. Here all outcomes of the test are ordered, from the fastest H0 through the slowest to the
/// slowest H1 and the fastest. The estimate is the Elo at which worse outcomes are as likely as
/// better ones (median-unbiased). The interval extends from the Elo at which an outcome at least
/// this good has a probability of 2.5% to that at which one at least this bad has it. For a running
/// test, the values are those that would be reported if it stopped now.
///
/// The log-likelihood ratio is treated as a Brownian motion ([`llr_approximate`]), so the numbers
/// hold for small differences. Source: fishtest; Siegmund, *Sequential Analysis*, section III.4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AfterStop {
    /// The median-unbiased estimate with its 95% interval.
    pub elo: Estimate,
    /// LOS, the likelihood of superiority: the probability of a worse outcome between equal
    /// engines.
    pub los: f64,
    /// Whether the approximate LLR is far beyond a bound, so that the estimate is only rough: the
    /// difference is large, or the counts go on after the stop.
    pub clamped: bool,
}

impl AfterStop {
    /// Estimates from these counts; `None` without any game.
    ///
    /// # Errors
    ///
    /// If the model is `BayesElo` and the results of the games are unknown.
    pub fn new(counts: &Counts, design: &SprtDesign) -> Result<Option<Self>, UnknownDrawsError> {
        let hypotheses = design.hypotheses().for_counts(counts)?;
        if counts.samples() == 0 {
            return Ok(None);
        }
        let observed = Distribution::from_counts(counts);
        let llr = llr_approximate(&observed, &hypotheses);
        let outcome = StoppedTest::new(&observed, hypotheses.scores(&observed), design, llr);
        let middle = f64::midpoint(hypotheses.elo0, hypotheses.elo1);
        // As `lower_cb` of fishtest's `sprt.py`, for identical numbers.
        let reach = 30.0 * (hypotheses.elo1 - hypotheses.elo0);
        let at = |chance| outcome.elo_where_worse_is(chance, middle, reach);
        Ok(Some(Self {
            elo: Estimate {
                value: at(0.5),
                lower: at(0.975),
                upper: at(0.025),
            },
            los: outcome.chance_of_worse(0.0),
            clamped: outcome.clamped,
        }))
    }
}

/// The state of a test, seen as a Brownian motion.
struct StoppedTest {
    scores: [f64; 2],
    variance: f64,
    bounds: [f64; 2],
    llr: f64,
    time: f64,
    clamped: bool,
}

impl StoppedTest {
    /// Moves a ratio beyond a bound back to the time it crossed the bound.
    fn new(observed: &Distribution, scores: [f64; 2], design: &SprtDesign, llr: f64) -> Self {
        let [low, high] = [design.lower_bound(), design.upper_bound()];
        // The last pair carried the ratio beyond the bound; the motion ends on it.
        let within = llr.clamp(low, high);
        let time = if (low..=high).contains(&llr) {
            observed.samples
        } else {
            // The ratio grows in proportion to the number of observations.
            observed.samples * within / llr
        };
        Self {
            scores,
            variance: observed.mean_and_variance().1,
            bounds: [low, high],
            llr: within,
            time,
            clamped: llr < CLAMPED * low || llr > CLAMPED * high,
        }
    }

    /// The probability of a worse outcome at a true difference of `elo`.
    fn chance_of_worse(&self, elo: f64) -> f64 {
        let [s0, s1] = self.scores;
        let [low, high] = self.bounds;
        let motion = Brownian {
            low,
            high,
            // The ratio changes by (s1 - s0)(2x - s0 - s1)/(2 variance) with each result x (Van den
            // Bergh, "A practical introduction to the GSPRT").
            drift: (elo::to_score(elo) - f64::midpoint(s0, s1)) * (s1 - s0) / self.variance,
            variance: (s1 - s0) * (s1 - s0) / self.variance,
        };
        motion.outcome_cdf(self.time, self.llr)
    }

    /// The Elo at which a worse outcome has this probability; an end of the range if there is none.
    /// The search starts around the bounds and doubles its range a limited number of times.
    fn elo_where_worse_is(&self, chance: f64, middle: f64, mut reach: f64) -> f64 {
        let excess = |elo| self.chance_of_worse(elo) - chance;
        loop {
            let low = (middle - reach).max(-MAX_ELO);
            let high = (middle + reach).min(MAX_ELO);
            if let Some(root) = find_root(excess, low, high) {
                return root;
            }
            if low <= -MAX_ELO && high >= MAX_ELO {
                return if excess(low) > 0.0 { high } else { low };
            }
            reach *= 2.0;
        }
    }
}
