//! Workflow commands for GitHub Actions: an annotation per fault, and the human-readable verdict.

use std::fmt::Write as _;

use epd::Severity;
use kit::github::{Annotation, Level, Place};

use super::{CheckReport, Difference, human};
use crate::trial::routes::{BY_MOVES, COMMAND_LINE};

pub(super) fn write(report: &CheckReport<'_>) -> String {
    let mut text = String::new();
    annotate_suites(&mut text, report);
    text + &human::write(report)
}

/// Annotates each fault of the suites.
pub(super) fn annotate_suites(text: &mut String, report: &CheckReport<'_>) {
    for suite in &report.plan.suites {
        for diagnostic in &suite.diagnostics {
            let level = match diagnostic.severity() {
                Severity::Error => Level::Error,
                Severity::Warning => Level::Warning,
                Severity::Note => Level::Notice,
            };
            let place = (suite.name.as_str(), diagnostic.line);
            annotate(text, level, "suite", place, &diagnostic.problem.to_string());
        }
    }
    for (suite, unit, result) in report.differing() {
        let message = Difference(unit, result).to_string();
        annotate(
            text,
            Level::Error,
            "count differs",
            (suite, unit.line),
            &message,
        );
    }
}

/// Adds an annotation without a file.
pub(super) fn annotate_run(text: &mut String, title: &str, message: &str) {
    write_line(text, Level::Error, title, None, message);
}

/// Annotates a line of a suite, or no file if the suite is not one.
pub(super) fn annotate(
    text: &mut String,
    level: Level,
    title: &str,
    place: (&str, usize),
    message: &str,
) {
    let (file, line) = place;
    if epd::suites::find(file).is_some() || [BY_MOVES, COMMAND_LINE].contains(&file) {
        let message = format!("{file}:{line}: {message}");
        write_line(text, level, title, None, &message);
    } else {
        let column = None;
        let place = Place { file, line, column };
        write_line(text, level, title, Some(place), message);
    }
}

fn write_line(
    text: &mut String,
    level: Level,
    title: &str,
    place: Option<Place<'_>>,
    message: &str,
) {
    let annotation = Annotation {
        level,
        title: &format!("perft: {title}"),
        place,
        message,
    };
    writeln!(text, "{annotation}").expect("a string can be written to");
}
