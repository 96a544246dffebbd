//! Reports on a finished run of `perft check`: one file per format.

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

/// Output format of `perft check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Format {
    /// A table and the differences, human-readable.
    Human,
    /// One object, schema `touchstone/perft-check/1`.
    Json,
    /// One row per count.
    Csv,
    /// `JUnit` XML, one test case per count.
    Junit,
    /// Workflow commands of GitHub Actions, one per fault, and the verdict.
    Github,
}

/// A finished run.
pub struct CheckReport<'a> {
    /// The counts that were planned.
    pub plan: &'a Plan,
    /// The results.
    pub ledger: &'a Ledger,
    /// Wall-clock time of the run.
    pub time: Duration,
    /// Number of threads used.
    pub threads: usize,
}

impl CheckReport<'_> {
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
            Format::Junit => junit::write(self),
            Format::Github => Ok(github::write(self)),
        }
    }

    /// The verdict in Markdown, for a job summary.
    pub fn markdown(&self) -> String {
        format!("## perft\n\n```text\n{}```\n", human::write(self))
    }

    /// Every unit with its suite's name and its state.
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

/// A count that differs, described in one line.
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
