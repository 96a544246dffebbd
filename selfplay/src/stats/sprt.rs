//! The sequential test: it goes on until one hypothesis is accepted.

use super::counts::Counts;
use super::design::{SprtDesign, UnknownDrawsError};
use super::llr::llr;
use crate::digits::to_f64;

/// What a test has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SprtState {
    /// Nothing is decided yet.
    Running,
    /// H0 is accepted: no better than `elo0`.
    AcceptedH0,
    /// H1 is accepted: at least as good as `elo1`.
    AcceptedH1,
    /// Its samples are copies of each other: it proves nothing.
    Invalid,
}

impl SprtState {
    /// The state of a test whose log-likelihood ratio lies so to its bounds.
    pub fn of(llr: f64, lower_bound: f64, upper_bound: f64) -> Self {
        if llr <= lower_bound {
            Self::AcceptedH0
        } else if llr >= upper_bound {
            Self::AcceptedH1
        } else {
            Self::Running
        }
    }

    /// The name, as reports write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::AcceptedH0 => "H0",
            Self::AcceptedH1 => "H1",
            Self::Invalid => "invalid",
        }
    }
}

/// By how much the log-likelihood ratio will jump over a bound rather than hit it.
///
/// Wald's bounds are exact for a ratio that moves in steps too small to see. With real steps it ends
/// beyond the bound, and the test is longer and more often right than was asked for. D. Siegmund,
/// *Sequential Analysis* (1985), corollary 8.33: move the bound by the mean overshoot over a far
/// bound, which is `E[h^2] / (2 E[h])`, with `h` how far a new record lies beyond the last one.
/// Records are collected as the test runs, as in fishtest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overshoot {
    record: f64,
    sum: f64,
    squares: f64,
}

impl Overshoot {
    /// Takes a new height, upwards positive.
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

/// A test as it runs.
///
/// Feed it the counts after each batch, in the order in which the games were scheduled. The
/// decision looks at the newest counts; a caller stops at the first that is not
/// [`SprtState::Running`].
#[derive(Clone, Debug, PartialEq)]
pub struct Sprt {
    design: SprtDesign,
    batch: u64,
    samples: u64,
    llr: f64,
    /// Towards H0 and H1; gone once counts were taken back, or if it is not wanted.
    overshoot: Option<[Overshoot; 2]>,
}

impl Sprt {
    /// A test that is looked at after every `batch` pairs (games, if they are not in pairs).
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

    /// With Wald's bounds as they are.
    pub const fn without_correction(mut self) -> Self {
        self.overshoot = None;
        self
    }

    /// Takes the counts so far, and says what they come to.
    ///
    /// Counts that are the same as before change nothing. When batches were missed, the next record
    /// is measured from here on; when there are fewer counts than before, the bounds are Wald's from
    /// here on, for the records are worth nothing.
    ///
    /// # Errors
    ///
    /// When the model is `BayesElo` and the results of the games are not known; the test is as it
    /// was.
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

    /// What it has come to.
    pub fn state(&self) -> SprtState {
        let [lower, upper] = self.bounds();
        SprtState::of(self.llr, lower, upper)
    }

    /// The log-likelihood ratio of the newest counts.
    pub const fn llr(&self) -> f64 {
        self.llr
    }

    /// The bounds that hold now, the expected overshoot taken off.
    pub fn bounds(&self) -> [f64; 2] {
        let [down, up] = self
            .overshoot
            .map_or([0.0; 2], |both| both.map(|one| one.mean()));
        [
            self.design.lower_bound() + down,
            self.design.upper_bound() - up,
        ]
    }

    /// How far it has come to a decision: -1 is H0, 0 the beginning, 1 is H1.
    pub fn progress(&self) -> f64 {
        let [lower, upper] = self.bounds();
        let bound = if self.llr < 0.0 { -lower } else { upper };
        (self.llr / bound).clamp(-1.0, 1.0)
    }

    /// Pairs (games, if they are not in pairs) that it has seen.
    pub fn samples(&self) -> f64 {
        to_f64(self.samples)
    }

    /// What it asks.
    pub const fn design(&self) -> &SprtDesign {
        &self.design
    }
}
