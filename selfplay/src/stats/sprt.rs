//! The sequential test, which continues until one hypothesis is accepted.

use super::after_stop::AfterStop;
use super::bayes_elo;
use super::counts::Counts;
use super::design::{EloModel, SprtDesign, UnknownDrawsError};
use super::likelihood::llr;
use super::number::to_f64;

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SprtState {
    /// Undecided so far.
    Running,
    /// H0 is accepted: no stronger than `elo0`.
    AcceptedH0,
    /// H1 is accepted: at least as strong as `elo1`.
    AcceptedH1,
    /// The samples are duplicates: the test proves nothing.
    Invalid,
}

impl SprtState {
    /// The state for a log-likelihood ratio and its bounds.
    pub fn new(llr: f64, lower_bound: f64, upper_bound: f64) -> Self {
        if llr <= lower_bound {
            Self::AcceptedH0
        } else if llr >= upper_bound {
            Self::AcceptedH1
        } else {
            Self::Running
        }
    }

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::AcceptedH0 => "H0",
            Self::AcceptedH1 => "H1",
            Self::Invalid => "invalid",
        }
    }
}

/// The expected overshoot: how far the log-likelihood ratio jumps beyond a bound.
///
/// Wald's bounds are exact for a ratio that moves in infinitesimal steps. With real steps it ends
/// beyond the bound, and the test is longer and more often right than requested. D. Siegmund,
/// *Sequential Analysis* (1985), corollary 8.33: shift the bound by the mean overshoot over a far
/// bound, which is `E[h^2] / (2 E[h])`, where `h` is how far a new record exceeds the last one.
/// Records are collected as the test runs, as in fishtest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overshoot {
    record: f64,
    sum: f64,
    squares: f64,
}

impl Overshoot {
    /// Adds a new height, upwards positive.
    fn observe(&mut self, height: f64) {
        if height > self.record {
            let step = height - self.record;
            self.sum += step;
            self.squares += step * step;
            self.record = height;
        }
    }

    /// The mean overshoot; 0 before the first record.
    pub fn mean(&self) -> f64 {
        if self.sum > 0.0 {
            self.squares / self.sum / 2.0
        } else {
            0.0
        }
    }
}

/// A running test.
///
/// Update it with the counts after each batch, in the order in which the games were scheduled. The
/// decision depends on the newest counts; a caller stops at the first state that is not
/// [`SprtState::Running`].
#[derive(Clone, Debug, PartialEq)]
pub struct Sprt {
    design: SprtDesign,
    batch: u64,
    samples: u64,
    llr: f64,
    /// Towards H0 and H1; `None` after counts decreased, or if the correction is off.
    overshoot: Option<[Overshoot; 2]>,
}

impl Sprt {
    /// A test that is updated after every `batch` pairs (or games, without pairs).
    pub const fn new(design: SprtDesign, batch: std::num::NonZeroU64) -> Self {
        let none = Overshoot {
            record: 0.0,
            sum: 0.0,
            squares: 0.0,
        };
        Self {
            design,
            batch: batch.get(),
            samples: 0,
            llr: 0.0,
            overshoot: Some([none, none]),
        }
    }

    /// Disables the overshoot correction of Wald's bounds.
    pub const fn without_correction(mut self) -> Self {
        self.overshoot = None;
        self
    }

    /// Updates the test with the counts so far, and returns its state.
    ///
    /// Unchanged counts have no effect. After missed batches, the next record is measured from
    /// here. If there are fewer counts than before, the records are worthless, and the bounds are
    /// Wald's from here on.
    ///
    /// # Errors
    ///
    /// If the model is `BayesElo` and the results of the games are unknown; the test is unchanged.
    pub fn update(&mut self, counts: &Counts) -> Result<SprtState, UnknownDrawsError> {
        self.llr = llr(counts, self.design.hypotheses())?;
        let samples = counts.samples();
        if samples < self.samples || !samples.is_multiple_of(self.batch) {
            self.overshoot = None;
        }
        if let Some([down, up]) = &mut self.overshoot {
            if samples == self.samples + self.batch {
                down.observe(-self.llr);
                up.observe(self.llr);
            } else if samples != self.samples {
                down.record = -self.llr;
                up.record = self.llr;
            }
        }
        self.samples = samples;
        Ok(self.state())
    }

    /// The state of the test.
    pub fn state(&self) -> SprtState {
        let [lower, upper] = self.bounds();
        SprtState::new(self.llr, lower, upper)
    }

    /// The log-likelihood ratio of the newest counts.
    pub const fn llr(&self) -> f64 {
        self.llr
    }

    /// The current bounds, corrected for the expected overshoot.
    pub fn bounds(&self) -> [f64; 2] {
        let [down, up] = self
            .overshoot
            .map_or([0.0; 2], |both| both.map(|one| one.mean()));
        [
            self.design.lower_bound() + down,
            self.design.upper_bound() - up,
        ]
    }

    /// Progress towards a decision: -1 is H0, 0 the start, 1 is H1.
    pub fn progress(&self) -> f64 {
        let [lower, upper] = self.bounds();
        // The bounds differ in size if alpha and beta do.
        let bound = if self.llr < 0.0 { -lower } else { upper };
        (self.llr / bound).clamp(-1.0, 1.0)
    }

    /// Number of pairs (or games, without pairs) seen.
    pub fn samples(&self) -> f64 {
        to_f64(self.samples)
    }

    /// The design of the test.
    pub const fn design(&self) -> &SprtDesign {
        &self.design
    }
}

// The result of a sequential test from its final counts alone, without its history.

/// The result of a sequential test, computed from counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtVerdict {
    /// The design of the test.
    pub design: SprtDesign,
    /// The generalised log-likelihood ratio.
    pub llr: f64,
    /// The ratio in the `BayesElo` model itself, if the bounds are in its units and the games are
    /// known.
    pub llr_bayeselo: Option<f64>,
    /// The decision by Wald's bounds.
    pub state: SprtState,
    /// The estimated strength; `None` without games.
    pub after_stop: Option<AfterStop>,
}

impl SprtVerdict {
    /// Evaluates a test on these counts.
    ///
    /// # Errors
    ///
    /// If the model is `BayesElo` and the results of the games are unknown.
    pub fn new(counts: &Counts, design: SprtDesign) -> Result<Self, UnknownDrawsError> {
        let hypotheses = design.hypotheses();
        let llr = llr(counts, hypotheses)?;
        let is_bayesian = hypotheses.model == EloModel::Bayesian;
        let games = counts.wdl().filter(|_| is_bayesian);
        Ok(Self {
            llr,
            llr_bayeselo: games.map(|wdl| bayes_elo::llr(wdl, hypotheses.elo0, hypotheses.elo1)),
            state: SprtState::new(llr, design.lower_bound(), design.upper_bound()),
            after_stop: AfterStop::new(counts, &design)?,
            design,
        })
    }
}
