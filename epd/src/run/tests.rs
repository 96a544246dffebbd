//! Plans, ledgers and verdicts together.

use std::time::Duration;

use chess::rules::{Move, Square};
use kit::Exit;

use super::ledger::{Handshake, PositionState, Refusal, SearchFault, SearchOutcome, Trial};
use super::plan::{PositionLimits, RunCase, RunPlan};
use super::score::{SearchAnswer, SearchMoment};
use super::verdict::{FailOn, FailPolicy, judge};
use crate::rows::rows;
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
    let lines = r#"bm Ra8#; / id "x"; / bm Ra9; / am e4; / bm " / dm 1; id "m";"#;
    let plan = plan_of(&lines.split(" / ").collect::<Vec<_>>());
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

/// The outcome of a search: the nodes of its solution, `-` for none, `?` for a position that the engine is not asked,
/// `crash`, and `...` for a search that is to come.
fn outcome(text: &str) -> Option<SearchOutcome> {
    match text {
        "..." => None,
        "-" => Some(answer(None)),
        "?" => Some(SearchOutcome::NeedsChess960),
        "crash" => Some(SearchOutcome::Failed {
            fault: SearchFault::Crashed {
                how: "so".to_owned(),
            },
            transcript: "lines".to_owned(),
        }),
        solved => Some(answer(Some(solved.parse().expect("nodes")))),
    }
}

/// The trial of an engine from the outcomes of each position.
fn trial(positions: &[&str], searches: usize) -> Trial {
    let ready = Handshake::Ready {
        name: None,
        chess960: false,
    };
    let mut trial = Trial::new("engine".to_owned(), ready, positions.len(), searches);
    for (case, outcomes) in positions.iter().enumerate() {
        for (index, text) in outcomes.split(' ').enumerate() {
            match outcome(text) {
                Some(outcome) => trial.record(case, index, outcome),
                None => trial.interrupted = true,
            }
        }
    }
    trial
}

#[test]
fn most_searches_decide() {
    use PositionState::{NeedsChess960, Open, Solved, Unsolved};
    // The searches of a position, its state and its median nodes.
    for (searches, state, nodes) in [
        ("5", Solved, Some(5)),
        ("-", Unsolved, None),
        ("...", Open, None),
        ("crash", Unsolved, None),
        ("?", NeedsChess960, None),
        // Half is not a majority.
        ("9 -", Unsolved, Some(9)),
        ("9 crash 4", Solved, Some(4)),
        ("9 1 4", Solved, Some(4)),
        ("9 ...", Open, Some(9)),
    ] {
        let trial = trial(&[searches], searches.split(' ').count());
        assert_eq!(trial.state(0), state, "{searches}");
        let median = trial.median_solution(0).and_then(|moment| moment.nodes);
        assert_eq!(median, nodes, "{searches}");
    }
}

#[test]
fn exit_codes() {
    // The outcomes of two positions, beside which may be a line that cannot be read; what is demanded; the exit code.
    let table = "
1 1 |  | all | Agreed
1 - |  | none | Agreed
1 - |  | all | Differs
1 crash |  | all | Failed
1 ... |  | all | Interrupted
1 1 | bm Ra9; | none | BadInput
1 1 | bm Ra9; | allow | Agreed
1 - | bm Ra9; | all | Differs
1 - |  | 50% | Agreed
1 - |  | 50.1% | Differs
1 - |  | 1 | Agreed
1 - |  | 2 | Differs
? ? |  | none | Nothing";
    for [outcomes, unreadable, demand, expected] in rows(table) {
        let mut policy = FailPolicy::default();
        match demand {
            "none" => {}
            "all" => policy.fail_on = vec![FailOn::Unsolved],
            "allow" => policy.allow_unreadable = true,
            least => policy.min_solved = Some(least.parse().expect("a least")),
        }
        let plan = plan_of(&["bm Ra8#;", "bm Ra8#;", unreadable]);
        let outcomes: Vec<&str> = outcomes.split(' ').collect();
        let exit = judge(&plan, &[trial(&outcomes, 1)], &[None], &policy).exit;
        let row = format!("{outcomes:?} {unreadable} {demand}");
        assert_eq!(format!("{exit:?}"), expected, "{row}");
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
