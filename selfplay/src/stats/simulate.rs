//! Monte Carlo simulation of tests: their error rates and lengths.

use std::num::NonZeroU64;

use chacha20::ChaCha8Rng;
use rand::{Rng, SeedableRng as _};

use super::counts::{Counts, Distribution, Pentanomial};
use super::design::SprtDesign;
use super::number::to_f64;
use super::sprt::{Sprt, SprtState};
use super::summary::Estimate;

/// The parameters of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulation {
    /// The test.
    pub design: SprtDesign,
    /// The distribution of the pairs.
    pub pairs: Distribution,
    /// Number of pairs between two looks at the test.
    pub batch: NonZeroU64,
    /// Maximum number of pairs; a test that is still running then is undecided.
    pub max_pairs: u64,
    /// Whether the bounds are corrected for overshoot.
    pub correction: bool,
    /// The random seed.
    pub seed: u64,
}

/// The result of one simulated test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedTest {
    /// The decision; [`SprtState::Running`] if the test is undecided.
    pub state: SprtState,
    /// Number of pairs played.
    pub pairs: u64,
}

impl Simulation {
    /// The counts of a match of so many pairs, drawn from the stream of test `index`.
    pub fn sample(&self, index: u64, pairs: u64) -> [u64; 5] {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        // ChaCha has independent streams for one seed.
        rng.set_stream(index);
        let thresholds = thresholds(&self.pairs);
        let mut cells = [0; 5];
        for _ in 0..pairs {
            let number = rng.next_u32();
            cells[thresholds.iter().filter(|&&end| number >= end).count()] += 1;
        }
        cells
    }

    /// Runs one test. Each has its own random number generator, so that its result does not depend
    /// on which thread runs it, or when.
    pub fn run(&self, index: u64) -> SimulatedTest {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(index);
        let thresholds = thresholds(&self.pairs);
        let mut sprt = Sprt::new(self.design, self.batch);
        if !self.correction {
            sprt = sprt.without_correction();
        }
        let mut cells = [0; 5];
        let mut pairs = 0;
        while pairs < self.max_pairs {
            let batch = self.batch.get().min(self.max_pairs - pairs);
            for _ in 0..batch {
                let number = rng.next_u32();
                cells[thresholds.iter().filter(|&&end| number >= end).count()] += 1;
            }
            pairs += batch;
            let counts = Counts::of_pairs(Pentanomial(cells));
            let state = sprt.update(&counts).expect("the model is not BayesElo");
            if state != SprtState::Running {
                return SimulatedTest { state, pairs };
            }
        }
        SimulatedTest {
            state: SprtState::Running,
            pairs,
        }
    }
}

/// The cumulative probabilities of all cells but the last, scaled to 32 bits.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "chances are from 0 to 1, and the conversion saturates"
)]
fn thresholds(pairs: &Distribution) -> [u32; 4] {
    let mut sum = 0.0;
    let mut ends = [0; 4];
    for (end, chance) in ends.iter_mut().zip(pairs.probabilities) {
        sum += chance;
        *end = (sum * 4_294_967_296.0) as u32;
    }
    ends
}

/// Totals over many tests. Lengths are in games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulationTally {
    /// Number of tests.
    pub tests: u64,
    /// Number of tests that accepted H1.
    pub passed: u64,
    /// Number of tests that accepted H0.
    pub failed: u64,
    /// Number of undecided tests.
    pub undecided: u64,
    /// The probability of accepting H1, out of all tests including undecided ones.
    pub pass: Estimate,
    /// The mean length.
    pub games: f64,
    /// The standard error of the mean length.
    pub games_error: f64,
    /// The median length.
    pub median: u64,
    /// The 95% quantile of the length.
    pub most: u64,
}

impl SimulationTally {
    /// Sums up tests. `None` without any test.
    pub fn from_runs(runs: &[SimulatedTest]) -> Option<Self> {
        let tests = runs.len() as u64;
        let count = |state| runs.iter().filter(|run| run.state == state).count() as u64;
        let passed = count(SprtState::AcceptedH1);
        let pass = Estimate::of_chance(passed, tests)?;
        let mut lengths: Vec<u64> = runs.iter().map(|run| 2 * run.pairs).collect();
        lengths.sort_unstable();
        let mean = lengths.iter().map(|&games| to_f64(games)).sum::<f64>() / to_f64(tests);
        let squares = lengths
            .iter()
            .map(|&games| (to_f64(games) - mean) * (to_f64(games) - mean));
        // One test has no variance; 0 is written instead of NaN.
        let variance = squares.sum::<f64>() / to_f64(tests.max(2) - 1);
        let over = |percent: usize| lengths[((lengths.len() * percent).div_ceil(100)).max(1) - 1];
        Some(Self {
            tests,
            passed,
            failed: count(SprtState::AcceptedH0),
            undecided: count(SprtState::Running),
            pass,
            games: mean,
            games_error: libm::sqrt(variance / to_f64(tests)),
            median: over(50),
            most: over(95),
        })
    }
}
