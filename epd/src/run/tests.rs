//! Plans, ledgers and verdicts together.

use std::time::Duration;

use chess::rules::{Move, Square};
use kit::Exit;

use super::ledger::{Handshake, PositionState, Refusal, SearchFault, SearchOutcome, Trial};
use super::plan::{PositionLimits, RunCase, RunPlan};
use super::score::{SearchAnswer, SearchMoment};
use super::verdict::{FailOn, FailPolicy, MinSolved, judge};
use crate::text::Suite;

const LINE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - ";

fn plan_of(operations: &[&str]) -> RunPlan {
    let lines = operations.iter().map(|one| format!("{LINE}{one}\n"));
    let suite = Suite::parse("suite", lines.collect::<String>().as_bytes());
    let given = PositionLimits {
        depth: Some(7),
        ..PositionLimits::default()
    };
    RunPlan::new(vec![suite], given)
}

#[test]
fn plans_hold_what_can_be_run() {
    let lines = [
        "bm Ra8#;",
        "id \"x\";",
        "bm Ra9;",
        "am e4;",
        "bm \"",
        "dm 1; id \"m\";",
    ];
    let plan = plan_of(&lines);
    let lines: Vec<usize> = plan.cases.iter().map(|case| case.line).collect();
    assert_eq!(lines, [1, 6]);
    let names: Vec<String> = plan.cases.iter().map(RunCase::name).collect();
    assert_eq!(names, ["line 1", "m"]);
    assert_eq!(plan.suites[0].without_goal, 1);
    let faults = plan.suites[0].faults();
    let lines: Vec<usize> = faults.iter().map(|fault| fault.0).collect();
    assert_eq!(lines, [3, 4, 5]);
    assert!(plan.has_faults());
}

fn ready() -> Handshake {
    Handshake::Ready {
        name: None,
        chess960: false,
    }
}

fn answer(solution: Option<u64>) -> SearchOutcome {
    let at = |nodes| SearchMoment {
        depth: Some(1),
        nodes: Some(nodes),
        time: Duration::from_millis(nodes),
    };
    SearchOutcome::Answered(Box::new(SearchAnswer {
        best_move: Move::new(Square::A1, Square::A8),
        solved: solution.is_some(),
        points: None,
        solution: solution.map(at),
        end: at(100),
        score: None,
        pv: Vec::new(),
        illegal_pv: None,
        mate: None,
        rank: None,
        is_stopped: false,
        steps: Vec::new(),
        claims: None,
    }))
}

fn crash() -> SearchOutcome {
    let how = "so".to_owned();
    SearchOutcome::Failed {
        fault: SearchFault::Crashed { how },
        transcript: "lines".to_owned(),
    }
}

#[test]
fn most_searches_decide() {
    let solved = |nodes| Some(answer(Some(nodes)));
    let unsolved = || Some(answer(None));
    let crash = || Some(crash());
    // The searches of a case; its state and its median nodes.
    let rows = [
        (vec![solved(5)], PositionState::Solved, Some(5)),
        (vec![unsolved()], PositionState::Unsolved, None),
        (vec![None], PositionState::Open, None),
        (vec![crash()], PositionState::Unsolved, None),
        (
            vec![Some(SearchOutcome::NeedsChess960)],
            PositionState::NeedsChess960,
            None,
        ),
        // Half is not a majority.
        (
            vec![solved(9), unsolved()],
            PositionState::Unsolved,
            Some(9),
        ),
        (
            vec![solved(9), crash(), solved(4)],
            PositionState::Solved,
            Some(4),
        ),
        (
            vec![solved(9), solved(1), solved(4)],
            PositionState::Solved,
            Some(4),
        ),
        (vec![solved(9), None], PositionState::Open, Some(9)),
    ];
    for (outcomes, state, nodes) in rows {
        let mut trial = Trial::new("engine".to_owned(), ready(), 1, outcomes.len());
        let label = format!("{outcomes:?}");
        for (index, outcome) in outcomes.into_iter().enumerate() {
            if let Some(outcome) = outcome {
                trial.record(0, index, outcome);
            }
        }
        assert_eq!(trial.state(0), state, "{label}");
        let median = trial.median_solution(0).and_then(|moment| moment.nodes);
        assert_eq!(median, nodes, "{label}");
    }
}

/// The exit code of a run of two positions.
fn exit(outcomes: [Option<SearchOutcome>; 2], policy: &FailPolicy, operations: &[&str]) -> Exit {
    let plan = plan_of(operations);
    let mut trial = Trial::new("engine".to_owned(), ready(), 2, 1);
    trial.interrupted = outcomes.iter().any(Option::is_none);
    for (case, outcome) in outcomes.into_iter().enumerate() {
        if let Some(outcome) = outcome {
            trial.record(case, 0, outcome);
        }
    }
    judge(&plan, &[trial], &[None], policy).exit
}

#[test]
fn exit_codes() {
    let two = ["bm Ra8#;", "bm Ra8#;"];
    let three = ["bm Ra8#;", "bm Ra8#;", "bm Ra9;"];
    let solved = || Some(answer(Some(1)));
    let unsolved = || Some(answer(None));
    let none = FailPolicy::default();
    let all = FailPolicy {
        fail_on: vec![FailOn::Unsolved],
        ..FailPolicy::default()
    };
    let least = |least| FailPolicy {
        min_solved: Some(least),
        ..FailPolicy::default()
    };
    let allow = FailPolicy {
        allow_unreadable: true,
        ..FailPolicy::default()
    };
    let percent = |percent| least(MinSolved::Percent(percent));
    let positions = |least_of| least(MinSolved::Positions(least_of));
    let not_asked = || Some(SearchOutcome::NeedsChess960);
    for (outcomes, policy, operations, expected) in [
        ([solved(), solved()], &all, &two[..], Exit::Agreed),
        ([solved(), unsolved()], &none, &two, Exit::Agreed),
        ([solved(), unsolved()], &all, &two, Exit::Differs),
        ([solved(), Some(crash())], &all, &two, Exit::Failed),
        ([solved(), None], &all, &two, Exit::Interrupted),
        ([solved(), solved()], &none, &three, Exit::BadInput),
        ([solved(), solved()], &allow, &three, Exit::Agreed),
        ([solved(), unsolved()], &all, &three, Exit::Differs),
        ([solved(), unsolved()], &percent(50.0), &two, Exit::Agreed),
        ([solved(), unsolved()], &percent(50.1), &two, Exit::Differs),
        ([solved(), unsolved()], &positions(1), &two, Exit::Agreed),
        ([solved(), unsolved()], &positions(2), &two, Exit::Differs),
        ([not_asked(), not_asked()], &none, &two, Exit::Nothing),
    ] {
        let label = format!("{outcomes:?} {policy:?}");
        assert_eq!(exit(outcomes, policy, operations), expected, "{label}");
    }
}

#[test]
fn a_failed_handshake_fails_the_run() {
    let plan = plan_of(&["bm Ra8#;"]);
    let reason = String::new();
    let failed = Handshake::Failed {
        reason: reason.clone(),
        transcript: String::new(),
    };
    let why = Refusal::Option;
    // An engine that does not start or lacks an option: the same for a script.
    for handshake in [failed, Handshake::Refused { why, reason }] {
        let trial = Trial::new("engine".to_owned(), handshake, 1, 1);
        let exit = judge(&plan, &[trial], &[None], &FailPolicy::default()).exit;
        assert_eq!(exit, Exit::Failed);
    }
    let verdict = judge(&plan, &[], &[], &FailPolicy::default());
    assert_eq!(verdict.exit, Exit::Nothing);
}
