//! Workflow commands for GitHub Actions: an annotation per fault, and the human-readable report.

use std::fmt::Write as _;

use epd::Severity;
use kit::github::{Annotation, Level, Place};
use uci::perft::Meeting;

use super::words::{Difference, Portrait, Wrong, kind_and_rule, verdict_line};
use super::{CheckReport, EngineReport, finding, human};
use crate::engine_check::case::{BY_MOVES, COMMAND_LINE};
use crate::engine_check::ledger::CaseOutcome;

pub(super) fn check(report: &CheckReport<'_>) -> String {
    let mut text = String::new();
    annotate_suites(&mut text, report);
    text + &human::check(report)
}

pub(super) fn engines(report: &EngineReport<'_>) -> String {
    let mut text = String::new();
    annotate_suites(&mut text, &report.check);
    for engine in report.engines {
        let mut error = |case: usize, title: &str, message: &str| {
            let case = &report.cases[case];
            let message = format!("{}: {message}", engine.command);
            let place = (report.suite_name(case), case.line);
            annotate(&mut text, Level::Error, title, Some(place), &message);
        };
        for fault in engine.faults() {
            let places = report.places(&fault.cases);
            let what = finding::write(fault.finding, engine.speech());
            let message = format!("{what}in {places}");
            error(fault.cases[0], &kind_and_rule(fault.finding), &message);
        }
        for (case, outcome) in engine.unhunted() {
            let title = match outcome {
                CaseOutcome::Wrong { .. } => "wrong count",
                _ => "no answer",
            };
            error(case, title, &Wrong(outcome).to_string());
        }
        if !matches!(engine.meeting, Meeting::Speaks(_)) {
            let portrait = Portrait(&engine.meeting);
            let verdict = verdict_line(report, engine);
            let message = format!("{}: {portrait}; {verdict}", engine.command);
            annotate(&mut text, Level::Error, "engine not asked", None, &message);
        }
    }
    text + &human::engines(report)
}

/// Annotates each fault of the suites.
fn annotate_suites(text: &mut String, report: &CheckReport<'_>) {
    for suite in &report.plan.suites {
        for diagnostic in &suite.diagnostics {
            let level = match diagnostic.severity() {
                Severity::Error => Level::Error,
                Severity::Warning => Level::Warning,
                Severity::Note => Level::Notice,
            };
            let place = (suite.name.as_str(), diagnostic.line);
            let message = diagnostic.problem.to_string();
            annotate(text, level, "suite", Some(place), &message);
        }
    }
    for (suite, count, result) in report.differing() {
        let message = Difference(count, result).to_string();
        let place = (suite, count.line);
        annotate(text, Level::Error, "count differs", Some(place), &message);
    }
}

/// Annotates a line of a suite, or no file if the suite is not one.
fn annotate(
    text: &mut String,
    level: Level,
    title: &str,
    place: Option<(&str, usize)>,
    message: &str,
) {
    let is_file =
        |file: &str| epd::suites::find(file).is_none() && ![BY_MOVES, COMMAND_LINE].contains(&file);
    let message = match place {
        Some((suite, line)) if !is_file(suite) => format!("{suite}:{line}: {message}"),
        _ => message.to_owned(),
    };
    let place = place.filter(|(file, _)| is_file(file));
    let annotation = Annotation {
        level,
        title: &format!("perft: {title}"),
        place: place.map(|(file, line)| Place {
            file,
            line,
            column: None,
        }),
        message: &message,
    };
    writeln!(text, "{annotation}").expect("a string can be written to");
}
