//! The JSON report: one object.

use chess::notation::fen;
use serde::Serialize;

use super::{Judged, MutantsReport};
use crate::mutants::detect::Catch;

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    mutants: Vec<MutantReport<'a>>,
    suites: Vec<SuiteReport<'a>>,
    classics: SuiteReport<'a>,
    caught: usize,
    escaped: Vec<&'static str>,
}

#[derive(Serialize)]
struct MutantReport<'a> {
    name: &'static str,
    description: &'static str,
    tags: &'static [&'static str],
    /// The first catch over all suites combined.
    caught_by: Option<CatchReport<'a>>,
    /// The first catch of each suite, in the order of the suites.
    by_suite: Vec<Option<CatchReport<'a>>>,
    by_classics: Option<CatchReport<'a>>,
}

#[derive(Serialize)]
struct CatchReport<'a> {
    suite: &'a str,
    line: usize,
    id: Option<&'a str>,
    fen: String,
    depth: u32,
    expected: u64,
    /// Null if it exceeds the expected count.
    counted: Option<u64>,
    /// Leaf nodes that a correct generator counts up to here.
    nodes: u64,
}

#[derive(Serialize)]
struct SuiteReport<'a> {
    name: &'a str,
    caught: usize,
    nodes: u64,
    seconds: f64,
}

pub(super) fn write(report: &MutantsReport) -> anyhow::Result<String> {
    let MutantsReport { suites, classics } = report;
    let escaped = suites.outcomes.iter().filter(|one| one.first().is_none());
    let object = Report {
        schema: "touchstone/perft-mutants/1",
        mutants: mutants(report),
        suites: (0..suites.names.len())
            .map(|suite| suite_report(suites, suite))
            .collect(),
        classics: suite_report(classics, 0),
        caught: suites.caught(None),
        escaped: escaped.map(|one| one.mutation.name()).collect(),
    };
    Ok(serde_json::to_string_pretty(&object)? + "\n")
}

fn mutants(report: &MutantsReport) -> Vec<MutantReport<'_>> {
    let MutantsReport { suites, classics } = report;
    let rows = report.rows().map(|(outcome, classic)| MutantReport {
        name: outcome.mutation.name(),
        description: outcome.mutation.description(),
        tags: outcome.mutation.tags(),
        caught_by: outcome
            .first()
            .map(|catch| catch_report(suites, catch, None)),
        by_suite: (outcome.by_suite.iter().enumerate())
            .map(|(suite, catch)| Some(catch_report(suites, (*catch)?, Some(suite))))
            .collect(),
        by_classics: classic
            .first()
            .map(|catch| catch_report(classics, catch, None)),
    });
    rows.collect()
}

/// A catch and its cost, within one suite or over all.
fn catch_report(judged: &Judged, catch: Catch, suite: Option<usize>) -> CatchReport<'_> {
    let unit = judged.unit(catch);
    CatchReport {
        suite: &judged.names[unit.suite],
        line: unit.line,
        id: unit.id.as_deref(),
        fen: fen::write(&unit.position),
        depth: unit.depth,
        expected: unit.expected,
        counted: catch.counted,
        nodes: judged.course.cost(catch.unit, suite),
    }
}

fn suite_report(judged: &Judged, suite: usize) -> SuiteReport<'_> {
    SuiteReport {
        name: &judged.names[suite],
        caught: judged.caught(Some(suite)),
        nodes: judged.nodes(Some(suite)),
        seconds: judged.times[suite].as_secs_f64(),
    }
}
