//! Human-readable report.

use std::fmt::Write as _;

use kit::output::grouped;

use super::{RunReport, changes, table, words};
use crate::baseline::statistics::sign_test;
use crate::trial::case::{GoalFault, SuitePlan};
use crate::trial::ledger::{Meeting, State, Totals, Trial};

/// Maximum number of transcript lines shown.
const TRANSCRIPT: usize = 12;
/// Maximum number of engine failures shown with transcript.
const TRANSCRIPTS: usize = 3;
/// Maximum number of warnings shown per suite.
const WARNINGS: usize = 10;
/// Maximum number of positions listed that only one engine solves.
const NAMED: usize = 10;

pub(super) fn write(report: &RunReport<'_>) -> String {
    let mut text = String::new();
    write_to(report, &mut text).expect("a string can be written to");
    text
}

fn write_to(report: &RunReport<'_>, text: &mut String) -> std::fmt::Result {
    write_suite_faults(report, text)?;
    for index in 0..report.trials.len() {
        write_positions(report, index, text)?;
    }
    if report.trials.iter().any(is_ready) {
        writeln!(text, "{}", settings(report))?;
        text.push_str(&table::align(&rows(report)));
    }
    write_rivals(report, text)?;
    for (index, trial) in report.trials.iter().enumerate() {
        if let (Some(comparison), Some(baseline)) = (&report.comparisons[index], report.baseline) {
            writeln!(text, "{}", trial.command)?;
            text.push_str(&changes::write(comparison, baseline));
        }
    }
    for (index, trial) in report.trials.iter().enumerate() {
        writeln!(text, "{}: {}", trial.command, words::verdict(report, index))?;
    }
    match words::not_run(report) {
        Some(sentence) => writeln!(text, "{sentence}"),
        None => Ok(()),
    }
}

fn is_ready(trial: &Trial) -> bool {
    matches!(trial.meeting, Meeting::Ready { .. })
}

fn write_suite_faults(report: &RunReport<'_>, text: &mut String) -> std::fmt::Result {
    for suite in &report.plan.suites {
        for (line, fault) in suite.faults() {
            writeln!(text, "NOT RUN {}:{line}: {fault}", suite.name)?;
        }
        write_warnings(suite, text)?;
        if suite.without_goal > 0 {
            let what = match suite.without_goal {
                1 => "1 record asks for nothing".to_owned(),
                count => format!("{count} records ask for nothing"),
            };
            writeln!(text, "{}: {what}", suite.name)?;
        }
    }
    Ok(())
}

/// Goals that were read despite minor faults.
fn write_warnings(suite: &SuitePlan, text: &mut String) -> std::fmt::Result {
    for GoalFault { line, error } in suite.warnings.iter().take(WARNINGS) {
        writeln!(text, "WARNING {}:{line}: {error}", suite.name)?;
    }
    match suite.warnings.len().saturating_sub(WARNINGS) {
        0 => Ok(()),
        more => writeln!(text, "WARNING {}: and {more} more like these", suite.name),
    }
}

