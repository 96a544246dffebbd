//! The JSON report: one object.

use chess::notation::{fen, uci_move};
use chess::rules::explain::explain;
use serde::Serialize;
use uci::perft::{Calibration, Meeting, Speech, uci_moves};

use super::{TrialReport, again, speech, tried_lines};
use crate::hunt::{Finding, WrongMove};
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
    /// The results of calibration, which determine how the engine is asked.
    calibration: Option<CalibrationReport<'a>>,
    /// Why the engine could not be tested.
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
#[expect(clippy::struct_excessive_bools, reason = "each is proved by itself")]
struct CalibrationReport<'a> {
    ask: &'a [String],
    fen: bool,
    moves: bool,
    promotions: bool,
    castling: bool,
    chess960: bool,
    rows: bool,
    totals: bool,
    limits: &'a [String],
}

#[derive(Serialize)]
struct FaultReport<'a> {
    kind: &'static str,
    rule: Option<&'static str>,
    /// The moves that the engine lists wrongly.
    wrong_moves: Vec<WrongMoveReport>,
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
struct WrongMoveReport {
    kind: &'static str,
    /// In UCI notation; `None` for a row that is not a move.
    r#move: Option<String>,
    /// What the engine lists: an unreadable row, or the pieces of a promotion.
    listed: Vec<String>,
    rule: Option<&'static str>,
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
    /// The depth of the wrong or missing answer.
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
        Meeting::NotUnderstood { name, tried } => {
            (name.as_deref(), Some(tried_lines(tried).join("\n")))
        }
        Meeting::Failed { reason } => (None, Some(reason.clone())),
    };
    let speech = speech(trial);
    let calibration = speech.map(Speech::calibration);
    let tag = |(tag, fail, of)| TagReport { tag, fail, of };
    let positions = report.cases.iter().zip(trial.states()).enumerate();
    EngineReport {
        command: &trial.command,
        name,
        dialect: speech.map(|speech| speech.ask().name()),
        divides: calibration.map(|proved| proved.rows),
        chess960: calibration.map(|proved| proved.chess960),
        calibration: speech.map(|speech| calibration_report(speech, speech.calibration())),
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

fn calibration_report<'a>(speech: &'a Speech, proved: &'a Calibration) -> CalibrationReport<'a> {
    CalibrationReport {
        ask: speech.ask().templates(),
        fen: proved.fen,
        moves: proved.moves,
        promotions: proved.promotions,
        castling: proved.castling,
        chess960: proved.chess960,
        rows: proved.rows,
        totals: proved.totals,
        limits: &proved.limits,
    }
}

fn wrong_move_report(wrong: &WrongMove, finding: &Finding) -> WrongMoveReport {
    let position = finding.shown.position();
    let listed = match wrong {
        WrongMove::Promotions { listed, .. } => listed
            .iter()
            .map(|kind| kind.map_or_else(String::new, |kind| kind.to_char().to_string()))
            .collect(),
        WrongMove::Extra { text, .. } | WrongMove::Unreadable { text } if !text.is_empty() => {
            vec![text.clone()]
        }
        WrongMove::Duplicate { m, times } => vec![m.to_string(); *times],
        _ => Vec::new(),
    };
    let m = wrong.to_move();
    WrongMoveReport {
        kind: wrong.kind(),
        r#move: m.map(|m| uci_move::write(m, position, position.castling_mode())),
        listed,
        rule: m.map(|m| explain(position, m).rule().as_str()),
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
        wrong_moves: finding
            .fault
            .wrong_moves()
            .iter()
            .map(|wrong| wrong_move_report(wrong, finding))
            .collect(),
        fen: fen::write(route.root()),
        moves: uci_moves(route),
        depth: finding.shown.depth.get(),
        right: finding.counts.ours,
        counted: finding.counts.theirs,
        text: finding::write(finding, speech(trial)),
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
