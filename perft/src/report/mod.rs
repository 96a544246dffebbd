//! Text for people and machines, made from what is known of a run: one file per format.

mod csv;
pub mod finding;
mod github;
mod human;
mod json;
mod junit;
mod trial;

use std::fmt;
use std::time::Duration;

use kit::output::grouped;

use crate::check::{Ledger, Plan, State, Unit};
use crate::event::UnitResult;
pub use trial::TrialReport;

/// A format of the report on a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Format {
    /// A table and what differs, for people.
    Human,
    /// One object, schema `touchstone/perft-check/1`.
    Json,
    /// One row for each count.
    Csv,
    /// `JUnit` XML, one test case for each count.
    Junit,
    /// Workflow commands of GitHub Actions, one for each fault, and the verdict.
    Github,
}

/// A finished run.
pub struct CheckReport<'a> {
    /// What was to be counted.
    pub plan: &'a Plan,
    /// What came of it.
    pub ledger: &'a Ledger,
    /// How long it took.
    pub time: Duration,
    /// On how many threads.
    pub threads: usize,
}

impl CheckReport<'_> {
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
            Format::Junit => junit::write(self),
            Format::Github => Ok(github::write(self)),
        }
    }

    /// The verdict in Markdown, for a summary of jobs.
    pub fn markdown(&self) -> String {
        format!("## perft\n\n```text\n{}```\n", human::write(self))
    }

    /// Every unit with its suite's name and what is known of it.
    fn units(&self) -> impl Iterator<Item = (&str, &Unit, &State)> {
        let units = self.plan.units.iter().zip(self.ledger.states());
        units.map(|(unit, state)| (self.plan.suites[unit.suite].name.as_str(), unit, state))
    }

    /// The units that differ.
    fn differing(&self) -> impl Iterator<Item = (&str, &Unit, &UnitResult)> {
        self.units().filter_map(|(suite, unit, state)| match state {
            State::Done { result, .. } if *result != UnitResult::Agrees => {
                Some((suite, unit, result))
            }
            _ => None,
        })
    }
}

/// Says in one line how a count differs.
struct Difference<'a>(&'a Unit, &'a UnitResult);

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(unit, result) = *self;
        write!(
            f,
            "depth {}: the suite says {}",
            unit.depth,
            grouped(unit.expected)
        )?;
        match *result {
            UnitResult::Agrees => write!(f, ", and so do we"),
            UnitResult::Uncountable(error) => write!(f, ", but {error}"),
            UnitResult::Differs { counted, oracle } => {
                let sign = if counted > unit.expected { '+' } else { '-' };
                let by = grouped(counted.abs_diff(unit.expected));
                write!(f, ", we count {} ({sign}{by})", grouped(counted))?;
                match oracle {
                    Some(oracle) if oracle == counted => {
                        write!(
                            f,
                            "; the mailbox generator counts the same: the suite is wrong"
                        )
                    }
                    Some(oracle) => {
                        let oracle = grouped(oracle);
                        write!(
                            f,
                            "; the mailbox generator counts {oracle}: we are in doubt"
                        )
                    }
                    None => Ok(()),
                }
            }
        }
    }
}