/// A line per position that did not pass.
fn write_positions(report: &RunReport<'_>, engine: usize, text: &mut String) -> std::fmt::Result {
    let trial = &report.trials[engine];
    writeln!(
        text,
        "{}: {}",
        trial.command,
        words::portrait(&trial.meeting)
    )?;
    if let Meeting::Failed { transcript, .. } = &trial.meeting {
        write_transcript(transcript, text)?;
    }
    let mut shown = 0;
    for (index, case) in report.plan.cases.iter().enumerate() {
        let standing = &report.verdict.standings[engine][index];
        if let Some(news) = words::one_news(report, engine, index, standing) {
            writeln!(text, "{}", words::line(report, &news))?;
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
    Ok(())
}

fn write_transcript(transcript: &str, text: &mut String) -> std::fmt::Result {
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

fn settings(report: &RunReport<'_>) -> String {
    let each = match report.repeat {
        1 => String::new(),
        n => format!(", each position {n} times, solved in more than half"),
    };
    format!("{}{each}", report.limits)
}

/// A row per suite and one for the total, columns per engine.
pub(super) fn rows(report: &RunReport<'_>) -> Vec<Vec<String>> {
    let cases = &report.plan.cases;
    let has_points = cases.iter().any(|case| case.goal.points.is_some());
    let mut rows = vec![head(report, has_points)];
    let suites = report.plan.suites.iter().enumerate();
    let named = suites.map(|(index, suite)| (suite.name.as_str(), Some(index)));
    let all = (report.plan.suites.len() > 1).then_some(("all", None));
    for (name, suite) in named.chain(all) {
        let of_suite = cases
            .iter()
            .filter(|case| suite.is_none_or(|suite| case.suite == suite));
        let mut row = vec![name.to_owned(), of_suite.count().to_string()];
        for trial in report.trials.iter().filter(|trial| is_ready(trial)) {
            let totals = trial.totals(cases, suite);
            row.push(totals.solved.to_string());
            row.push(percent(totals.solved, totals.asked()));
            if has_points {
                row.push(points(&totals));
            }
            row.push(grouped(totals.solution_nodes));
            row.push(format!("{:.2}", totals.solution_time.as_secs_f64()));
        }
        rows.push(row);
    }
    rows
}

fn head(report: &RunReport<'_>, has_points: bool) -> Vec<String> {
    let mut head = vec!["suite".to_owned(), "positions".to_owned()];
    for (index, trial) in report.trials.iter().enumerate() {
        let number = match report.trials.len() {
            1 => String::new(),
            _ => format!(" {}", index + 1),
        };
        if !is_ready(trial) {
            continue;
        }
        head.push(format!("solved{number}"));
        head.push(format!("part{number}"));
        if has_points {
            head.push(format!("points{number}"));
        }
        head.push(format!("nodes to solutions{number}"));
        head.push(format!("seconds{number}"));
    }
    head
}

fn points(totals: &Totals) -> String {
    match totals.most_points {
        0 => "-".to_owned(),
        most => format!("{} of {most}", totals.points),
    }
}

fn percent(part: usize, of: usize) -> String {
    if of == 0 {
        return "-".to_owned();
    }
    #[expect(clippy::cast_precision_loss, reason = "a percentage is rounded anyway")]
    let percent = part as f64 * 100.0 / of as f64;
    format!("{percent:.1}%")
}

/// The first engine against each of the others.
fn write_rivals(report: &RunReport<'_>, text: &mut String) -> std::fmt::Result {
    let Some((first, others)) = report.trials.split_first() else {
        return Ok(());
    };
    for (number, other) in others
        .iter()
        .enumerate()
        .map(|(index, other)| (index + 2, other))
    {
        if !is_ready(first) || !is_ready(other) {
            continue;
        }
        let only_first = solved_by_one(report, first, other);
        let only_other = solved_by_one(report, other, first);
        let test = sign_test(only_first.len() as u64, only_other.len() as u64);
        writeln!(text, "only 1 solves {}", named(&only_first))?;
        writeln!(text, "only {number} solves {}", named(&only_other))?;
        let p = changes::p_value(test.p_value);
        writeln!(text, "1 against {number}: p = {p} (McNemar, exact)")?;
    }
    Ok(())
}

/// The positions solved by `this` but not by `that`.
fn solved_by_one(report: &RunReport<'_>, this: &Trial, that: &Trial) -> Vec<String> {
    let cases = report.plan.cases.iter().enumerate();
    cases
        .filter(|&(index, _)| {
            this.state(index) == State::Solved && that.state(index) == State::Unsolved
        })
        .map(|(_, case)| report.place(case))
        .collect()
}

fn named(places: &[String]) -> String {
    let count = places.len();
    let plural = if count == 1 { "position" } else { "positions" };
    if count == 0 {
        return format!("0 {plural}");
    }
    let more = match count.saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let shown = &places[..count.min(NAMED)];
    format!("{count} {plural}: {}{more}", shown.join(", "))
}
