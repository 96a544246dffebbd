//! For GitHub Actions: annotations, and the report as people read it.
//!
//! Errors: lines that cannot be read, failures of an engine, and what the run is to fail for.
//! Warnings: what was solved before and is not now, where the run is not to fail for it.

use std::fmt::Write as _;

use super::{RunReport, changes, human, words};
use crate::trial::ledger::{Meeting, Trial};
use crate::trial::verdict::FailOn;

pub(super) fn write(report: &RunReport<'_>) -> String {
    let mut text = String::new();
    for suite in &report.plan.suites {
        for (line, fault) in suite.faults() {
            annotate(&mut text, "error", &suite.name, line, &fault);
        }
    }
    for (index, trial) in report.trials.iter().enumerate() {
        annotate_positions(&mut text, report, trial);
        annotate_changes(&mut text, report, index);
        let is_ready = matches!(trial.meeting, Meeting::Ready { .. });
        if !is_ready || !report.verdict.complaints[index].is_empty() {
            let message = format!("{}: {}", trial.command, words::verdict(report, index));
            annotate_run(&mut text, "error", &message);
        }
    }
    text + &human::write(report)
}

fn annotate_positions(text: &mut String, report: &RunReport<'_>, trial: &Trial) {
    let must_be_solved = report.demands.fail_on.contains(&FailOn::Unsolved);
    for (index, case) in report.plan.cases.iter().enumerate() {
        let failed = trial.fault(index).is_some();
        if failed || (must_be_solved && words::is_news(trial, index)) {
            let what = words::unsolved(trial, index, case);
            let message = format!("{}: {}: {what}", trial.command, case.name());
            annotate(text, "error", report.suite_name(case), case.line, &message);
        }
    }
}

fn annotate_changes(text: &mut String, report: &RunReport<'_>, index: usize) {
    let Some(comparison) = &report.comparisons[index] else {
        return;
    };
    let command = |fail_on| {
        if report.demands.fail_on.contains(&fail_on) {
            "error"
        } else {
            "warning"
        }
    };
    for change in &comparison.newly_failed {
        let message = format!("newly failed: {}", changes::failed(change));
        annotate_run(text, command(FailOn::NewlyFailed), &message);
    }
    for change in &comparison.slower {
        let message = format!("slower: {}", changes::nodes(change));
        annotate_run(text, command(FailOn::Slower), &message);
    }
}

/// An annotation at no file.
fn annotate_run(text: &mut String, command: &str, message: &str) {
    writeln!(text, "::{command}::{}", escape(message)).expect("a string can be written to");
}

/// An annotation at a line of a file.
fn annotate(text: &mut String, command: &str, file: &str, line: usize, message: &str) {
    let file = escape(file).replace(',', "%2C").replace(':', "%3A");
    let message = escape(message);
    writeln!(text, "::{command} file={file},line={line}::{message}")
        .expect("a string can be written to");
}

/// What workflow commands cannot hold as it is.
fn escape(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}
