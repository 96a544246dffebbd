//! Reports, for people and machines: those on a run, and [`lint`].

pub(crate) mod board;
pub(crate) mod cases;
mod csv;
mod html;
mod human;
mod json;
pub(crate) mod lint;
pub(crate) mod page;
mod puzzles;
mod records;
pub(crate) mod scores;
mod words;

pub(crate) use html::lichess;
pub(crate) use words::percent;

use std::io::Write;
use std::time::Duration;

use kit::report::{self, CaseSuite, Format, Formats, Report, Rows, Section};

use self::cases::{JudgedRun, Regressions};

use crate::run::baseline::BaselineComparison;
use crate::run::ledger::Trial;
use crate::run::plan::{RunCase, RunPlan};
use crate::run::verdict::{FailPolicy, RunVerdict};

/// The formats of a run: those of all cases, a page with boards of what failed, and the records with the
/// engine's results (acd, acn, acs, ce, pm, pv), of one engine only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunFormats;

impl Formats for RunFormats {
    const ALL: &'static [Format] = &[
        Format::Human,
        Format::Json,
        Format::Csv,
        Format::Junit,
        Format::Github,
        Format::Markdown,
        Format::Html,
        Format::Epd,
    ];
}

pub(crate) struct SuiteRunReport<'a> {
    pub(crate) plan: &'a RunPlan,
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
    pub(crate) comparisons: &'a [Option<BaselineComparison<'a>>],
    /// The name of the baseline and the limits it was made with.
    pub(crate) baseline: Option<(&'a str, &'a str)>,
    pub(crate) policy: &'a FailPolicy,
    pub(crate) verdict: &'a RunVerdict,
    /// Tables by group, ratings and curves that are asked for.
    pub(crate) scores: &'a scores::ScoreRequest,
}

impl Report for SuiteRunReport<'_> {
    fn command(&self) -> &'static str {
        "epd run"
    }

    fn time(&self) -> Option<Duration> {
        Some(self.time)
    }

    fn suites(&self) -> Vec<CaseSuite<'_>> {
        let judged = JudgedRun {
            plan: self.plan,
            trials: self.trials,
            verdict: self.verdict,
            allow_unreadable: self.policy.allow_unreadable,
            regressions: self.regressions(),
        };
        let describe = |engine: usize, case: usize| {
            let standing = &self.verdict.standings[engine][case];
            words::what(self, engine, case, standing)
        };
        judged.suites(describe, |engine| words::verdict(self, engine))
    }

    fn sections(&self) -> Vec<Section<'_>> {
        human::sections(self)
    }

    fn verdict(&self) -> report::Verdict {
        let engines = self.trials.iter().enumerate();
        let lines = engines
            .map(|(index, trial)| format!("{}: {}", trial.command, words::verdict(self, index)));
        let lines: Vec<String> = lines.chain(words::not_run(self)).collect();
        report::Verdict {
            exit: self.verdict.exit,
            text: lines.join("\n"),
        }
    }

    fn rows(&self) -> Rows<'_> {
        csv::rows(self)
    }

    fn write_json(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        json::write(self, out)
    }

    fn write_other(&self, format: Format, out: &mut dyn Write) -> anyhow::Result<()> {
        if format == Format::Html {
            return Ok(out.write_all(html::write(self).as_bytes())?);
        }
        for trial in self.trials {
            // Records without an answer are unchanged.
            out.write_all(records::write(self.plan, trial).as_bytes())?;
        }
        Ok(())
    }
}

impl SuiteRunReport<'_> {
    /// For each engine, the positions that got worse since the baseline, with the rule and what changed.
    fn regressions(&self) -> Vec<Regressions> {
        let compared = self.comparisons.iter().zip(self.trials);
        let regressions = compared.map(|(comparison, trial)| {
            let Some(comparison) = comparison else {
                return Regressions::new();
            };
            // A comparison counts only the positions that were searched; cases count all of the
            // plan.
            let searched: Vec<usize> = trial.searched().collect();
            let failed = comparison.newly_failed.iter();
            let failed = failed.map(|change| (change, "newly-failed", words::failed(change)));
            let slower = comparison.slower.iter();
            let slower = slower.map(|change| (change, "slower", words::slower(change)));
            let all = failed.chain(slower);
            let of_case = all.map(|(change, rule, text)| {
                let case = searched[change.index];
                // The case is named already.
                let name = format!("{} {}: ", change.now.suite, change.now.name);
                let text = text.strip_prefix(&*name).unwrap_or(&text).to_owned();
                (case, (rule, text))
            });
            of_case.collect()
        });
        regressions.collect()
    }

    fn suite_name(&self, case: &RunCase) -> &str {
        &self.plan.suites[case.suite].name
    }

    /// `wac.epd:12 WAC.011`.
    fn place(&self, case: &RunCase) -> String {
        let id = case.record.id().map(|id| format!(" {id}"));
        let (suite, id) = (self.suite_name(case), id.unwrap_or_default());
        format!("{suite}:{}{id}", case.line)
    }
}
