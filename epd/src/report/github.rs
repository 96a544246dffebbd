//! GitHub Actions: annotations, and the human-readable report.
//!
//! Errors are the reasons why the exit code is not 0. Warnings: positions newly failed or slower
//! where the run is not to fail for it; doubtful points; unreadable lines that are allowed.

use std::fmt::Write as _;

use kit::github::{Annotation, Level, Place};

use super::{RunReport, changes, human, words};
use crate::baseline::Change;
use crate::trial::case::SuitePlan;
use crate::trial::ledger::Meeting;
use crate::verdict::Standing;

pub(super) fn write(report: &RunReport<'_>) -> String {
    let mut text = String::new();
    for suite in &report.plan.suites {
        annotate_suite(&mut text, suite, report.demands.allow_unreadable);
    }
    for (engine, trial) in report.trials.iter().enumerate() {
        annotate_positions(&mut text, report, engine);
        annotate_changes(&mut text, report, engine);
        let is_ready = matches!(trial.meeting, Meeting::Ready { .. });
        if !is_ready || !report.verdict.complaints[engine].is_empty() {
            let message = format!("{}: {}", trial.command, words::verdict(report, engine));
            annotate(&mut text, Level::Error, "epd run", None, &message);
        }
    }
    text + &human::write(report)
}

fn annotate_suite(text: &mut String, suite: &SuitePlan, are_faults_allowed: bool) {
    let level = if are_faults_allowed {
        Level::Warning
    } else {
        Level::Error
    };
    let place = |line| place(&suite.name, line);
    for (line, fault) in suite.faults() {
        annotate(text, level, "not run", Some(place(line)), &fault);
    }
    for warning in &suite.warnings {
        let (place, message) = (place(warning.line), warning.error.to_string());
        annotate(
            text,
            Level::Warning,
            "points in doubt",
            Some(place),
            &message,
        );
    }
}

fn annotate_positions(text: &mut String, report: &RunReport<'_>, engine: usize) {
    let command = &report.trials[engine].command;
    for news in words::news(report, engine) {
        if !news.is_failure() {
            continue;
        }
        let case = &report.plan.cases[news.case];
        let place = place(report.suite_name(case), case.line);
        let message = format!("{command}: {}: {}", case.name(), news.what);
        annotate(text, Level::Error, &news.rule, Some(place), &message);
    }
}

/// Regressions for which the run is not to fail; the others are reported as failed positions.
fn annotate_changes(text: &mut String, report: &RunReport<'_>, engine: usize) {
    let Some(comparison) = &report.comparisons[engine] else {
        return;
    };
    let searched: Vec<usize> = report.trials[engine].searched().collect();
    let mut warn = |change: &Change<'_>, title: &str, message: String| {
        let index = searched[change.index];
        let is_told = match &report.verdict.standings[engine][index] {
            Standing::Failed(rules) => rules.contains(&title),
            standing => *standing == Standing::Error,
        };
        if !is_told {
            let case = &report.plan.cases[index];
            let place = place(report.suite_name(case), case.line);
            annotate(text, Level::Warning, title, Some(place), &message);
        }
    };
    for change in &comparison.newly_failed {
        warn(change, "newly-failed", changes::failed(change));
    }
    for change in &comparison.slower {
        warn(change, "slower", changes::slower(change));
    }
}

fn place(file: &str, line: usize) -> Place<'_> {
    Place {
        file,
        line,
        column: None,
    }
}

fn annotate(text: &mut String, level: Level, title: &str, place: Option<Place<'_>>, message: &str) {
    let annotation = Annotation {
        level,
        title,
        place,
        message,
    };
    writeln!(text, "{annotation}").expect("a string can be written to");
}
