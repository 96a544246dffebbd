//! Text of a journal: a line for each iteration, in order. Pure.

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

/// Why a journal cannot be resumed, with the line, from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct JournalError(String);

#[derive(Clone, Debug)]
pub struct Replay {
    pub spsa: Spsa,
    pub records: Vec<IterationRecord>,
    /// Number of bytes in whole lines; the rest is a torn line of an interrupted run.
    pub whole: usize,
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

    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("numbers and texts") + "\n"
    }
}

impl Replay {
    /// Replays a journal: recomputes every value and compares it with the stored one.
    ///
    /// # Errors
    ///
    /// When a line is not a record, or not the one that follows from the configuration.
    pub fn of(bytes: &[u8], config: &TuneConfig) -> Result<Self, JournalError> {
        let newline = bytes.iter().rposition(|&byte| byte == b'\n');
        let mut replay = Self {
            spsa: config.begin(),
            records: Vec::new(),
            whole: newline.map_or(0, |newline| newline + 1),
        };
        let lines = bytes[..replay.whole].split_inclusive(|&byte| byte == b'\n');
        for (line, bytes) in (1..).zip(lines) {
            let record = serde_json::from_slice(bytes).map_err(|error| {
                JournalError(format!(
                    "line {line} is not the record of an iteration: {error}"
                ))
            })?;
            replay.take(line, record, config.games_per_iteration)?;
        }
        Ok(replay)
    }

    fn take(&mut self, line: u64, record: IterationRecord, games: u64) -> Result<(), JournalError> {
        let next = self.spsa.done();
        let trial = self.spsa.trial(next).ok_or_else(|| {
            JournalError(format!("line {line} is one more than there are iterations"))
        })?;
        expect(line, "iteration", &record.iteration, &next)?;
        expect(line, "plus", &record.plus, &trial.plus)?;
        expect(line, "minus", &record.minus, &trial.minus)?;
        let counts = [record.wins, record.draws, record.losses];
        let played = counts
            .iter()
            .try_fold(0_u64, |sum, &count| sum.checked_add(count));
        expect(line, "the number of games", &played, &Some(games))?;
        self.spsa.apply(record.games());
        let is_same = record.values.len() == self.spsa.values().len()
            && record
                .values
                .iter()
                .zip(self.spsa.values())
                .all(|(found, value)| (found - value).abs() <= TOLERANCE * value.abs().max(1.0));
        if !is_same {
            return Err(differs(line, "values", &record.values, &self.spsa.values()));
        }
        self.records.push(record);
        Ok(())
    }
}

fn expect<T: PartialEq + std::fmt::Debug>(
    line: u64,
    field: &str,
    found: &T,
    expected: &T,
) -> Result<(), JournalError> {
    if found == expected {
        return Ok(());
    }
    Err(differs(line, field, found, expected))
}

fn differs(
    line: u64,
    field: &str,
    found: &dyn std::fmt::Debug,
    expected: &dyn std::fmt::Debug,
) -> JournalError {
    JournalError(format!(
        "line {line}: {field} is {found:?}, expected {expected:?}"
    ))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it so")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::config::tests::config;

    /// A journal of all iterations but the last, and the values after each.
    fn journal() -> (String, Vec<Vec<f64>>) {
        let mut spsa = config().begin();
        let mut text = String::new();
        let mut values = vec![spsa.values().to_vec()];
        for iteration in 0..9 {
            let trial = spsa.trial(iteration).expect("the next");
            let games = Wdl {
                wins: iteration % 3,
                draws: 0,
                losses: 2 - iteration % 3,
            };
            spsa.apply(games);
            let faults = iteration / 8;
            text += &IterationRecord::new(trial, games, faults, spsa.values()).to_line();
            values.push(spsa.values().to_vec());
        }
        (text, values)
    }

    #[test]
    fn a_journal_cut_off_anywhere_gives_the_values_of_its_whole_lines() {
        let (text, values) = journal();
        for end in 0..=text.len() {
            let replay = Replay::of(&text.as_bytes()[..end], &config()).expect("good");
            let done = text[..end].matches('\n').count();
            assert_eq!(replay.spsa.values(), values[done], "{end} bytes");
            assert_eq!(replay.records.len(), done);
            let whole = text[..end].rfind('\n').map_or(0, |newline| newline + 1);
            assert_eq!(replay.whole, whole);
        }
    }

    #[test]
    fn inconsistent_iterations_are_rejected() {
        let (text, _) = journal();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let other = |index: usize, from: &str, to: &str| {
            assert!(lines[index].contains(from), "{}", lines[index]);
            let mut lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
            lines[index] = lines[index].replace(from, to);
            lines.concat()
        };
        let swapped = [lines[0], lines[2], lines[1]].concat();
        let rows = rows![
            other(2, "\"wins\"", "\"won\"") => "line 3 is not the record of an iteration: ";
            swapped => "line 2: iteration is 2, expected 1";
            other(1, "\"plus\":[\"", "\"plus\":[\"1") => "line 2: plus is ";
            other(1, "\"minus\":[\"", "\"minus\":[\"1") => "line 2: minus is ";
            other(1, "\"draws\":0", "\"draws\":1") =>
                "line 2: the number of games is Some(3), expected Some(2)";
            // The first iteration was lost twice: one more win changes the direction of all values.
            other(0, "\"wins\":0,\"draws\":0,\"losses\":2", "\"wins\":2,\"draws\":0,\"losses\":0") =>
                "line 1: values is ";
        ];
        for (text, message) in rows {
            let error = Replay::of(text.as_bytes(), &config()).expect_err(message);
            assert!(error.to_string().starts_with(message), "{error}");
        }
        let mut short = config();
        short.gains.iterations = 1;
        let mut first = short.begin();
        let trial = first.trial(0).expect("the first");
        let games = Wdl {
            wins: 1,
            draws: 1,
            losses: 0,
        };
        first.apply(games);
        let line = IterationRecord::new(trial, games, 0, first.values()).to_line();
        let error = Replay::of((line.clone() + &line).as_bytes(), &short).expect_err("two");
        let expected = "line 2 is one more than there are iterations";
        assert_eq!(error.to_string(), expected);
    }
}
