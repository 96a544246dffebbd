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

use std::io::Write;
use std::time::Duration;

use chess::notation::fen;
use kit::Exit;

use crate::count::result::CountResult;
use crate::engine_check::case::{Case, Cases};
use crate::engine_check::ledger::EngineCheck;
use crate::event::SuiteCountResult;
use crate::suite::check::ledger::{Ledger, SuiteCountState, SuiteVerdict};
use crate::suite::check::plan::{CheckPlan, PlannedRecord, SuiteCount};
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
    /// The verdict in Markdown
    Markdown,
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

/// A report of `perft check`. It may have millions of rows: every format writes them one by one.
pub(crate) trait Report {
    fn write(&self, format: CheckFormat, out: &mut dyn Write) -> anyhow::Result<()>;

    /// Writes the verdict in Markdown, for a job summary.
    fn write_markdown(&self, out: &mut dyn Write) -> anyhow::Result<()>;
}

/// A finished check of suites by our own generator.
#[derive(Clone, Copy)]
pub(crate) struct CheckReport<'a> {
    pub(crate) plan: &'a CheckPlan,
    pub(crate) ledger: &'a Ledger,
    /// Wall-clock time of the run.
    pub(crate) time: Duration,
    /// Number of threads used.
    pub(crate) threads: usize,
}

impl Report for CheckReport<'_> {
    fn write(&self, format: CheckFormat, out: &mut dyn Write) -> anyhow::Result<()> {
        match format {
            CheckFormat::Human => Ok(human::check(self, out)?),
            CheckFormat::Json => json::check(self, out),
            CheckFormat::Csv => csv::check(self, out),
            CheckFormat::Junit => Ok(junit::check(self, out)?),
            CheckFormat::Github => Ok(github::check(self, out)?),
            CheckFormat::Markdown => self.write_markdown(out),
        }
    }

    fn write_markdown(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        write!(out, "## perft\n\n```text\n")?;
        human::check(self, out)?;
        Ok(writeln!(out, "```")?)
    }
}

impl CheckReport<'_> {
    /// Every count with its suite's name and its state.
    fn counts(&self) -> impl Iterator<Item = (&str, SuiteCount<'_>, SuiteCountState)> {
        let counts = self.plan.counts().enumerate();
        counts.map(|(index, count)| (self.suite_name(count), count, self.ledger.state(index)))
    }

    fn suite_name(&self, count: SuiteCount<'_>) -> &str {
        &self.plan.suites[count.record.suite()].name
    }

    /// A count in one word; ours, and that of the second generator; the seconds it took.
    fn described(
        count: SuiteCount<'_>,
        state: SuiteCountState,
    ) -> (&'static str, Option<u64>, Option<u64>, Option<f64>) {
        let SuiteCountState::Done { result, time } = state else {
            return ("open", None, None, None);
        };
        let (word, counted, oracle) = match result {
            SuiteCountResult::Agrees => ("agrees", Some(count.expected), None),
            SuiteCountResult::Uncountable(_) => ("uncountable", None, None),
            SuiteCountResult::Differs { counted, oracle } => ("differs", Some(counted), oracle),
        };
        (word, counted, oracle, Some(time.as_secs_f64()))
    }

    /// The counts that differ.
    fn differing(&self) -> impl Iterator<Item = (&str, SuiteCount<'_>, SuiteCountResult)> {
        self.ledger.differing().map(|(index, result)| {
            let count = self.plan.count(index);
            (self.suite_name(count), count, result)
        })
    }
}

/// The FEN of each count, written once for all counts of a record.
#[derive(Default)]
struct Fens<'a>(Option<(PlannedRecord<'a>, String)>);

impl<'a> Fens<'a> {
    fn of(&mut self, count: SuiteCount<'a>) -> String {
        let record = count.record;
        let last = self.0.take().filter(|&(last, _)| last == record);
        let (_, fen) = last.unwrap_or_else(|| (record, fen::write(&record.position())));
        self.0 = Some((record, fen.clone()));
        fen
    }
}

/// Finished checks of engines on the same cases.
#[derive(Clone, Copy)]
pub(crate) struct EngineReport<'a> {
    /// Our own generator's check of the suites.
    pub(crate) check: CheckReport<'a>,
    /// The tested positions.
    pub(crate) cases: &'a Cases<'a>,
    /// In the order of the command line.
    pub(crate) engines: &'a [EngineCheck],
}

impl Report for EngineReport<'_> {
    fn write(&self, format: CheckFormat, out: &mut dyn Write) -> anyhow::Result<()> {
        match format {
            CheckFormat::Human => Ok(human::engines(self, out)?),
            CheckFormat::Json => json::engines(self, out),
            CheckFormat::Csv => csv::engines(self, out),
            CheckFormat::Junit => Ok(junit::engines(self, out)?),
            CheckFormat::Github => Ok(github::engines(self, out)?),
            CheckFormat::Markdown => self.write_markdown(out),
        }
    }

    fn write_markdown(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        Ok(markdown::engines(self, out)?)
    }
}

impl EngineReport<'_> {
    /// Writes what has changed since the check before, for people.
    pub(crate) fn write_changes(
        &self,
        before: &EngineCheck,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        Ok(human::changes(self, before, out)?)
    }

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

    fn suite_name(&self, case: Case<'_>) -> &str {
        &self.check.plan.suites[case.suite()].name
    }

    /// `edge:12 edge.ep-plain`.
    fn place(&self, case: usize) -> String {
        let case = self.cases.get(case);
        let place = format!("{}:{}", self.suite_name(case), case.line());
        case.id()
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
