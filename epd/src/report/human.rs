//! What people read before the verdict.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use kit::output::grouped;
use kit::report::Section;

use super::words::percent;
use super::{SuiteRunReport, puzzles, scores, words};
use crate::run::ledger::{Handshake, PositionState, Trial};
use crate::run::plan::{GoalFault, SuiteCases};
use crate::run::statistics::sign_test;

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

pub(super) fn sections<'a>(report: &'a SuiteRunReport<'_>) -> Vec<Section<'a>> {
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
pub(super) fn rows(report: &SuiteRunReport<'_>) -> Vec<Vec<String>> {
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
