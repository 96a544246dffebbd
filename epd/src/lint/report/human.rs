//! For people.

use std::fmt::Write as _;

use super::{counts, findings, plural, states, total};
use crate::diagnostic::Severity;
use crate::lint::Lint;

pub(super) fn write(lints: &[Lint]) -> String {
    let mut text = String::new();
    for (name, finding) in findings(lints) {
        writeln!(text, "{}", finding.display(name)).expect("a string can be written to");
    }
    text + &summary(lints)
}

/// The totals: records by state, problems by kind.
pub(super) fn summary(lints: &[Lint]) -> String {
    let mut text = states(total(lints.iter().map(|lint| lint.tally)));
    text.push('\n');
    let counts = counts(lints);
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let of_it = || counts.iter().filter(|(found, ..)| *found == severity);
        let sum = of_it().map(|(.., count)| count).sum();
        if sum == 0 {
            continue;
        }
        let kinds: Vec<String> = of_it()
            .map(|(_, kind, count)| format!("{kind} {count}"))
            .collect();
        let sum = plural(sum, &severity.to_string());
        writeln!(text, "{sum}: {}", kinds.join(", ")).expect("a string can be written to");
    }
    text
}
