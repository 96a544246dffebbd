//! The JSON report: one object.

use serde::Serialize;

use super::CheckReport;
use crate::check::State;
use crate::event::UnitResult;

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    verdict: &'static str,
    agreed: usize,
    differing: usize,
    open: usize,
    nodes: u64,
    seconds: f64,
    threads: usize,
    suites: Vec<SuiteReport<'a>>,
    counts: Vec<CountReport<'a>>,
}

#[derive(Serialize)]
pub(super) struct SuiteReport<'a> {
    name: &'a str,
    records: usize,
    positions: usize,
    diagnostics: Vec<DiagnosticReport>,
}

#[derive(Serialize)]
struct DiagnosticReport {
    line: usize,
    column: usize,
    severity: String,
    message: String,
}

#[derive(Serialize)]
struct CountReport<'a> {
    suite: &'a str,
    line: usize,
    id: Option<&'a str>,
    fen: String,
    depth: u32,
    expected: u64,
    /// `agrees`, `differs`, `uncountable` or `open`.
    state: &'static str,
    counted: Option<u64>,
    #[serde(rename = "witness")]
    oracle: Option<u64>,
    seconds: Option<f64>,
}

pub(super) fn write(report: &CheckReport<'_>) -> anyhow::Result<String> {
    let CheckReport { plan, ledger, .. } = report;
    let totals = ledger.totals(plan, None);
    let object = Report {
        schema: "touchstone/perft-check/1",
        verdict: ledger.verdict(plan).as_str(),
        agreed: totals.agreed,
        differing: totals.differing,
        open: totals.open,
        nodes: totals.nodes,
        seconds: report.time.as_secs_f64(),
        threads: report.threads,
        suites: plan.suites.iter().map(suite_report).collect(),
        counts: count_reports(report).collect(),
    };
    Ok(serde_json::to_string_pretty(&object)? + "\n")
}

pub(super) fn suite_report(suite: &crate::check::SuitePlan) -> SuiteReport<'_> {
    let diagnostics = suite.diagnostics.iter().map(|diagnostic| DiagnosticReport {
        line: diagnostic.line,
        column: diagnostic.column,
        severity: diagnostic.severity().to_string(),
        message: diagnostic.problem.to_string(),
    });
    SuiteReport {
        name: &suite.name,
        records: suite.records,
        positions: suite.positions,
        diagnostics: diagnostics.collect(),
    }
}

fn count_reports<'a>(report: &'a CheckReport<'_>) -> impl Iterator<Item = CountReport<'a>> {
    report.units().map(|(suite, unit, state)| {
        let (word, counted, oracle) = match state {
            State::Open => ("open", None, None),
            State::Done {
                result: UnitResult::Agrees,
                ..
            } => ("agrees", Some(unit.expected), None),
            State::Done {
                result: UnitResult::Uncountable(_),
                ..
            } => ("uncountable", None, None),
            State::Done {
                result: UnitResult::Differs { counted, oracle },
                ..
            } => ("differs", Some(*counted), *oracle),
        };
        let seconds = match state {
            State::Open => None,
            State::Done { time, .. } => Some(time.as_secs_f64()),
        };
        CountReport {
            suite,
            line: unit.line,
            id: unit.id.as_deref(),
            fen: chess::notation::fen::write(&unit.position),
            depth: unit.depth,
            expected: unit.expected,
            state: word,
            counted,
            oracle,
            seconds,
        }
    })
}
