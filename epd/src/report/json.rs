//! JSON report: one object.

use chess::notation::{fen, san};
use chess::rules::Move;
use serde::Serialize;

use super::{RunReport, words};
use crate::baseline::statistics::SignTest;
use crate::baseline::{Change, Comparison, PositionResult};
use crate::goal::{MateGoal, Points};
use crate::score::Moment;
use crate::trial::case::{Case, SuitePlan};
use crate::trial::ledger::{Meeting, Outcome, Totals};

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    limits: &'a str,
    repeat: usize,
    exit_code: u8,
    seconds: f64,
    suites: Vec<SuiteReport<'a>>,
    engines: Vec<EngineReport<'a>>,
}

#[derive(Serialize)]
struct SuiteReport<'a> {
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
struct EngineReport<'a> {
    command: &'a str,
    name: Option<&'a str>,
    /// Why the engine could not be run.
    reason: Option<&'a str>,
    interrupted: bool,
    verdict: String,
    /// The demands that are not met: their names, then their descriptions.
    rules: Vec<&'static str>,
    complaints: Vec<&'a str>,
    totals: TotalsReport,
    suites: Vec<TotalsReport>,
    comparison: Option<ComparisonReport<'a>>,
    positions: Vec<PositionReport<'a>>,
    seconds: f64,
}

#[derive(Serialize)]
struct TotalsReport {
    solved: usize,
    unsolved: usize,
    failed: usize,
    needs_chess960: usize,
    open: usize,
    points: u64,
    most_points: u64,
    nodes: u64,
    solution_nodes: u64,
    search_seconds: f64,
    solution_seconds: f64,
}

#[derive(Serialize)]
struct PositionReport<'a> {
    suite: &'a str,
    line: usize,
    id: Option<&'a str>,
    fen: String,
    asked: &'a str,
    limits: String,
    state: &'static str,
    /// The verdict on the position; see [`Standing::as_str`].
    verdict: &'static str,
    /// The demands that it does not meet.
    rules: &'a [&'static str],
    expected: ExpectedReport,
    /// The representative move of all searches, in SAN; `None` if the engine failed.
    played: Option<String>,
    solved_searches: usize,
    searches: Vec<SearchReport<'a>>,
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
    end: Option<MomentReport>,
    solution: Option<MomentReport>,
    /// The moves to the mate that was asked for and proved by the PV.
    mate: Option<u32>,
    mate_fault: Option<String>,
    illegal_pv: Option<String>,
    fault: Option<String>,
    transcript: Option<&'a str>,
}

#[derive(Serialize)]
struct MomentReport {
    depth: Option<u32>,
    nodes: Option<u64>,
    seconds: f64,
}

#[derive(Serialize)]
struct ComparisonReport<'a> {
    baseline: Option<&'a str>,
    baseline_limits: Option<&'a str>,
    common: usize,
    solved_then: usize,
    solved_now: usize,
    newly_failed: Vec<ChangeReport<'a>>,
    newly_solved: Vec<ChangeReport<'a>>,
    /// Solved in neither the baseline nor now.
    known_failures: Vec<ChangeReport<'a>>,
    slower: Vec<ChangeReport<'a>>,
    faster: Vec<ChangeReport<'a>>,
    missing: &'a [&'a PositionResult],
    new: &'a [&'a PositionResult],
    mcnemar: TestReport,
    nodes_sign_test: TestReport,
}

#[derive(Serialize)]
struct ChangeReport<'a> {
    then: &'a PositionResult,
    now: &'a PositionResult,
}

#[derive(Serialize)]
struct TestReport {
    worse: u64,
    better: u64,
    p_value: f64,
}

pub(super) fn write(report: &RunReport<'_>) -> anyhow::Result<String> {
    let engines = 0..report.trials.len();
    let object = Report {
        schema: "touchstone/epd-run/1",
        limits: report.limits,
        repeat: report.repeat,
        exit_code: report.verdict.exit as u8,
        seconds: report.time.as_secs_f64(),
        suites: report.plan.suites.iter().map(suite_report).collect(),
        engines: engines.map(|index| engine_report(report, index)).collect(),
    };
    Ok(serde_json::to_string_pretty(&object)? + "\n")
}

fn suite_report(suite: &SuitePlan) -> SuiteReport<'_> {
    let faults = suite.faults().into_iter();
    let warnings = suite.warnings.iter();
    SuiteReport {
        name: &suite.name,
        without_goal: suite.without_goal,
        not_run: faults
            .map(|(line, reason)| NotRun { line, reason })
            .collect(),
        warnings: warnings
            .map(|warning| NotRun {
                line: warning.line,
                reason: warning.error.to_string(),
            })
            .collect(),
    }
}

fn engine_report<'a>(report: &'a RunReport<'_>, index: usize) -> EngineReport<'a> {
    let trial = &report.trials[index];
    let cases = &report.plan.cases;
    let (name, reason) = match &trial.meeting {
        Meeting::Ready { name, .. } => (name.as_deref(), None),
        Meeting::Refused { reason } | Meeting::Failed { reason, .. } => {
            (None, Some(reason.as_str()))
        }
    };
    let suites = 0..report.plan.suites.len();
    let comparison = report.comparisons[index].as_ref();
    let complaints = &report.verdict.complaints[index];
    EngineReport {
        command: &trial.command,
        name,
        reason,
        interrupted: trial.interrupted,
        verdict: words::verdict(report, index),
        rules: complaints.iter().map(|complaint| complaint.rule).collect(),
        complaints: complaints
            .iter()
            .map(|complaint| &*complaint.text)
            .collect(),
        totals: trial.totals(cases, None).into(),
        suites: suites
            .map(|suite| trial.totals(cases, Some(suite)).into())
            .collect(),
        comparison: comparison.map(|comparison| comparison_report(report, comparison)),
        positions: cases
            .iter()
            .enumerate()
            .map(|(number, case)| position_report(report, index, number, case))
            .collect(),
        seconds: trial.time.as_secs_f64(),
    }
}

