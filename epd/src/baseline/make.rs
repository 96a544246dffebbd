//! Builds a baseline from finished trials.

use chess::notation::fen::{self, FenStyle};
use chess::notation::san;

use super::{Baseline, EngineResults, PositionResult, SCHEMA};
use crate::trial::case::{Case, Plan};
use crate::trial::ledger::{Meeting, State, Trial};

/// Builds the baseline of a run. Positions that were not searched are left out.
pub fn baseline(plan: &Plan, trials: &[Trial], limits: String, repeat: usize) -> Baseline {
    Baseline {
        schema: SCHEMA.to_owned(),
        limits,
        repeat,
        engines: trials.iter().map(|trial| engine(plan, trial)).collect(),
    }
}

fn engine(plan: &Plan, trial: &Trial) -> EngineResults {
    let name = match &trial.meeting {
        Meeting::Ready { name, .. } => name.clone(),
        _ => None,
    };
    EngineResults {
        command: trial.command.clone(),
        name,
        positions: trial
            .searched()
            .map(|index| position(plan, trial, index, &plan.cases[index]))
            .collect(),
    }
}

fn position(plan: &Plan, trial: &Trial, index: usize, case: &Case) -> PositionResult {
    let position = case.record.position();
    let (solved_searches, searches) = trial.solved_of(index);
    let solution = trial.median_solution(index);
    let milliseconds = |time: std::time::Duration| u64::try_from(time.as_millis());
    PositionResult {
        suite: plan.suites[case.suite].name.clone(),
        name: case.name(),
        position: fen::write_epd(position, FenStyle::default()),
        asked: case.asked.clone(),
        solved: trial.state(index) == State::Solved,
        solved_searches,
        searches,
        best_move: trial
            .typical(index)
            .map(|answer| san::write(answer.best_move, position)),
        points: trial.points(&plan.cases, index).map(|(points, _)| points),
        depth: solution.and_then(|moment| moment.depth),
        nodes: solution.and_then(|moment| moment.nodes),
        ms: solution.and_then(|moment| milliseconds(moment.time).ok()),
        fault: trial.fault(index).map(|(fault, _)| fault.to_string()),
    }
}
