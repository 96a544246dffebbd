//! Reports on finished counts and checks: one file per output format, and the text on a hunt's
//! finding ([`finding`]), which all of them show.

pub(crate) mod consistency;
pub(crate) mod coverage;
mod csv;
pub(crate) mod finding;
mod github;
mod human;
mod json;
mod junit;
mod markdown;
mod words;

use std::time::Duration;

use kit::Exit;

use crate::count::result::CountResult;
use crate::engine_check::case::Case;
use crate::engine_check::ledger::EngineCheck;
use crate::event::SuiteCountResult;
use crate::suite::check::ledger::{Ledger, SuiteCountState, SuiteVerdict};
use crate::suite::check::plan::{CheckPlan, SuiteCount};
use crate::suite::mutants::detect::{Judged, MutantCatches};

/// Output format of `perft count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub(crate) enum CountFormat {
    /// Human-readable; the divide as engines print it
    Human,
    /// One object, schema `touchstone/perft-count/1` or `touchstone/perft-unique/1`
    Json,
    /// One row per root move or ply, or a single row
    Csv,
}

/// Output format of `perft check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub(crate) enum CheckFormat {
    /// A table and the differences, human-readable
    Human,
    /// One object, schema `touchstone/perft-check/1` or `touchstone/perft-trial/1`
    Json,
    /// One row per count, or per engine and position
    Csv,
    /// `JUnit` XML, one test case per count or position
    Junit,
    /// Workflow commands of GitHub Actions, one per fault, and the verdict
    Github,
}

/// Output format of `perft mutants`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub(crate) enum MutantsFormat {
    /// One line per mutant and per suite, human-readable
    Human,
    /// One object, schema `touchstone/perft-mutants/1`
    Json,
    /// One row per mutant
    Csv,
}

/// Renders the report on a count.
pub(crate) fn write_count(result: &CountResult, format: CountFormat) -> anyhow::Result<String> {
    match format {
        CountFormat::Human => Ok(human::count(result)),
        CountFormat::Json => json::count(result),
        CountFormat::Csv => csv::count(result),
    }
}

/// A report of `perft check`.
pub(crate) trait Report {
    fn write(&self, format: CheckFormat) -> anyhow::Result<String>;

    /// The verdict in Markdown, for a job summary.
    fn markdown(&self) -> String;
}

/// A finished check of suites by our own generator.
pub(crate) struct CheckReport<'a> {
    pub(crate) plan: &'a CheckPlan,
    pub(crate) ledger: &'a Ledger,
    /// Wall-clock time of the run.
    pub(crate) time: Duration,
    /// Number of threads used.
    pub(crate) threads: usize,
}

impl Report for CheckReport<'_> {
    fn write(&self, format: CheckFormat) -> anyhow::Result<String> {
        match format {
            CheckFormat::Human => Ok(human::check(self)),
            CheckFormat::Json => json::check(self),
            CheckFormat::Csv => csv::check(self),
            CheckFormat::Junit => junit::check(self),
            CheckFormat::Github => Ok(github::check(self)),
        }
    }

    fn markdown(&self) -> String {
        format!("## perft\n\n```text\n{}```\n", human::check(self))
    }
}

impl CheckReport<'_> {
    /// Every count with its suite's name and its state.
    fn counts(&self) -> impl Iterator<Item = (&str, &SuiteCount, &SuiteCountState)> {
        let counts = self.plan.counts.iter().zip(self.ledger.states());
        counts.map(|(count, state)| (self.plan.suites[count.suite].name.as_str(), count, state))
    }

    /// A count in one word; ours, and that of the second generator; the seconds it took.
    fn described(
        count: &SuiteCount,
        state: &SuiteCountState,
    ) -> (&'static str, Option<u64>, Option<u64>, Option<f64>) {
        let SuiteCountState::Done { result, time } = state else {
            return ("open", None, None, None);
        };
        let (word, counted, oracle) = match result {
            SuiteCountResult::Agrees => ("agrees", Some(count.expected), None),
            SuiteCountResult::Uncountable(_) => ("uncountable", None, None),
            SuiteCountResult::Differs { counted, oracle } => ("differs", Some(*counted), *oracle),
        };
        (word, counted, oracle, Some(time.as_secs_f64()))
    }

    /// The counts that differ.
    fn differing(&self) -> impl Iterator<Item = (&str, &SuiteCount, &SuiteCountResult)> {
        self.counts()
            .filter_map(|(suite, count, state)| match state {
                SuiteCountState::Done { result, .. } if *result != SuiteCountResult::Agrees => {
                    Some((suite, count, result))
                }
                _ => None,
            })
    }
}

