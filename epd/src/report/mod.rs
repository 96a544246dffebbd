//! Reports, for people and machines: that on a run, whose text for people is here, and [`lint`].

pub(crate) mod board;
pub(crate) mod cases;
mod csv;
mod html;
mod json;
pub(crate) mod lint;
mod puzzles;
mod records;
pub(crate) mod scores;
mod words;

pub(crate) use html::lichess;
pub(crate) use words::percent;

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::io::Write;
use std::time::Duration;

use kit::output::grouped;
use kit::report::{self, CaseSuite, Format, Formats, Report, Rows, Section};

use self::cases::{JudgedRun, Regressions};

use crate::run::baseline::BaselineComparison;
use crate::run::ledger::{Handshake, PositionState, Trial};
use crate::run::plan::{GoalFault, RunCase, RunPlan, SuiteCases};
use crate::run::statistics::sign_test;
use crate::run::verdict::{FailPolicy, RunVerdict};

/// Maximum number of positions listed that failed, and of those that are not solved; JSON, CSV and `JUnit`
/// have all.
const LISTED: usize = 50;
/// Maximum number of transcript lines shown.
// The last lines show how the engine ended; what it printed long before seldom matters.
const TRANSCRIPT: usize = 12;
/// Maximum number of engine failures shown with transcript.
// An engine that fails at one position mostly fails at many for the same reason.
const TRANSCRIPTS: usize = 3;
/// Maximum number of warnings shown per suite.
const WARNINGS: usize = 10;
/// Maximum number of positions listed that only one engine solves.
const NAMED: usize = 10;

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
    /// Why nothing was run or compared.
    pub(crate) nothing: Option<&'static str>,
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
        sections(self)
    }

    fn verdict(&self) -> report::Verdict {
        let engines = self.trials.iter().enumerate();
        let lines = engines
            .map(|(index, trial)| format!("{}: {}", trial.command, words::verdict(self, index)));
        let nothing = self.nothing.map(|why| format!("NOTHING: {why}"));
        let lines: Vec<String> = lines.chain(words::not_run(self)).chain(nothing).collect();
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

/// What people read before the verdict.
fn sections<'a>(report: &'a SuiteRunReport<'_>) -> Vec<Section<'a>> {
    let written = |write: &dyn Fn(&mut String) -> fmt::Result| {
        let mut text = String::new();
        write(&mut text).expect("a string can be written to");
        text
    };
    let cases = written(&|text| {
        for suite in &report.plan.suites {
            write_suite_faults(suite, text)?;
        }
        (0..report.trials.len()).try_for_each(|engine| write_positions(report, engine, text))
    });
    let mut sections = vec![Section::cases(cases)];
    if report.trials.iter().any(is_ready) {
        let each = match report.repeat {
            1 => String::new(),
            n => format!(", each position {n} times, solved in more than half"),
        };
        sections.push(Section::text(format!("{}{each}\n", report.limits)));
        let mut rows = rows(report);
        sections.push(Section::table(rows.remove(0), rows));
    }
    let scores = written(&|text| {
        write_stopped(report, text)?;
        text.push_str(&puzzles::write(report));
        scores::write(report, text)?;
        write_rivals(report, text)
    });
    sections.push(Section::text(scores));
    let compared = report.comparisons.iter().zip(report.trials);
    let changes = compared.filter_map(|(comparison, trial)| {
        let changes = words::changes(comparison.as_ref()?, report.baseline?);
        Some(format!("{}\n{changes}", trial.command))
    });
    sections.extend(changes.map(Section::text));
    sections
}

/// How many searches were stopped early, for each engine with any.
fn write_stopped(report: &SuiteRunReport<'_>, text: &mut String) -> fmt::Result {
    for trial in report.trials {
        let stopped = trial.totals(&report.plan.cases, None).stopped_early;
        let searches = (0..report.plan.cases.len()).map(|case| trial.answers(case).count());
        if stopped > 0 {
            let (command, searches) = (&trial.command, searches.sum::<usize>());
            let what = "stopped early, because the solution was stable";
            writeln!(
                text,
                "{command}: {stopped} of {searches} searches were {what}"
            )?;
        }
    }
    Ok(())
}

fn is_ready(trial: &Trial) -> bool {
    matches!(trial.handshake, Handshake::Ready { .. })
}

fn write_suite_faults(suite: &SuiteCases, text: &mut String) -> fmt::Result {
    let name = &suite.name;
    for (line, fault) in suite.faults() {
        writeln!(text, "NOT RUN {name}:{line}: {fault}")?;
    }
    for GoalFault { line, error } in suite.warnings.iter().take(WARNINGS) {
        writeln!(text, "WARNING {name}:{line}: {error}")?;
    }
    if let more @ 1.. = suite.warnings.len().saturating_sub(WARNINGS) {
        writeln!(text, "WARNING {name}: and {more} more like these")?;
    }
    match suite.without_goal {
        0 => Ok(()),
        1 => writeln!(text, "{name}: 1 record asks for nothing"),
        count => writeln!(text, "{name}: {count} records ask for nothing"),
    }
}

/// A line per position that did not pass.
fn write_positions(report: &SuiteRunReport<'_>, engine: usize, text: &mut String) -> fmt::Result {
    let trial = &report.trials[engine];
    let name = words::engine_name(&trial.handshake);
    writeln!(text, "{}: {name}", trial.command)?;
    if let Handshake::Failed { transcript, .. } = &trial.handshake {
        write_transcript(transcript, text)?;
    }
    let mut shown = 0;
    let mut listed = BTreeMap::new();
    for (index, case) in report.plan.cases.iter().enumerate() {
        let standing = &report.verdict.standings[engine][index];
        if let Some(news) = words::one_news(report, engine, index, standing) {
            // The maximum holds for each sign, so that many unsolved positions do not hide one that
            // failed.
            let of_sign = listed.entry(news.sign.trim_end()).or_insert(0);
            *of_sign += 1;
            if *of_sign <= LISTED {
                writeln!(text, "{}", words::line(report, &news))?;
            }
        }
        if let Some((_, transcript)) = trial.fault(index) {
            if shown < TRANSCRIPTS {
                write_transcript(transcript, text)?;
            }
            shown += 1;
        }
        if let Some(fault) = trial.illegal_pv(index) {
            writeln!(text, "  NOTE     {}: {fault}", report.place(case))?;
        }
    }
    for (sign, count) in listed {
        if let more @ 1.. = count.saturating_sub(LISTED) {
            writeln!(text, "  and {more} more {}", sign.to_lowercase())?;
        }
    }
    Ok(())
}

fn write_transcript(transcript: &str, text: &mut String) -> fmt::Result {
    let lines: Vec<&str> = transcript.lines().collect();
    let left_out = lines.len().saturating_sub(TRANSCRIPT);
    if left_out > 0 {
        writeln!(text, "           … {left_out} lines before")?;
    }
    for line in &lines[left_out..] {
        writeln!(text, "         {line}")?;
    }
    Ok(())
}

/// A row per suite and one for the total, columns per engine.
fn rows(report: &SuiteRunReport<'_>) -> Vec<Vec<String>> {
    let cases = &report.plan.cases;
    let has_points = cases.iter().any(|case| case.goal.points.is_some());
    let trials = report.trials.iter().enumerate();
    let ready = || trials.clone().filter(|(_, trial)| is_ready(trial));
    let mut head = vec!["suite".to_owned(), "positions".to_owned()];
    for (index, _) in ready() {
        let number = match report.trials.len() {
            1 => String::new(),
            _ => format!(" {}", index + 1),
        };
        let points = has_points.then_some("points");
        let [solved, first] = match report.top {
            None => ["solved".to_owned(), String::new()],
            Some(top) => [format!("solved@{top}"), "solved@1".to_owned()],
        };
        let titles = [solved.as_str(), "part"].into_iter();
        let titles = titles
            .chain(report.top.map(|_| first.as_str()))
            .chain(points);
        let titles = titles.chain(["nodes to solutions", "seconds"]);
        head.extend(titles.map(|title| format!("{title}{number}")));
    }
    let mut rows = vec![head];
    let suites = report.plan.suites.iter().enumerate();
    let named = suites.map(|(index, suite)| (suite.name.as_str(), Some(index)));
    // With one suite, the total would repeat its row.
    let all = (report.plan.suites.len() > 1).then_some(("all", None));
    for (name, suite) in named.chain(all) {
        let of_suite = cases
            .iter()
            .filter(|case| suite.is_none_or(|suite| case.suite == suite));
        let count = of_suite.count();
        let mut row = vec![name.to_owned(), count.to_string()];
        for (_, trial) in ready() {
            let totals = trial.totals(cases, suite);
            row.push(totals.solved.to_string());
            row.push(percent(totals.solved, totals.asked()));
            row.extend(
                report
                    .top
                    .map(|_| totals.solved_first.unwrap_or(0).to_string()),
            );
            row.extend(has_points.then(|| match totals.most_points {
                0 => "-".to_owned(),
                most => format!("{} of {most}", totals.points),
            }));
            row.push(grouped(totals.solution_nodes));
            row.push(format!("{:.2}", totals.solution_time.as_secs_f64()));
        }
        rows.push(row);
    }
    rows
}

/// The first engine against each of the others.
fn write_rivals(report: &SuiteRunReport<'_>, text: &mut String) -> fmt::Result {
    let Some((first, others)) = report.trials.split_first() else {
        return Ok(());
    };
    for (number, other) in (2..).zip(others) {
        // An engine that did not start solved nothing, which is no comparison.
        if !is_ready(first) || !is_ready(other) {
            continue;
        }
        let only_first = solved_by_one(report, first, other);
        let only_other = solved_by_one(report, other, first);
        // McNemar, Psychometrika 12 (1947): positions that both or neither solve say nothing about
        // which engine is better, and the others are a sign test.
        let test = sign_test(only_first.len() as u64, only_other.len() as u64);
        writeln!(text, "only 1 solves {}", named(&only_first))?;
        writeln!(text, "only {number} solves {}", named(&only_other))?;
        let p = words::p_value(test.p_value);
        writeln!(text, "1 against {number}: p = {p} (McNemar, exact)")?;
    }
    Ok(())
}

/// The positions solved by `this` but not by `that`.
fn solved_by_one(report: &SuiteRunReport<'_>, this: &Trial, that: &Trial) -> Vec<String> {
    let cases = report.plan.cases.iter().enumerate();
    let solved = cases.filter(|&(index, _)| {
        // A position that the other engine was not asked is no loss for it.
        this.state(index) == PositionState::Solved && that.state(index) == PositionState::Unsolved
    });
    solved.map(|(_, case)| report.place(case)).collect()
}

fn named(places: &[String]) -> String {
    let shown = places[..places.len().min(NAMED)].join(", ");
    let more = match places.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match places.len() {
        0 => "0 positions".to_owned(),
        1 => format!("1 position: {shown}"),
        count => format!("{count} positions: {shown}{more}"),
    }
}