impl From<Totals> for TotalsReport {
    fn from(totals: Totals) -> Self {
        Self {
            solved: totals.solved,
            unsolved: totals.unsolved,
            failed: totals.failed,
            needs_chess960: totals.needs_chess960,
            open: totals.open,
            points: totals.points,
            most_points: totals.most_points,
            nodes: totals.nodes,
            solution_nodes: totals.solution_nodes,
            search_seconds: totals.time.as_secs_f64(),
            solution_seconds: totals.solution_time.as_secs_f64(),
        }
    }
}

fn expected_report(case: &Case) -> ExpectedReport {
    let (goal, position) = (&case.goal, case.record.position());
    let names = |moves: &[Move]| moves.iter().map(|&m| san::write(m, position)).collect();
    let mate = |is_wanted: fn(&MateGoal) -> bool| {
        let mate = goal.mate.filter(is_wanted);
        mate.map(|mate| mate.moves().get())
    };
    let points = goal.points.as_ref().map_or(&[][..], Points::list);
    ExpectedReport {
        best_moves: names(&goal.best),
        avoid_moves: names(&goal.avoid),
        mate_in: mate(|mate| matches!(mate, MateGoal::Mates(_))),
        mated_in: mate(|mate| matches!(mate, MateGoal::Mated(_))),
        points: points
            .iter()
            .map(|&(m, points)| PointsReport {
                r#move: san::write(m, position),
                points,
            })
            .collect(),
    }
}

fn position_report<'a>(
    report: &'a RunReport<'_>,
    engine: usize,
    index: usize,
    case: &'a Case,
) -> PositionReport<'a> {
    let trial = &report.trials[engine];
    let standing = &report.verdict.standings[engine][index];
    let played = trial.typical(index);
    let searches = trial.searches(index).iter();
    PositionReport {
        suite: report.suite_name(case),
        line: case.line,
        id: case.record.id(),
        fen: fen::write(case.record.position()),
        asked: &case.asked,
        limits: case.limits.to_string(),
        state: trial.state(index).as_str(),
        verdict: standing.as_str(),
        rules: standing.rules(),
        expected: expected_report(case),
        played: played.map(|answer| san::write(answer.best_move, case.record.position())),
        solved_searches: trial.solved_of(index).0,
        searches: searches
            .map(|outcome| search_report(outcome.as_ref(), case))
            .collect(),
    }
}

fn search_report<'a>(outcome: Option<&'a Outcome>, case: &Case) -> SearchReport<'a> {
    let mut search = SearchReport {
        state: outcome.map_or("open", Outcome::as_str),
        ..SearchReport::default()
    };
    if let Some(Outcome::Failed { fault, transcript }) = outcome {
        search.fault = Some(fault.to_string());
        search.transcript = Some(transcript);
    }
    let Some(answer) = outcome.and_then(Outcome::answer) else {
        return search;
    };
    let position = case.record.position();
    SearchReport {
        best_move: Some(san::write(answer.best_move, position)),
        points: answer.points,
        score: answer.score.map(|score| score.to_string()),
        pv: words::variation(&answer.pv, position),
        end: Some(answer.end.into()),
        solution: answer.solution.map(MomentReport::from),
        mate: answer.mate.as_ref().and_then(|mate| mate.clone().ok()),
        mate_fault: answer
            .mate
            .as_ref()
            .and_then(|mate| mate.as_ref().err().map(ToString::to_string)),
        illegal_pv: answer.illegal_pv.as_ref().map(ToString::to_string),
        ..search
    }
}

impl From<Moment> for MomentReport {
    fn from(moment: Moment) -> Self {
        Self {
            depth: moment.depth,
            nodes: moment.nodes,
            seconds: moment.time.as_secs_f64(),
        }
    }
}

fn comparison_report<'a>(
    report: &'a RunReport<'_>,
    comparison: &'a Comparison<'a>,
) -> ComparisonReport<'a> {
    let changes = |changes: &[Change<'a>]| {
        let pairs = changes.iter();
        pairs
            .map(|&Change { then, now, .. }| ChangeReport { then, now })
            .collect()
    };
    ComparisonReport {
        baseline: report.baseline.map(|(name, _)| name),
        baseline_limits: report.baseline.map(|(_, limits)| limits),
        common: comparison.common,
        solved_then: comparison.solved_then,
        solved_now: comparison.solved_now,
        newly_failed: changes(&comparison.newly_failed),
        newly_solved: changes(&comparison.newly_solved),
        known_failures: changes(&comparison.still_unsolved),
        slower: changes(&comparison.slower),
        faster: changes(&comparison.faster),
        missing: &comparison.missing,
        new: &comparison.new,
        mcnemar: comparison.solved.into(),
        nodes_sign_test: comparison.nodes.into(),
    }
}

impl From<SignTest> for TestReport {
    fn from(test: SignTest) -> Self {
        Self {
            worse: test.worse,
            better: test.better,
            p_value: test.p_value,
        }
    }
}
