//! GitHub Actions: annotations, and the human-readable report.
//!
//! Errors are the reasons why the exit code is not 0. Warnings: positions newly failed or slower
//! where the run is not to fail for it; doubtful points; unreadable lines that are allowed.

use kit::github::{Annotation, Level, Place};

use super::{RunReport, human, words};
use crate::run::baseline::Change;
use crate::run::ledger::Handshake;
use crate::run::verdict::Standing;

pub(super) fn write(report: &RunReport<'_>) -> String {
    let mut text = String::new();
    annotate_suites(report, &mut text);
    for (engine, trial) in report.trials.iter().enumerate() {
        annotate_positions(report, engine, &mut text);
        let is_ready = matches!(trial.handshake, Handshake::Ready { .. });
        if !is_ready || !report.verdict.complaints[engine].is_empty() {
            let message = format!("{}: {}", trial.command, words::verdict(report, engine));
            text += &annotation(Level::Error, "epd run", None, &message);
        }
    }
    text + &human::write(report)
}

fn annotation(level: Level, title: &str, place: Option<(&str, usize)>, message: &str) -> String {
    let place = place.map(|(file, line)| Place {
        file,
        line,
        column: None,
    });
    let annotation = Annotation {
        level,
        title,
        place,
        message,
    };
    format!("{annotation}\n")
}

fn annotate_suites(report: &RunReport<'_>, text: &mut String) {
    let level = if report.policy.allow_unreadable {
        Level::Warning
    } else {
        Level::Error
    };
    for suite in &report.plan.suites {
        for (line, fault) in suite.faults() {
            *text += &annotation(level, "not run", Some((&suite.name, line)), &fault);
        }
        for warning in &suite.warnings {
            let (place, message) = (
                (suite.name.as_str(), warning.line),
                warning.error.to_string(),
            );
            *text += &annotation(Level::Warning, "points in doubt", Some(place), &message);
        }
    }
}

/// The failed positions, then regressions for which the run is not to fail.
fn annotate_positions(report: &RunReport<'_>, engine: usize, text: &mut String) {
    let trial = &report.trials[engine];
    let place = |index: usize| {
        let case = &report.plan.cases[index];
        Some((report.suite_name(case), case.line))
    };
    for news in words::news(report, engine) {
        if news.is_failure() {
            let name = report.plan.cases[news.case].name();
            let message = format!("{}: {name}: {}", trial.command, news.what);
            *text += &annotation(Level::Error, &news.rule, place(news.case), &message);
        }
    }
    let Some(comparison) = &report.comparisons[engine] else {
        return;
    };
    let searched: Vec<usize> = trial.searched().collect();
    let mut warn = |change: &Change<'_>, title: &str, message: &str| {
        let index = searched[change.index];
        let is_reported = match &report.verdict.standings[engine][index] {
            Standing::Failed(rules) => rules.contains(&title),
            standing => *standing == Standing::Error,
        };
        if !is_reported {
            *text += &annotation(Level::Warning, title, place(index), message);
        }
    };
    for change in &comparison.newly_failed {
        warn(change, "newly-failed", &words::failed(change));
    }
    for change in &comparison.slower {
        warn(change, "slower", &words::slower(change));
    }
}
