//! CSV: one row per engine, position and search.

use std::time::Duration;

use chess::notation::{fen, san};
use kit::report::Rows;

use super::{SuiteRunReport, words};
use crate::run::goal::MovePoints;
use crate::run::ledger::SearchOutcome;
use crate::run::plan::RunCase;
use crate::run::score::SearchAnswer;

const HEAD: &str = "engine,suite,line,id,fen,asked,search,state,move,points,most_points,score,depth,\
                    nodes,seconds,solution_depth,solution_nodes,solution_seconds,pv,illegal_pv,\
                    fault,verdict,rules";

pub(super) fn rows<'a>(report: &'a SuiteRunReport<'_>) -> Rows<'a> {
    let by = report.scores.by.as_ref();
    let mut rows = Vec::new();
    for (engine, trial) in report.trials.iter().enumerate() {
        for (index, case) in report.plan.cases.iter().enumerate() {
            let standing = &report.verdict.standings[engine][index];
            for (search, outcome) in trial.searches(index).iter().enumerate() {
                let outcome = outcome.as_ref();
                let mut row = vec![
                    trial.command.clone(),
                    report.suite_name(case).to_owned(),
                    case.line.to_string(),
                    case.record.id().unwrap_or_default().to_owned(),
                    fen::write(case.record.position()),
                    case.asked.clone(),
                    (search + 1).to_string(),
                    outcome.map_or("open", SearchOutcome::as_str).to_owned(),
                ];
                row.extend(answer_cells(outcome.and_then(SearchOutcome::answer), case));
                row.push(match outcome {
                    Some(SearchOutcome::Failed { fault, .. }) => fault.to_string(),
                    _ => String::new(),
                });
                row.extend([standing.as_str().to_owned(), standing.rules().join(" ")]);
                // Columns that only some runs have come last, so that the others keep their
                // numbers.
                row.extend(report.top.map(|_| {
                    let answer = outcome.and_then(SearchOutcome::answer);
                    text(answer.and_then(|answer| answer.rank))
                }));
                row.extend(by.map(|by| by.names(&case.record).join(" ")));
                rows.push(row);
            }
        }
    }
    let rank = report.top.map_or("", |_| ",rank");
    let group = if by.is_some() { ",group" } else { "" };
    Rows::new(&format!("{HEAD}{rank}{group}"), rows)
}

fn answer_cells(answer: Option<&SearchAnswer>, case: &RunCase) -> [String; 12] {
    let most = text(case.goal.points.as_ref().map(MovePoints::most));
    let Some(answer) = answer else {
        let mut cells = <[String; 12]>::default();
        // The most points are a fact of the record, not of the answer.
        cells[2] = most;
        return cells;
    };
    let position = case.record.position();
    // Six decimals are microseconds: tactical positions are often solved within a millisecond.
    let seconds = |time: Duration| format!("{:.6}", time.as_secs_f64());
    let solution = answer.solution;
    [
        san::write(answer.best_move, position),
        text(answer.points),
        most,
        text(answer.score),
        text(answer.end.depth),
        text(answer.end.nodes),
        seconds(answer.end.time),
        text(solution.and_then(|moment| moment.depth)),
        text(solution.and_then(|moment| moment.nodes)),
        text(solution.map(|moment| seconds(moment.time))),
        words::variation(&answer.pv, position).join(" "),
        text(answer.illegal_pv.as_ref()),
    ]
}

fn text(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
