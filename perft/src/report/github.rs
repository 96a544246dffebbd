//! For GitHub Actions: an annotation for each fault, and the verdict as people read it.

use std::fmt::Write as _;

use epd::Severity;

use super::{CheckReport, Difference, human};
use crate::trial::routes::{BY_MOVES, COMMAND_LINE};

pub(super) fn write(report: &CheckReport<'_>) -> String {
    let mut text = String::new();
    annotate_suites(&mut text, report);
    text + &human::write(report)
}

/// An annotation for each fault of the suites.
pub(super) fn annotate_suites(text: &mut String, report: &CheckReport<'_>) {
    for suite in &report.plan.suites {
        for diagnostic in &suite.diagnostics {
            let command = match diagnostic.severity() {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "notice",
            };
            annotate(
                text,
                command,
                &suite.name,
                diagnostic.line,
                &diagnostic.problem.to_string(),
            );
        }
    }
    for (suite, unit, result) in report.differing() {
        annotate(
            text,
            "error",
            suite,
            unit.line,
            &Difference(unit, result).to_string(),
        );
    }
}

/// An annotation at no file.
pub(super) fn annotate_run(text: &mut String, command: &str, message: &str) {
    writeln!(text, "::{command}::{}", escape(message)).expect("a string can be written to");
}

/// An annotation at a line of a suite; at no file where the suite is none.
pub(super) fn annotate(text: &mut String, command: &str, file: &str, line: usize, message: &str) {
    if epd::suites::find(file).is_some() || [BY_MOVES, COMMAND_LINE].contains(&file) {
        annotate_run(text, command, &format!("{file}:{line}: {message}"));
        return;
    }
    let (file, message) = (
        escape(file).replace(',', "%2C").replace(':', "%3A"),
        escape(message),
    );
    writeln!(text, "::{command} file={file},line={line}::{message}")
        .expect("a string can be written to");
}

/// What workflow commands cannot hold as it is.
fn escape(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}
