//! What was found as text for people and machines: one file per format.

mod csv;
mod github;
mod human;
mod json;

use std::collections::BTreeMap;

use super::{Lint, Tally};
use crate::diagnostic::Severity;
use crate::finding::Finding;

/// A format of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// A line for each problem, as compilers write them, and totals.
    Human,
    /// One object, schema `touchstone/epd-lint/1`.
    Json,
    /// One row for each problem.
    Csv,
    /// Workflow commands of GitHub Actions, one for each problem, and totals.
    Github,
}

/// The whole report on these files.
///
/// # Errors
///
/// When a library cannot write the format.
pub fn write(lints: &[Lint], format: Format) -> anyhow::Result<String> {
    match format {
        Format::Human => Ok(human::write(lints)),
        Format::Json => json::write(lints),
        Format::Csv => csv::write(lints),
        Format::Github => Ok(github::write(lints)),
    }
}

/// The state of all records in words: what `epd normalise` says at its end.
pub fn states(tally: Tally) -> String {
    let Tally {
        standard,
        repairable,
        in_doubt,
    } = tally;
    format!(
        "{}: {standard} in standard form, {repairable} repairable, {in_doubt} in doubt",
        plural(tally.records(), "record")
    )
}

/// The state of the records of several files.
pub fn total(tallies: impl IntoIterator<Item = Tally>) -> Tally {
    tallies
        .into_iter()
        .fold(Tally::default(), |total, one| Tally {
            standard: total.standard + one.standard,
            repairable: total.repairable + one.repairable,
            in_doubt: total.in_doubt + one.in_doubt,
        })
}

/// How many problems there are of each severity and kind, the worst first.
fn counts(lints: &[Lint]) -> Vec<(Severity, &'static str, usize)> {
    let mut counts: BTreeMap<(std::cmp::Reverse<Severity>, &str), usize> = BTreeMap::new();
    for finding in findings(lints).map(|(_, finding)| finding) {
        let kind = finding.diagnostic.problem.kind();
        *counts
            .entry((std::cmp::Reverse(finding.severity()), kind))
            .or_default() += 1;
    }
    counts
        .into_iter()
        .map(|((severity, kind), count)| (severity.0, kind, count))
        .collect()
}

/// Every problem, with its file's name.
fn findings(lints: &[Lint]) -> impl Iterator<Item = (&str, &Finding)> {
    lints.iter().flat_map(|lint| {
        let findings = lint.findings.iter();
        findings.map(|finding| (lint.name.as_str(), finding))
    })
}

fn plural(count: usize, what: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {what}{ending}")
}
