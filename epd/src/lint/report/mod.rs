//! Reports on linting: one file per format.

mod csv;
mod github;
mod human;
mod json;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::{Lint, Tally};
use crate::finding::Finding;
use crate::severity::Severity;

/// Report format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Text for people: a line per error and warning, as compilers print them, the first note of
    /// each kind, totals
    Human,
    /// JSON: one object, schema `touchstone/epd-lint/1`
    Json,
    /// CSV: one row per problem
    Csv,
    /// Workflow commands of GitHub Actions, for the same problems, and totals
    Github,
}

/// Which problems the human-readable formats list; JSON and CSV always list all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listing {
    /// List every note, instead of the first of each kind.
    pub all_notes: bool,
    /// Maximum number of problems; 0 prints the totals only.
    pub most: usize,
}

struct Listed<'a> {
    name: &'a str,
    finding: &'a Finding,
    /// Number of further notes of its kind that it stands for.
    alike: usize,
}

impl Listing {
    /// The problems to list, and the number of those beyond the limit.
    fn choose<'a>(&self, lints: &'a [Lint]) -> (Vec<Listed<'a>>, usize) {
        let mut listed: Vec<Listed<'a>> = Vec::new();
        let mut first_notes: BTreeMap<&str, usize> = BTreeMap::new();
        for (name, finding) in findings(lints) {
            if !self.all_notes && finding.severity() == Severity::Note {
                match first_notes.entry(finding.diagnostic.problem.kind()) {
                    Entry::Occupied(first) => {
                        listed[*first.get()].alike += 1;
                        continue;
                    }
                    Entry::Vacant(first) => drop(first.insert(listed.len())),
                }
            }
            listed.push(Listed {
                name,
                finding,
                alike: 0,
            });
        }
        let left_out = match self.most {
            0 => 0,
            most => listed.len().saturating_sub(most),
        };
        listed.truncate(self.most);
        (listed, left_out)
    }
}

/// Writes the report on these files.
///
/// # Errors
///
/// When serialisation fails.
pub fn write(lints: &[Lint], format: Format, listing: Listing) -> anyhow::Result<String> {
    match format {
        Format::Human => Ok(human::write(lints, listing)),
        Format::Json => json::write(lints),
        Format::Csv => csv::write(lints),
        Format::Github => Ok(github::write(lints, listing)),
    }
}

/// Describes the state of all records: the last line of `epd normalise`.
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

/// Number of problems by severity and kind, worst first.
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

/// All problems, each with the name of its file.
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
