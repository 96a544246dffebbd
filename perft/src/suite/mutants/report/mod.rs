//! Reports on what suites catch: one file per format.

mod csv;
mod human;
mod json;

use std::time::Duration;

use super::detect::{Catch, Course, Outcome};
use crate::check::Unit;

/// Output format of `perft mutants`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Format {
    /// One line per mutant and per suite, human-readable.
    Human,
    /// One object, schema `touchstone/perft-mutants/1`.
    Json,
    /// One row per mutant.
    Csv,
}

/// Suites and their catches.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The names of the suites.
    pub names: Vec<String>,
    /// The counts of the suites.
    pub course: Course,
    /// The catches of each mutant.
    pub outcomes: Vec<Outcome>,
    /// The time that the correct counts of each suite take.
    pub times: Vec<Duration>,
}

/// The catches of the suites, compared with those of the six classic positions.
#[derive(Clone, Debug)]
pub struct MutantsReport {
    /// The suites.
    pub suites: Judged,
    /// The six classic positions as one suite; the mutants are the same, in the same order.
    pub classics: Judged,
}

impl Judged {
    /// Number of mutants caught by one suite, or by all together.
    fn caught(&self, suite: Option<usize>) -> usize {
        let catches = |outcome: &&Outcome| match suite {
            Some(suite) => outcome.by_suite[suite].is_some(),
            None => outcome.first().is_some(),
        };
        self.outcomes.iter().filter(catches).count()
    }

    /// The leaf nodes of one suite's counts, or of all.
    fn nodes(&self, suite: Option<usize>) -> u64 {
        let last = self.course.units().len().checked_sub(1);
        last.map_or(0, |last| self.course.cost(last, suite))
    }

    fn unit(&self, catch: Catch) -> &Unit {
        &self.course.units()[catch.unit]
    }

    /// The id of the catching record, or its suite and line.
    fn place(&self, catch: Catch) -> String {
        let unit = self.unit(catch);
        let line = || format!("{}:{}", self.names[unit.suite], unit.line);
        unit.id.clone().unwrap_or_else(line)
    }
}

impl MutantsReport {
    /// Whether the suites together catch every mutant.
    pub fn all_are_caught(&self) -> bool {
        self.suites.caught(None) == self.suites.outcomes.len()
    }

    /// Renders the report in a format.
    ///
    /// # Errors
    ///
    /// When a library cannot write the format.
    pub fn write(&self, format: Format) -> anyhow::Result<String> {
        match format {
            Format::Human => Ok(human::write(self)),
            Format::Json => json::write(self),
            Format::Csv => csv::write(self),
        }
    }

    /// The outcome of each mutant, for the suites and for the classics.
    fn rows(&self) -> impl Iterator<Item = (&Outcome, &Outcome)> {
        self.suites.outcomes.iter().zip(&self.classics.outcomes)
    }
}
