//! For GitHub Actions: an annotation for each problem, and the totals.

use std::fmt::Write as _;

use super::{findings, human};
use crate::diagnostic::Severity;
use crate::lint::Lint;

pub(super) fn write(lints: &[Lint]) -> String {
    let mut text = String::new();
    for (name, finding) in findings(lints) {
        let command = match finding.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let diagnostic = &finding.diagnostic;
        let mut message = diagnostic.problem.to_string();
        if let Some(fix) = &finding.fix {
            write!(message, " (fix: {})", fix.after).expect("a string can be written to");
        }
        let file = escape(name).replace(',', "%2C").replace(':', "%3A");
        writeln!(
            text,
            "::{command} file={file},line={},col={}::{}",
            diagnostic.line,
            diagnostic.column,
            escape(&message)
        )
        .expect("a string can be written to");
    }
    text + &human::summary(lints)
}

/// What workflow commands cannot hold as it is.
fn escape(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}
