//! Reports on a run, for people and machines: one file per format.

mod changes;
mod csv;
mod github;
mod human;
mod json;
mod junit;
mod markdown;
mod records;
mod table;
mod words;

use std::time::Duration;

use crate::baseline::Comparison;
use crate::trial::case::{Case, Plan};
use crate::trial::ledger::Trial;
use crate::verdict::{Demands, Verdict};

/// Report format of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Text for people: unsolved positions, a table, changes
    Human,
    /// JSON: one object, schema `touchstone/epd-run/1`
    Json,
    /// CSV: one row per search
    Csv,
    /// `JUnit` XML, one test case per position
    Junit,
    /// Workflow commands of GitHub Actions, and the human-readable report
    Github,
}

/// A finished run.
pub struct RunReport<'a> {
    /// The suites and positions.
    pub plan: &'a Plan,
    /// The results of each engine, in the order of the command line.
    pub trials: &'a [Trial],
    /// The limits of the command line, as text.
    pub limits: &'a str,
    /// Number of searches of each position.
    pub repeat: usize,
    /// Duration of the run.
    pub time: Duration,
    /// The comparison of each engine with the baseline, if there is one.
    pub comparisons: &'a [Option<Comparison<'a>>],
    /// The name of the baseline and the limits it was made with.
    pub baseline: Option<(&'a str, &'a str)>,
    /// The demands on the results.
    pub demands: &'a Demands,
    /// The verdict on the run.
    pub verdict: &'a Verdict,
}

impl RunReport<'_> {
    /// Writes the report in a format.
    ///
    /// # Errors
    ///
    /// When serialisation fails.
    pub fn write(&self, format: Format) -> anyhow::Result<String> {
        match format {
            Format::Human => Ok(human::write(self)),
            Format::Json => json::write(self),
            Format::Csv => csv::write(self),
            Format::Junit => junit::write(self),
            Format::Github => Ok(github::write(self)),
        }
    }

    /// A Markdown summary of the verdicts, for GitHub job summaries.
    pub fn markdown(&self) -> String {
        markdown::write(self)
    }

    /// The records with an engine's results, as `EPD`.
    pub fn records(&self, trial: &Trial) -> String {
        records::write(self.plan, trial)
    }

    fn suite_name(&self, case: &Case) -> &str {
        &self.plan.suites[case.suite].name
    }

    /// `wac.epd:12 WAC.011`.
    fn place(&self, case: &Case) -> String {
        let id = case
            .record
            .id()
            .map_or_else(String::new, |id| format!(" {id}"));
        format!("{}:{}{id}", self.suite_name(case), case.line)
    }
}
