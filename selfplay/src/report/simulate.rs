//! Formats simulations for people, and as `touchstone/plan/1` with `results`.

use serde::Serialize;

use super::{decimals, percent, plan, table};
use crate::stats::SprtDesign;
use crate::stats::number::twelve_digits;
use crate::stats::simulate::SimulationTally;

/// Settings and results of a simulation.
#[derive(Clone, Debug)]
pub struct SimulateReport {
    pub design: SprtDesign,
    pub seed: u64,
    /// Number of pairs between two evaluations of a test.
    pub batch: u64,
    /// Whether the bounds were corrected for overshoot.
    pub correction: bool,
    /// Results by true strength, in the units of the test.
    pub tallies: Vec<(f64, SimulationTally)>,
}

#[derive(Serialize)]
struct SimulateJson {
    seed: u64,
    batch: u64,
    correction: bool,
    results: Vec<JsonTally>,
}

#[derive(Serialize)]
struct JsonTally {
    elo: f64,
    tests: u64,
    passed: u64,
    failed: u64,
    undecided: u64,
    pass: Option<f64>,
    pass_lower: Option<f64>,
    pass_upper: Option<f64>,
    games: Option<f64>,
    games_error: Option<f64>,
    games_median: u64,
    games_95: u64,
}

impl SimulateReport {
    /// Formats the simulation as one JSON object.
    pub fn json(&self) -> String {
        let simulated = SimulateJson {
            seed: self.seed,
            batch: self.batch,
            correction: self.correction,
            results: self
                .tallies
                .iter()
                .map(|&(elo, tally)| JsonTally {
                    elo,
                    tests: tally.tests,
                    passed: tally.passed,
                    failed: tally.failed,
                    undecided: tally.undecided,
                    pass: twelve_digits(tally.pass.value),
                    pass_lower: twelve_digits(tally.pass.lower),
                    pass_upper: twelve_digits(tally.pass.upper),
                    games: twelve_digits(tally.games),
                    games_error: twelve_digits(tally.games_error),
                    games_median: tally.median,
                    games_95: tally.most,
                })
                .collect(),
        };
        plan::document(&self.design, &simulated)
    }

    /// Formats the simulation as a table for people.
    pub fn human(&self) -> String {
        let head = [
            "elo",
            "tests",
            "pass",
            "95% interval",
            "undecided",
            "games",
            "±",
            "median",
            "95%",
        ];
        let rows = self.tallies.iter().map(|(elo, tally)| {
            vec![
                decimals(*elo, 2),
                tally.tests.to_string(),
                percent(tally.pass.value),
                format!(
                    "{} to {}",
                    percent(tally.pass.lower),
                    percent(tally.pass.upper)
                ),
                tally.undecided.to_string(),
                decimals(tally.games, 0),
                decimals(tally.games_error, 0),
                tally.median.to_string(),
                tally.most.to_string(),
            ]
        });
        let batch = match self.batch {
            1 => "every pair".to_owned(),
            batch => format!("every {batch} pairs"),
        };
        let bounds = if self.correction {
            "bounds corrected for overshoot"
        } else {
            "Wald's bounds"
        };
        format!(
            "{}seed {}, looked at after {batch}, {bounds}\n",
            table(&head, 1.., rows),
            self.seed
        )
    }
}
