//! Text for people and machines on what suites catch: one file per format.

mod csv;
mod human;
mod json;

use std::time::Duration;

use super::detect::{Catch, Course, Outcome};
use crate::check::Unit;

/// A format of the report on mutants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Format {
    /// A line for each mutant and one for each suite, for people.
    Human,
    /// One object, schema `touchstone/perft-mutants/1`.
    Json,
    /// One row for each mutant.
    Csv,
}

/// What suites do to the mutants.
#[derive(Clone, Debug)]
pub struct Judged {
    /// What the suites are called.
    pub names: Vec<String>,
    /// Their counts.
    pub course: Course,
    /// What they do to each mutant.
    pub outcomes: Vec<Outcome>,
    /// How long the right counts of each suite take.
    pub times: Vec<Duration>,
}

/// What suites catch, and beside it what the six classic positions do.
#[derive(Clone, Debug)]
pub struct MutantsReport {
    /// The suites.
    pub suites: Judged,
    /// The six classic positions, as one suite; the mutants are the same, in the same order.
    pub classics: Judged,
}

impl Judged {
    /// How many mutants one suite catches, or all together.
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

    /// The id of the record that catches, or its suite and line.
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

    /// The whole report in a format.
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

    /// What the suites and the classics do to each mutant.
    fn rows(&self) -> impl Iterator<Item = (&Outcome, &Outcome)> {
        self.suites.outcomes.iter().zip(&self.classics.outcomes)
    }
}
