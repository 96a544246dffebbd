//! Human-readable report.

use std::fmt::Write as _;

use super::{Listed, Listing, counts, plural, states, total};
use crate::lint::Lint;
use crate::severity::Severity;

pub(super) fn write(lints: &[Lint], listing: Listing) -> String {
    let mut text = String::new();
    let (listed, more) = listing.choose(lints);
    for Listed {
        name,
        finding,
        alike,
    } in listed
    {
        let (line, alike) = (finding.display(name), more_alike(alike));
        writeln!(text, "{line}{alike}").expect("a string can be written to");
    }
    text + &left_out(more) + &summary(lints)
}

/// Suffix of a note that stands for others of its kind.
pub(super) fn more_alike(count: usize) -> String {
    match count {
        0 => String::new(),
        n => format!(" (and {n} more of this kind)"),
    }
}

/// Number of problems cut off by `--max-diagnostics`.
pub(super) fn left_out(count: usize) -> String {
    match count {
        0 => String::new(),
        n => format!("and {}, see --max-diagnostics\n", plural(n, "more problem")),
    }
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
