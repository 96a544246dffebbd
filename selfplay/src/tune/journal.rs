//! Lines of the journal, one for each iteration, in order. Pure.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use super::config::TuneConfig;
use super::spsa::{Spsa, Trial};
use crate::stats::{Wdl, twelve_digits};

/// Maximum difference between a stored value and the recomputed one: stored values have 12 digits.
const TOLERANCE: f64 = 1e-9;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IterationRecord {
    /// Number of the iteration, from 0.
    pub iteration: u64,
    /// Option values of the first engine.
    pub plus: Vec<String>,
    /// Option values of the second engine.
    pub minus: Vec<String>,
    /// Number of games won by the first engine.
    pub wins: u64,
    pub draws: u64,
    /// Number of games won by the second engine.
    pub losses: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub faults: u64,
    /// Values after the iteration, to 12 digits. For readers only: a resumed run recomputes them.
    pub values: Vec<f64>,
}

/// The state of a tuning after the lines of its journal.
#[derive(Clone, Debug)]
pub struct Replay {
    pub spsa: Spsa,
    pub records: Vec<IterationRecord>,
    games_per_iteration: u64,
}

impl IterationRecord {
    pub(super) fn new(trial: Trial, games: Wdl, faults: u64, values: &[f64]) -> Self {
        let Wdl {
            wins,
            draws,
            losses,
        } = games;
        let digits = |value: &f64| twelve_digits(*value).expect("values are finite");
        Self {
            iteration: trial.iteration,
            plus: trial.plus,
            minus: trial.minus,
            wins,
            draws,
            losses,
            faults,
            values: values.iter().map(digits).collect(),
        }
    }

    /// Results of its games, from the first engine's view.
    pub fn games(&self) -> Wdl {
        Wdl {
            wins: self.wins,
            draws: self.draws,
            losses: self.losses,
        }
    }
}

impl Replay {
    /// The state before the first line.
    pub fn new(config: &TuneConfig) -> Self {
        Self {
            spsa: config.begin(),
            records: Vec::new(),
            games_per_iteration: config.games_per_iteration,
        }
    }

    /// Replays a line: recomputes every value and compares it with the stored one.
    ///
    /// # Errors
    ///
    /// When it is not the line that follows from the configuration.
    pub fn take(&mut self, record: IterationRecord) -> Result<(), String> {
        let next = self.spsa.done();
        let trial = self.spsa.trial(next);
        let trial = trial.ok_or("the line is one more than there are iterations")?;
        expect("iteration", &record.iteration, &next)?;
        expect("plus", &record.plus, &trial.plus)?;
        expect("minus", &record.minus, &trial.minus)?;
        let counts = [record.wins, record.draws, record.losses];
        // Counts of a damaged line may overflow.
        let played = counts
            .iter()
            .try_fold(0_u64, |sum, &count| sum.checked_add(count));
        expect(
            "the number of games",
            &played,
            &Some(self.games_per_iteration),
        )?;
        self.spsa.apply(record.games());
        let is_same = record.values.len() == self.spsa.values().len()
            && record
                .values
                .iter()
                .zip(self.spsa.values())
                .all(|(found, value)| (found - value).abs() <= TOLERANCE * value.abs().max(1.0));
        if !is_same {
            return Err(differs("values", &record.values, &self.spsa.values()));
        }
        self.records.push(record);
        Ok(())
    }
}

fn expect<T: PartialEq + Debug>(field: &str, found: &T, expected: &T) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(differs(field, found, expected))
}

fn differs(field: &str, found: &dyn Debug, expected: &dyn Debug) -> String {
    format!("{field} is {found:?}, expected {expected:?}")
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it so")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::config::tests::config;

    /// All iterations but the last.
    fn records() -> Vec<IterationRecord> {
        let mut spsa = config().begin();
        let next = |iteration| {
            let trial = spsa.trial(iteration).expect("the next");
            let games = Wdl {
                wins: iteration % 3,
                draws: 0,
                losses: 2 - iteration % 3,
            };
            spsa.apply(games);
            IterationRecord::new(trial, games, iteration / 8, spsa.values())
        };
        (0..9).map(next).collect()
    }

    #[test]
    fn inconsistent_iterations_are_rejected() {
        let records = records();
        let replay = |records: &[IterationRecord]| {
            let mut replay = Replay::new(&config());
            let mut lines = records.iter().cloned();
            lines.try_for_each(|record| replay.take(record))?;
            Ok::<_, String>(replay)
        };
        assert_eq!(replay(&records).expect("good").records, records);
        let other = |index: usize, change: fn(&mut IterationRecord)| {
            let mut records = records.clone();
            change(&mut records[index]);
            records
        };
        let mut swapped = records.clone();
        swapped.swap(1, 2);
        let rows = rows![
            swapped => "iteration is 2, expected 1";
            other(1, |record| record.plus[0].insert(0, '1')) => "plus is ";
            other(1, |record| record.minus[0].insert(0, '1')) => "minus is ";
            other(1, |record| record.draws = 1) => "the number of games is Some(3), expected Some(2)";
            // The first iteration was lost twice: one more win changes the direction of all values.
            other(0, |record| (record.wins, record.losses) = (2, 0)) => "values is ";
        ];
        for (records, message) in rows {
            let error = replay(&records).expect_err(message);
            assert!(error.starts_with(message), "{error}");
        }
        let mut short = config();
        short.gains.iterations = 1;
        let mut one = Replay::new(&short);
        let trial = one.spsa.trial(0).expect("the first");
        let games = Wdl {
            wins: 1,
            draws: 1,
            losses: 0,
        };
        let mut spsa = one.spsa.clone();
        spsa.apply(games);
        let record = IterationRecord::new(trial, games, 0, spsa.values());
        one.take(record.clone()).expect("the first");
        let error = one.take(record).expect_err("two");
        assert_eq!(error, "the line is one more than there are iterations");
    }
}
