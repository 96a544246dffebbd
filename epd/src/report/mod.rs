//! Reports, for people and machines: those on a run in one file per format, and [`lint`].

pub(crate) mod board;
mod csv;
mod github;
mod html;
mod human;
mod json;
mod junit;
pub(crate) mod lint;
mod markdown;
pub(crate) mod page;
mod puzzles;
mod records;
pub(crate) mod scores;
mod words;

pub(crate) use csv::csv as table;
pub(crate) use html::lichess;

use std::time::Duration;

use crate::run::baseline::Comparison;
use crate::run::ledger::Trial;
use crate::run::plan::{Case, Plan};
use crate::run::verdict::{FailPolicy, Verdict};

/// Report format of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum RunFormat {
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
    /// One page with boards of what failed; needs no script and nothing from elsewhere
    Html,
    /// The verdicts in Markdown
    Markdown,
    /// The records with the engine's results: acd, acn, acs, ce, pm, pv; of one engine only
    Epd,
}

pub(crate) struct RunReport<'a> {
    pub(crate) plan: &'a Plan,
    /// The results of each engine, in the order of the command line.
    pub(crate) trials: &'a [Trial],
    /// The limits of the command line, as text.
    pub(crate) limits: &'a str,
    /// The number of lines of which one has to be a solution, if it is not only the first.
    pub(crate) top: Option<u16>,
    /// Number of searches of each position.
    pub(crate) repeat: usize,
    pub(crate) time: Duration,
    /// The comparison of each engine with the baseline, if there is one.
    pub(crate) comparisons: &'a [Option<Comparison<'a>>],
    /// The name of the baseline and the limits it was made with.
    pub(crate) baseline: Option<(&'a str, &'a str)>,
    pub(crate) policy: &'a FailPolicy,
    pub(crate) verdict: &'a Verdict,
    /// Tables by group, ratings and curves that are asked for.
    pub(crate) scores: &'a scores::ScoreRequest,
}

impl RunReport<'_> {
    pub(crate) fn write(&self, format: RunFormat) -> anyhow::Result<String> {
        match format {
            RunFormat::Human => Ok(human::write(self)),
            RunFormat::Json => json::write(self),
            RunFormat::Csv => csv::write(self),
            RunFormat::Junit => junit::write(self),
            RunFormat::Github => Ok(github::write(self)),
            RunFormat::Html => html::write(self),
            RunFormat::Markdown => Ok(self.markdown()),
            RunFormat::Epd => Ok(self
                .trials
                .iter()
                .map(|trial| self.records(trial))
                .collect()),
        }
    }

    /// A Markdown summary of the verdicts, for GitHub job summaries.
    pub(crate) fn markdown(&self) -> String {
        markdown::write(self)
    }

    /// The records with an engine's results, as EPD; those without an answer are unchanged.
    fn records(&self, trial: &Trial) -> String {
        records::write(self.plan, trial)
    }

    fn suite_name(&self, case: &Case) -> &str {
        &self.plan.suites[case.suite].name
    }

    /// `wac.epd:12 WAC.011`.
    fn place(&self, case: &Case) -> String {
        let id = case.record.id().map(|id| format!(" {id}"));
        let (suite, id) = (self.suite_name(case), id.unwrap_or_default());
        format!("{suite}:{}{id}", case.line)
    }
}
