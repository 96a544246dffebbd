//! Reports of `epd lint`, and the totals of `epd normalise`.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write as _;

use kit::github::{Annotation, Level, Place};
use serde::Serialize;

use super::csv::csv;
use crate::text::{Finding, Fix, Lint, Severity, Tally};

/// Report format of `epd lint`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum LintFormat {
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
pub(crate) struct Listing {
    /// List every note, instead of the first of each kind.
    pub(crate) all_notes: bool,
    /// Maximum number of problems; 0 prints the totals only.
    pub(crate) most: usize,
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
            let alike = 0;
            listed.push(Listed {
                name,
                finding,
                alike,
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

pub(crate) fn write(
    lints: &[Lint],
    format: LintFormat,
    listing: Listing,
) -> anyhow::Result<String> {
    Ok(match format {
        LintFormat::Human => list(lints, listing, |listed| {
            listed.finding.display(listed.name).to_string() + &more_alike(listed.alike)
        }),
        LintFormat::Github => list(lints, listing, annotation),
        LintFormat::Json => return json(lints),
        LintFormat::Csv => return csv(HEAD, findings(lints).map(row)),
    })
}

/// A line per problem, and the totals: records by state, problems by kind.
fn list(lints: &[Lint], listing: Listing, line: impl Fn(&Listed<'_>) -> String) -> String {
    let (listed, more) = listing.choose(lints);
    let mut text: String = listed.iter().map(|one| line(one) + "\n").collect();
    if more > 0 {
        let more = plural(more, "more problem");
        writeln!(text, "and {more}, see --max-diagnostics").expect("a string can be written to");
    }
    text += &states(total(lints.iter().map(|lint| lint.tally)));
    text.push('\n');
    let counts = counts(lints);
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        let of_it = || counts.iter().filter(|(found, ..)| *found == severity);
        let sum = of_it().map(|(.., count)| count).sum();
        if sum > 0 {
            let kinds = of_it().map(|(_, kind, count)| format!("{kind} {count}"));
            let kinds: Vec<String> = kinds.collect();
            let sum = plural(sum, &severity.to_string());
            writeln!(text, "{sum}: {}", kinds.join(", ")).expect("a string can be written to");
        }
    }
    text
}

/// Suffix of a note that stands for others of its kind.
fn more_alike(count: usize) -> String {
    match count {
        0 => String::new(),
        n => format!(" (and {n} more of this kind)"),
    }
}

fn annotation(listed: &Listed<'_>) -> String {
    let diagnostic = &listed.finding.diagnostic;
    let fix = listed.finding.fix.as_ref();
    let fix = fix.map_or_else(String::new, |fix| format!(" (fix: {})", fix.after));
    let annotation = Annotation {
        level: match listed.finding.severity() {
            Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
            Severity::Note => Level::Notice,
        },
        title: diagnostic.problem.kind(),
        place: Some(Place {
            file: listed.name,
            line: diagnostic.line,
            column: Some(diagnostic.column),
        }),
        message: &format!("{}{fix}{}", diagnostic.problem, more_alike(listed.alike)),
    };
    annotation.to_string()
}

/// Describes the state of all records: the last line of `epd normalise`.
pub(crate) fn states(tally: Tally) -> String {
    format!(
        "{}: {} in standard form, {} repairable, {} in doubt",
        plural(tally.records(), "record"),
        tally.standard,
        tally.repairable,
        tally.in_doubt
    )
}

/// The state of the records of several files.
pub(crate) fn total(tallies: impl IntoIterator<Item = Tally>) -> Tally {
    let mut total = Tally::default();
    for one in tallies {
        total.standard += one.standard;
        total.repairable += one.repairable;
        total.in_doubt += one.in_doubt;
    }
    total
}

/// Number of problems by severity and kind, worst first.
fn counts(lints: &[Lint]) -> Vec<(Severity, &'static str, usize)> {
    let mut counts: BTreeMap<(Reverse<Severity>, &str), usize> = BTreeMap::new();
    for (_, finding) in findings(lints) {
        let kind = finding.diagnostic.problem.kind();
        let class = (Reverse(finding.severity()), kind);
        *counts.entry(class).or_default() += 1;
    }
    let counts = counts.into_iter();
    counts
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

const HEAD: &str = "file,line,column,severity,kind,message,before,after";

fn row((name, finding): (&str, &Finding)) -> [String; 8] {
    let diagnostic = &finding.diagnostic;
    let fix = finding.fix.as_ref();
    let (before, after) = fix.map_or(("", ""), |fix| (&fix.before, &fix.after));
    [
        name.to_owned(),
        diagnostic.line.to_string(),
        diagnostic.column.to_string(),
        finding.severity().to_string(),
        diagnostic.problem.kind().to_owned(),
        diagnostic.problem.to_string(),
        before.to_owned(),
        after.to_owned(),
    ]
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    records: usize,
    #[serde(flatten)]
    tally: Tally,
    errors: usize,
    warnings: usize,
    notes: usize,
    kinds: BTreeMap<&'static str, usize>,
    files: Vec<FileReport<'a>>,
}

#[derive(Serialize)]
struct FileReport<'a> {
    name: &'a str,
    records: usize,
    #[serde(flatten)]
    tally: Tally,
    problems: Vec<ProblemReport<'a>>,
}

#[derive(Serialize)]
struct ProblemReport<'a> {
    line: usize,
    column: usize,
    severity: String,
    kind: &'static str,
    message: String,
    fix: Option<&'a Fix>,
}

fn json(lints: &[Lint]) -> anyhow::Result<String> {
    let counts = counts(lints);
    let sum = |severity: Severity| {
        let of_it = counts.iter().filter(|(found, ..)| *found == severity);
        of_it.map(|(.., count)| count).sum()
    };
    let mut kinds = BTreeMap::new();
    for (_, kind, count) in &counts {
        *kinds.entry(*kind).or_default() += count;
    }
    let tally = total(lints.iter().map(|lint| lint.tally));
    let report = Report {
        schema: "touchstone/epd-lint/1",
        records: tally.records(),
        tally,
        errors: sum(Severity::Error),
        warnings: sum(Severity::Warning),
        notes: sum(Severity::Note),
        kinds,
        files: lints.iter().map(file).collect(),
    };
    Ok(serde_json::to_string_pretty(&report)? + "\n")
}

fn file(lint: &Lint) -> FileReport<'_> {
    let problems = lint.findings.iter().map(|finding| ProblemReport {
        line: finding.diagnostic.line,
        column: finding.diagnostic.column,
        severity: finding.severity().to_string(),
        kind: finding.diagnostic.problem.kind(),
        message: finding.diagnostic.problem.to_string(),
        fix: finding.fix.as_ref(),
    });
    FileReport {
        name: &lint.name,
        records: lint.tally.records(),
        tally: lint.tally,
        problems: problems.collect(),
    }
}
