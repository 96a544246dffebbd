//! JSON report: one object.

use std::io::Write;

use chess::notation::{fen, san};
use chess::rules::Move;
use serde::Serialize;

use super::{SuiteRunReport, scores, words};
use crate::run::baseline::BaselineComparison;
use crate::run::goal::{MateGoal, MovePoints};
use crate::run::ledger::{Handshake, PositionState, SearchOutcome, Totals};
use crate::run::plan::RunCase;
use crate::run::puzzle::tally::PuzzleTally;
use crate::run::score::{SearchAnswer, SearchMoment};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    limits: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    top: Option<u16>,
    repeat: usize,
    exit_code: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    nothing: Option<&'static str>,
    seconds: f64,
    suites: Vec<SuiteRunObject<'a>>,
    engines: Vec<EngineRunReport<'a>>,
}

#[derive(Serialize)]
struct SuiteRunObject<'a> {
    name: &'a str,
    without_goal: usize,
    not_run: Vec<NotRun>,
    /// Goals that were read despite minor faults.
    warnings: Vec<NotRun>,
}

#[derive(Serialize)]
struct NotRun {
    line: usize,
    reason: String,
}

#[derive(Serialize)]
struct EngineRunReport<'a> {
    command: &'a str,
    name: Option<&'a str>,
    /// Why the engine could not be run.
    reason: Option<&'a str>,
    interrupted: bool,
    verdict: String,
    /// The rules that are broken: their names, then their descriptions.
    rules: Vec<&'static str>,
    complaints: Vec<&'a str>,
    totals: Totals,
    suites: Vec<Totals>,
    #[serde(skip_serializing_if = "Option::is_none")]
    puzzles: Option<PuzzleTally>,
    #[serde(flatten)]
    scores: scores::ScoreReport,
    comparison: Option<ComparisonReport<'a>>,
    positions: Vec<PositionRunObject<'a>>,
    seconds: f64,
}

#[derive(Serialize)]
struct PositionRunObject<'a> {
    suite: &'a str,
    line: usize,
    id: Option<&'a str>,
    fen: String,
    asked: &'a str,
    limits: String,
    state: PositionState,
    /// As [`crate::run::verdict::PositionStatus::as_str`].
    verdict: &'static str,
    rules: &'a [&'static str],
    expected: ExpectedReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    puzzle: Option<PuzzleReport<'a>>,
    /// The representative move of all searches, in SAN; `None` if the engine failed.
    played: Option<String>,
    solved_searches: usize,
    searches: Vec<SearchReport<'a>>,
}

#[derive(Serialize)]
struct PuzzleReport<'a> {
    rating: u32,
    deviation: u32,
    themes: &'a [String],
    /// Number of moves to find.
    moves: usize,
}

/// One move of a puzzle.
#[derive(Serialize)]
struct StepReport {
    fen: String,
    best_moves: Vec<String>,
    played: String,
    solved: bool,
    score: Option<String>,
    end: SearchMoment,
    solution: Option<SearchMoment>,
}

/// The goal of a record, in SAN.
#[derive(Serialize)]
struct ExpectedReport {
    best_moves: Vec<String>,
    avoid_moves: Vec<String>,
    /// The side to move mates in at most this many moves.
    mate_in: Option<u32>,
    /// The side to move is mated in at most this many moves.
    mated_in: Option<u32>,
    points: Vec<PointsReport>,
}

#[derive(Serialize)]
struct PointsReport {
    r#move: String,
    points: u32,
}

#[derive(Serialize, Default)]
struct SearchReport<'a> {
    /// `solved`, `unsolved`, `crashed`, `hung`, `overdue`, `illegal`, `needs-chess960` or `open`.
    state: &'static str,
    best_move: Option<String>,
    points: Option<u32>,
    score: Option<String>,
    pv: Vec<String>,
    end: Option<SearchMoment>,
    solution: Option<SearchMoment>,
    /// If several lines were asked for: the rank of the first that is a solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    rank: Option<u32>,
    #[serde(skip_serializing_if = "is_false")]
    stopped_early: bool,
    /// The moves of a puzzle.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<StepReport>,
    /// The moves to the mate that was asked for and proved by the PV.
    mate: Option<u32>,
    mate_fault: Option<String>,
    illegal_pv: Option<String>,
    fault: Option<String>,
    // The transcript is only there after a failure: those of all searches would be far larger than
    // the rest.
    transcript: Option<&'a str>,
}

#[derive(Serialize)]
struct ComparisonReport<'a> {
    baseline: Option<&'a str>,
    baseline_limits: Option<&'a str>,
    #[serde(flatten)]
    comparison: &'a BaselineComparison<'a>,
}

/// What is rare is left out where it is not so.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde demands it")]
fn is_false(flag: &bool) -> bool {
    !flag
}

pub(super) fn write(report: &SuiteRunReport<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
    let suites = report.plan.suites.iter().map(|suite| {
        let faults = suite.faults().into_iter();
        let warnings = suite
            .warnings
            .iter()
            .map(|one| (one.line, one.error.to_string()));
        let not_run = |(line, reason)| NotRun { line, reason };
        SuiteRunObject {
            name: &suite.name,
            without_goal: suite.without_goal,
            not_run: faults.map(not_run).collect(),
            warnings: warnings.map(not_run).collect(),
        }
    });
    let engines = 0..report.trials.len();
    let object = Report {
        schema: "touchstone/epd-run/1",
        limits: report.limits,
        top: report.top,
        repeat: report.repeat,
        exit_code: report.verdict.exit as u8,
        nothing: report.nothing,
        seconds: report.time.as_secs_f64(),
        suites: suites.collect(),
        engines: engines.map(|index| engine_report(report, index)).collect(),
    };
    kit::report::json(&object, out)
}

