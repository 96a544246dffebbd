//! Text for people and machines, made from what is known of a run: one file per format.

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

/// A format of the report on a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// What is not solved, a table, what has changed, for people
    Human,
    /// One object, schema `touchstone/epd-run/1`
    Json,
    /// One row for each search
    Csv,
    /// `JUnit` XML, one test case for each position
    Junit,
    /// Workflow commands of GitHub Actions, and the report for people
    Github,
}

/// A finished run.
pub struct RunReport<'a> {
    /// What was asked.
    pub plan: &'a Plan,
    /// Each engine, in the order of the command line.
    pub trials: &'a [Trial],
    /// The limits of the command line, in words.
    pub limits: &'a str,
    /// How often each position was searched.
    pub repeat: usize,
    /// How long it took.
    pub time: Duration,
    /// What has changed, for each engine, where there is a baseline.
    pub comparisons: &'a [Option<Comparison<'a>>],
    /// What the baseline is called, and with which limits it was made.
    pub baseline: Option<(&'a str, &'a str)>,
    /// What was demanded.
    pub demands: &'a Demands,
    /// What it amounts to.
    pub verdict: &'a Verdict,
}

impl RunReport<'_> {
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

    /// The verdicts in Markdown, for a summary of jobs.
    pub fn markdown(&self) -> String {
        markdown::write(self)
    }

    /// The records with what an engine found, as `EPD`.
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
