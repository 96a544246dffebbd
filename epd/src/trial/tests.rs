//! Plans, ledgers and verdicts.

use std::time::Duration;

use chess::rules::{Move, Square};
use kit::Exit;

use super::case::{LimitRule, Plan, plan};
use super::ledger::{Fault, Meeting, Outcome, State, Trial};
use super::limits::Limits;
use crate::Suite;
use crate::score::{Answer, Moment};
use crate::verdict::{Demands, FailOn, MinSolved, judge};

const LINE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - ";

fn plan_of(operations: &[&str], from_record: bool) -> Plan {
    let lines: Vec<String> = operations
        .iter()
        .map(|one| format!("{LINE}{one}\n"))
        .collect();
    let suite = Suite::parse("suite", lines.concat().as_bytes());
    let given = Limits {
        depth: Some(7),
        ..Limits::default()
    };
    plan(vec![suite], LimitRule { given, from_record })
}

#[test]
fn plans_hold_what_can_be_run() {
    let plan = plan_of(
        &[
            "bm Ra8#;",
            "id \"x\";",
            "bm Ra9;",
            "am e4;",
            "bm \"",
            "dm 1; id \"m\";",
        ],
        false,
    );
    let lines: Vec<usize> = plan.cases.iter().map(|case| case.line).collect();
    assert_eq!(lines, [1, 6]);
    assert_eq!(
        (plan.cases[0].name(), plan.cases[1].name()),
        ("line 1".into(), "m".into())
    );
    assert_eq!(plan.suites[0].without_goal, 1);
    let lines: Vec<usize> = plan.suites[0]
        .faults()
        .iter()
        .map(|fault| fault.0)
        .collect();
    assert_eq!(lines, [3, 4, 5]);
    assert!(plan.has_faults());
}

#[test]
fn limits_of_records() {
    let rows = [
        (
            "bm Ra8#; acd 3; acn 9; acs 2;",
            Ok("nodes 9, depth 3, time 2 s"),
        ),
        ("bm Ra8#; acd 0;", Ok("depth 7")),
        ("bm Ra8#;", Ok("depth 7")),
        (
            "bm Ra8#; acn many;",
            Err("acn: 'acn many;' is no limit, expected one number without sign"),
        ),
    ];
    for (operations, expected) in rows {
        let plan = plan_of(&[operations], true);
        let faults = plan.suites[0].faults();
        let found = match plan.cases.as_slice() {
            [case] => Ok(case.limits.to_string()),
            _ => Err(faults[0].1.clone()),
        };
        let expected = expected.map(str::to_owned).map_err(str::to_owned);
        assert_eq!(found, expected, "{operations}");
        let ignored = plan_of(&[operations], false);
        assert_eq!(ignored.cases[0].limits.to_string(), "depth 7");
    }
}

fn ready() -> Meeting {
    Meeting::Ready {
        name: None,
        chess960: false,
    }
}

fn answer(solution: Option<u64>) -> Outcome {
    let at = |nodes| Moment {
        depth: Some(1),
        nodes: Some(nodes),
        time: Duration::from_millis(nodes),
    };
    Outcome::Answered(Box::new(Answer {
        best_move: Move::new(Square::A1, Square::A8),
        solved: solution.is_some(),
        points: None,
        solution: solution.map(at),
        end: at(100),
        score: None,
        pv: Vec::new(),
        illegal_pv: None,
        mate: None,
    }))
}

fn crash() -> Outcome {
    let how = "so".to_owned();
    Outcome::Failed {
        fault: Fault::Crashed { how },
        transcript: "said".to_owned(),
    }
}