fn engine_report<'a>(report: &'a SuiteRunReport<'_>, index: usize) -> EngineRunReport<'a> {
    let trial = &report.trials[index];
    let cases = &report.plan.cases;
    let (name, reason) = match &trial.handshake {
        Handshake::Ready { name, .. } => (name.as_deref(), None),
        Handshake::Refused { reason, .. } | Handshake::Failed { reason, .. } => {
            (None, Some(reason.as_str()))
        }
    };
    let suites = 0..report.plan.suites.len();
    let suites = suites.map(|suite| trial.totals(cases, Some(suite)));
    let comparison = report.comparisons[index].as_ref();
    let complaints = || report.verdict.complaints[index].iter();
    let positions = cases.iter().enumerate();
    let positions = positions.map(|(number, case)| position_report(report, index, number, case));
    EngineRunReport {
        command: &trial.command,
        name,
        reason,
        interrupted: trial.interrupted,
        verdict: words::verdict(report, index),
        rules: complaints().map(|complaint| complaint.rule).collect(),
        complaints: complaints().map(|complaint| &*complaint.text).collect(),
        totals: trial.totals(cases, None),
        suites: suites.collect(),
        puzzles: PuzzleTally::new(trial, cases),
        scores: scores::of_engine(report, trial),
        comparison: comparison.map(|comparison| ComparisonReport {
            baseline: report.baseline.map(|(name, _)| name),
            baseline_limits: report.baseline.map(|(_, limits)| limits),
            comparison,
        }),
        positions: positions.collect(),
        seconds: trial.time.as_secs_f64(),
    }
}

fn position_report<'a>(
    report: &'a SuiteRunReport<'_>,
    engine: usize,
    index: usize,
    case: &'a RunCase,
) -> PositionRunObject<'a> {
    let trial = &report.trials[engine];
    let standing = &report.verdict.standings[engine][index];
    let position = case.record.position();
    let played = trial.typical(index);
    let searches = trial.searches(index).iter();
    let searches = searches.map(|outcome| search_report(outcome.as_ref(), case));
    let goal = &case.goal;
    let names = |moves: &[Move]| moves.iter().map(|&m| san::write(m, position)).collect();
    let mate = |is_wanted: fn(&MateGoal) -> bool| {
        let mate = goal.mate.filter(is_wanted);
        mate.map(|mate| mate.moves().get())
    };
    let points = goal
        .points
        .as_ref()
        .map_or(&[][..], MovePoints::list)
        .iter();
    let points = points.map(|&(m, points)| {
        let r#move = san::write(m, position);
        PointsReport { r#move, points }
    });
    PositionRunObject {
        suite: report.suite_name(case),
        line: case.line,
        id: case.record.id(),
        fen: fen::write(position),
        asked: &case.asked,
        limits: case.limits.to_string(),
        state: trial.state(index),
        verdict: standing.as_str(),
        rules: standing.rules(),
        expected: ExpectedReport {
            best_moves: names(&goal.best),
            avoid_moves: names(&goal.avoid),
            mate_in: mate(|mate| matches!(mate, MateGoal::Mates(_))),
            mated_in: mate(|mate| matches!(mate, MateGoal::Mated(_))),
            points: points.collect(),
        },
        puzzle: case.puzzle.as_ref().map(|puzzle| PuzzleReport {
            rating: puzzle.rating,
            deviation: puzzle.deviation,
            themes: &puzzle.themes,
            moves: case.steps().count(),
        }),
        played: played.map(|answer| san::write(answer.best_move, position)),
        solved_searches: trial.solved_of(index).0,
        searches: searches.collect(),
    }
}

fn search_report<'a>(outcome: Option<&'a SearchOutcome>, case: &RunCase) -> SearchReport<'a> {
    let mut search = SearchReport {
        state: outcome.map_or("open", SearchOutcome::as_str),
        ..SearchReport::default()
    };
    if let Some(SearchOutcome::Failed { fault, transcript }) = outcome {
        search.fault = Some(fault.to_string());
        search.transcript = Some(transcript);
    }
    let Some(answer) = outcome.and_then(SearchOutcome::answer) else {
        return search;
    };
    let position = case.record.position();
    let mate = answer.mate.as_ref();
    SearchReport {
        best_move: Some(san::write(answer.best_move, position)),
        points: answer.points,
        score: answer.score.map(|score| score.to_string()),
        pv: words::variation(&answer.pv, position),
        end: Some(answer.end),
        solution: answer.solution,
        rank: answer.rank,
        stopped_early: answer.is_stopped,
        steps: step_reports(case, answer),
        mate: mate.and_then(|mate| mate.as_ref().ok().copied()),
        mate_fault: mate.and_then(|mate| Some(mate.as_ref().err()?.to_string())),
        illegal_pv: answer.illegal_pv.as_ref().map(ToString::to_string),
        ..search
    }
}

fn step_reports(case: &RunCase, answer: &SearchAnswer) -> Vec<StepReport> {
    let steps = case.steps().zip(&answer.steps);
    let step = steps.map(|((position, goal), step)| {
        let name = |&m: &Move| san::write(m, position);
        StepReport {
            fen: fen::write(position),
            best_moves: goal.best.iter().map(name).collect(),
            played: name(&step.best_move),
            solved: step.solved,
            score: step.score.map(|score| score.to_string()),
            end: step.end,
            solution: step.solution,
        }
    });
    step.collect()
}
