//! For GitHub Actions: an annotation for each fault, and the verdict as people read it.

use std::fmt::Write as _;

use epd::Severity;

use super::{CheckReport, Difference, human};

pub(super) fn write(report: &CheckReport<'_>) -> String {
    let mut text = String::new();
    for suite in &report.plan.suites {
        for diagnostic in &suite.diagnostics {
            let command = match diagnostic.severity() {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "notice",
            };
            annotate(
                &mut text,
                command,
                &suite.name,
                diagnostic.line,
                &diagnostic.problem.to_string(),
            );
        }
    }
    for (suite, unit, result) in report.differing() {
        annotate(
            &mut text,
            "error",
            suite,
            unit.line,
            &Difference(unit, result).to_string(),
        );
    }
    text + &human::write(report)
}

fn annotate(text: &mut String, command: &str, file: &str, line: usize, message: &str) {
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
