//! JSON report: one object.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{counts, total};
use crate::finding::Finding;
use crate::lint::{Lint, Tally};
use crate::severity::Severity;

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    records: usize,
    standard: usize,
    repairable: usize,
    in_doubt: usize,
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
    standard: usize,
    repairable: usize,
    in_doubt: usize,
    problems: Vec<ProblemReport<'a>>,
}

#[derive(Serialize)]
struct ProblemReport<'a> {
    line: usize,
    column: usize,
    severity: String,
    kind: &'static str,
    message: String,
    fix: Option<FixReport<'a>>,
}

#[derive(Serialize)]
struct FixReport<'a> {
    before: &'a str,
    after: &'a str,
}

pub(super) fn write(lints: &[Lint]) -> anyhow::Result<String> {
    let tally = total(lints.iter().map(|lint| lint.tally));
    let counts = counts(lints);
    let sum = |severity: Severity| {
        let of_it = counts.iter().filter(|(found, ..)| *found == severity);
        of_it.map(|(.., count)| count).sum()
    };
    let mut kinds = BTreeMap::new();
    for (_, kind, count) in &counts {
        *kinds.entry(*kind).or_default() += count;
    }
    let Tally {
        standard,
        repairable,
        in_doubt,
    } = tally;
    let report = Report {
        schema: "touchstone/epd-lint/1",
        records: tally.records(),
        standard,
        repairable,
        in_doubt,
        errors: sum(Severity::Error),
        warnings: sum(Severity::Warning),
        notes: sum(Severity::Note),
        kinds,
        files: lints.iter().map(file).collect(),
    };
    Ok(serde_json::to_string_pretty(&report)? + "\n")
}

fn file(lint: &Lint) -> FileReport<'_> {
    FileReport {
        name: &lint.name,
        records: lint.tally.records(),
        standard: lint.tally.standard,
        repairable: lint.tally.repairable,
        in_doubt: lint.tally.in_doubt,
        problems: lint.findings.iter().map(problem).collect(),
    }
}

fn problem(finding: &Finding) -> ProblemReport<'_> {
    let diagnostic = &finding.diagnostic;
    ProblemReport {
        line: diagnostic.line,
        column: diagnostic.column,
        severity: finding.severity().to_string(),
        kind: diagnostic.problem.kind(),
        message: diagnostic.problem.to_string(),
        fix: finding.fix.as_ref().map(|fix| FixReport {
            before: &fix.before,
            after: &fix.after,
        }),
    }
}
