//! For programs: one JSON object.

use engine::notation::fen;
use serde::Serialize;

use super::{TrialReport, again, tried_lines};
use crate::drive::{Meeting, route_moves};
use crate::report::{finding, json};
use crate::trial::case::Case;
use crate::trial::ledger::{self, Outcome, State, Trial};
use crate::trial::rule;

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    seconds: f64,
    suites: Vec<json::SuiteReport<'a>>,
    engines: Vec<EngineReport<'a>>,
}

#[derive(Serialize)]
struct EngineReport<'a> {
    command: &'a str,
    name: Option<&'a str>,
    dialect: Option<&'static str>,
    divides: Option<bool>,
    chess960: Option<bool>,
    /// Why it could not be asked.
    reason: Option<String>,
    verdict: &'static str,
    right: usize,
    wrong: usize,
    failed: usize,
    needs_chess960: usize,
    open: usize,
    nodes: u64,
    seconds: f64,
    faults: Vec<FaultReport<'a>>,
    tags: Vec<TagReport<'a>>,
    positions: Vec<PositionReport<'a>>,
}

#[derive(Serialize)]
struct FaultReport<'a> {
    kind: &'static str,
    rule: Option<&'static str>,
    fen: String,
    moves: Vec<String>,
    depth: u32,
    right: u64,
    counted: Option<u64>,
    text: String,
    again: String,
    positions: Vec<PlaceReport<'a>>,
}

#[derive(Serialize)]
struct PlaceReport<'a> {
    suite: &'a str,
    line: usize,
    id: Option<&'a str>,
}

#[derive(Serialize)]
struct TagReport<'a> {
    tag: &'a str,
    fail: usize,
    of: usize,
}

#[derive(Serialize)]
struct PositionReport<'a> {
    #[serde(flatten)]
    place: PlaceReport<'a>,
    fen: String,
    /// `right`, `wrong`, `failed`, `needs-chess960` or `open`.
    state: &'static str,
    /// At which it is wrong or failed.
    depth: Option<u32>,
    right: Option<u64>,
    counted: Option<u64>,
    failure: Option<String>,
    transcript: Option<&'a str>,
    seconds: Option<f64>,
}

pub(super) fn write(report: &TrialReport<'_>) -> anyhow::Result<String> {
    let suites = report.check.plan.suites.iter();
    let object = Report {
        schema: "touchstone/perft-trial/1",
        seconds: report.check.time.as_secs_f64(),
        suites: suites.map(json::suite_report).collect(),
        engines: report
            .trials
            .iter()
            .map(|trial| engine_report(report, trial))
            .collect(),
    };
    Ok(serde_json::to_string_pretty(&object)? + "\n")
}

fn engine_report<'a>(report: &'a TrialReport<'_>, trial: &'a Trial) -> EngineReport<'a> {
    let totals = trial.totals(report.cases, None);
    let (name, reason) = match &trial.meeting {
        Meeting::Speaks(speaker) => (speaker.name.as_deref(), None),
        Meeting::SpeaksNoPerft { name, tried } => {
            (name.as_deref(), Some(tried_lines(tried).join("; ")))
        }
        Meeting::Failed { reason } => (None, Some(reason.clone())),
    };
    let speaker = match &trial.meeting {
        Meeting::Speaks(speaker) => Some(speaker),
        _ => None,
    };
    let tag = |(tag, fail, of)| TagReport { tag, fail, of };
    let positions = report.cases.iter().zip(trial.states()).enumerate();
    EngineReport {
        command: &trial.command,
        name,
        dialect: speaker.map(|speaker| speaker.dialect.as_str()),
        divides: speaker.map(|speaker| speaker.divides),
        chess960: speaker.map(|speaker| speaker.chess960),
        reason,
        verdict: trial.verdict(report.cases).as_str(),
        right: totals.right,
        wrong: totals.wrong,
        failed: totals.failed,
        needs_chess960: totals.needs_chess960,
        open: totals.open,
        nodes: totals.nodes,
        seconds: trial.time.as_secs_f64(),
        faults: trial
            .faults()
            .iter()
            .map(|fault| fault_report(report, trial, fault))
            .collect(),
        tags: trial.by_tag(report.cases).into_iter().map(tag).collect(),
        positions: positions
            .map(|(index, (case, state))| position_report(report, trial, index, case, state))
            .collect(),
    }
}

fn fault_report<'a>(
    report: &'a TrialReport<'_>,
    trial: &Trial,
    fault: &ledger::Fault<'_>,
) -> FaultReport<'a> {
    let finding = fault.finding;
    let route = &finding.shown.route;
    let places = fault
        .cases
        .iter()
        .map(|&case| place_report(report, &report.cases[case]));
    FaultReport {
        kind: finding.fault.kind(),
        rule: rule(finding),
        fen: fen::write(route.root()),
        moves: route_moves(route),
        depth: finding.shown.depth.get(),
        right: finding.counts.ours,
        counted: finding.counts.theirs,
        text: finding::write(finding, trial.dialect()),
        again: again(trial, finding),
        positions: places.collect(),
    }
}

fn place_report<'a>(report: &'a TrialReport<'_>, case: &'a Case) -> PlaceReport<'a> {
    PlaceReport {
        suite: report.suite_name(case),
        line: case.line,
        id: case.id.as_deref(),
    }
}

fn position_report<'a>(
    report: &'a TrialReport<'_>,
    trial: &Trial,
    index: usize,
    case: &'a Case,
    state: &'a State,
) -> PositionReport<'a> {
    let (outcome, seconds) = match state {
        State::Open => (None, None),
        State::Done { outcome, time } => (Some(outcome), Some(time.as_secs_f64())),
    };
    let counts = match outcome {
        Some(Outcome::Wrong { counts, .. }) => Some(counts),
        _ => None,
    };
    let failed = match outcome {
        Some(Outcome::Failed {
            failure,
            transcript,
            ..
        }) => Some((failure.to_string(), transcript.as_str())),
        _ => None,
    };
    PositionReport {
        place: place_report(report, case),
        fen: fen::write(case.route.position()),
        state: state.as_str(),
        depth: trial.failing_depth(index).map(std::num::NonZeroU32::get),
        right: counts.map(|counts| counts.ours),
        counted: counts.and_then(|counts| counts.theirs),
        failure: failed.as_ref().map(|(failure, _)| failure.clone()),
        transcript: failed.map(|(_, transcript)| transcript),
        seconds,
    }
}