#[test]
fn most_searches_decide() {
    // The searches of a case; its state and its median nodes.
    let rows = [
        (vec![Some(answer(Some(5)))], State::Solved, Some(5)),
        (vec![Some(answer(None))], State::Unsolved, None),
        (vec![None], State::Open, None),
        (vec![Some(crash())], State::Unsolved, None),
        (
            vec![Some(Outcome::NeedsChess960)],
            State::NeedsChess960,
            None,
        ),
        // Half is not a majority.
        (
            vec![Some(answer(Some(9))), Some(answer(None))],
            State::Unsolved,
            Some(9),
        ),
        (
            vec![Some(answer(Some(9))), Some(crash()), Some(answer(Some(4)))],
            State::Solved,
            Some(4),
        ),
        (
            vec![
                Some(answer(Some(9))),
                Some(answer(Some(1))),
                Some(answer(Some(4))),
            ],
            State::Solved,
            Some(4),
        ),
        (vec![Some(answer(Some(9))), None], State::Open, Some(9)),
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
fn exit(outcomes: [Option<Outcome>; 2], demands: &Demands, operations: &[&str]) -> Exit {
    let plan = plan_of(operations, false);
    let mut trial = Trial::new("engine".to_owned(), ready(), 2, 1);
    trial.interrupted = outcomes.iter().any(Option::is_none);
    for (case, outcome) in outcomes.into_iter().enumerate() {
        if let Some(outcome) = outcome {
            trial.record(case, 0, outcome);
        }
    }
    judge(&plan, &[trial], &[None], demands).exit
}

#[test]
fn exit_codes() {
    let two = ["bm Ra8#;", "bm Ra8#;"];
    let three = ["bm Ra8#;", "bm Ra8#;", "bm Ra9;"];
    let solved = || Some(answer(Some(1)));
    let unsolved = || Some(answer(None));
    let none = Demands::default();
    let all = Demands {
        fail_on: vec![FailOn::Unsolved],
        ..Demands::default()
    };
    let least = |least| Demands {
        min_solved: Some(least),
        ..Demands::default()
    };
    let allow = Demands {
        allow_unreadable: true,
        ..Demands::default()
    };
    assert_eq!(exit([solved(), solved()], &all, &two), Exit::Agreed);
    assert_eq!(exit([solved(), unsolved()], &none, &two), Exit::Agreed);
    assert_eq!(exit([solved(), unsolved()], &all, &two), Exit::Differs);
    assert_eq!(exit([solved(), Some(crash())], &all, &two), Exit::Failed);
    assert_eq!(exit([solved(), None], &all, &two), Exit::Interrupted);
    assert_eq!(exit([solved(), solved()], &none, &three), Exit::BadInput);
    assert_eq!(exit([solved(), solved()], &allow, &three), Exit::Agreed);
    assert_eq!(exit([solved(), unsolved()], &all, &three), Exit::Differs);
    let percent = |percent| least(MinSolved::Percent(percent));
    assert_eq!(
        exit([solved(), unsolved()], &percent(50.0), &two),
        Exit::Agreed
    );
    assert_eq!(
        exit([solved(), unsolved()], &percent(50.1), &two),
        Exit::Differs
    );
    let positions = |least_of| least(MinSolved::Positions(least_of));
    assert_eq!(
        exit([solved(), unsolved()], &positions(1), &two),
        Exit::Agreed
    );
    assert_eq!(
        exit([solved(), unsolved()], &positions(2), &two),
        Exit::Differs
    );
    let not_asked = || Some(Outcome::NeedsChess960);
    assert_eq!(exit([not_asked(), not_asked()], &none, &two), Exit::Nothing);
}

#[test]
fn an_engine_that_is_not_met_fails_the_run() {
    let plan = plan_of(&["bm Ra8#;"], false);
    let reason = String::new();
    let failed = Meeting::Failed {
        reason: reason.clone(),
        transcript: String::new(),
    };
    // An engine that does not start or lacks an option: the same for a script.
    for meeting in [failed, Meeting::Refused { reason }] {
        let trial = Trial::new("engine".to_owned(), meeting, 1, 1);
        let exit = judge(&plan, &[trial], &[None], &Demands::default()).exit;
        assert_eq!(exit, Exit::Failed);
    }
    assert_eq!(
        judge(&plan, &[], &[], &Demands::default()).exit,
        Exit::Nothing
    );
}