/// Finished checks of engines on the same cases.
pub(crate) struct EngineReport<'a> {
    /// Our own generator's check of the suites.
    pub(crate) check: CheckReport<'a>,
    /// The tested positions.
    pub(crate) cases: &'a [Case],
    /// In the order of the command line.
    pub(crate) engines: &'a [EngineCheck],
}

impl Report for EngineReport<'_> {
    fn write(&self, format: CheckFormat) -> anyhow::Result<String> {
        match format {
            CheckFormat::Human => Ok(human::engines(self)),
            CheckFormat::Json => json::engines(self),
            CheckFormat::Csv => csv::engines(self),
            CheckFormat::Junit => junit::engines(self),
            CheckFormat::Github => Ok(github::engines(self)),
        }
    }

    fn markdown(&self) -> String {
        markdown::engines(self)
    }
}

impl EngineReport<'_> {
    /// The exit code: the worst of all engines and suites.
    pub(crate) fn exit(&self) -> Exit {
        const WORST_FIRST: [Exit; 5] = [
            Exit::Interrupted,
            Exit::Differs,
            Exit::Failed,
            Exit::BadInput,
            Exit::Nothing,
        ];
        let engines = self.engines.iter();
        let engines = engines.map(|engine| engine.verdict(self.cases).exit());
        let suites = match self.check.ledger.verdict(self.check.plan) {
            // A wrong count in a suite is not the engine's fault.
            SuiteVerdict::Differ | SuiteVerdict::BrokenSuite => Exit::BadInput,
            SuiteVerdict::Interrupted => Exit::Interrupted,
            SuiteVerdict::Agree | SuiteVerdict::Nothing => Exit::Agreed,
        };
        let earned: Vec<Exit> = engines.chain([suites]).collect();
        let worst = WORST_FIRST.into_iter().find(|exit| earned.contains(exit));
        worst.unwrap_or(Exit::Agreed)
    }

    fn suite_name(&self, case: &Case) -> &str {
        &self.check.plan.suites[case.suite].name
    }

    /// `edge:12 edge.ep-plain`.
    fn place(&self, case: usize) -> String {
        let case = &self.cases[case];
        let place = format!("{}:{}", self.suite_name(case), case.line);
        case.id
            .as_ref()
            .map_or(place.clone(), |id| format!("{place} {id}"))
    }

    /// The names of the first cases, and the number of the others.
    fn places(&self, cases: &[usize]) -> String {
        const SHOWN: usize = 3;
        let shown = cases.iter().take(SHOWN).map(|&case| self.place(case));
        let shown = shown.collect::<Vec<_>>().join(", ");
        match cases.len().saturating_sub(SHOWN) {
            0 => shown,
            more => format!("{shown} and {more} more"),
        }
    }
}

/// The catches of the suites, compared with those of the six classic positions.
#[derive(Clone, Debug)]
pub(crate) struct MutantsReport {
    pub(crate) suites: Judged,
    /// The six classic positions as one suite; the mutants are the same, in the same order.
    pub(crate) classics: Judged,
}

impl MutantsReport {
    pub(crate) fn write(&self, format: MutantsFormat) -> anyhow::Result<String> {
        match format {
            MutantsFormat::Human => Ok(human::mutants(self)),
            MutantsFormat::Json => json::mutants(self),
            MutantsFormat::Csv => csv::mutants(self),
        }
    }

    /// The catches of each mutant, by the suites and by the classics.
    fn rows(&self) -> impl Iterator<Item = (&MutantCatches, &MutantCatches)> {
        self.suites.catches.iter().zip(&self.classics.catches)
    }
}
