//! CSV: one row per engine, position and search.

use anyhow::Context;
use chess::notation::{fen, san};

use super::{RunReport, words};
use crate::score::Answer;
use crate::trial::case::Case;
use crate::trial::ledger::{Outcome, Trial};

const HEAD: [&str; 23] = [
    "engine",
    "suite",
    "line",
    "id",
    "fen",
    "asked",
    "search",
    "state",
    "move",
    "points",
    "most_points",
    "score",
    "depth",
    "nodes",
    "seconds",
    "solution_depth",
    "solution_nodes",
    "solution_seconds",
    "pv",
    "illegal_pv",
    "fault",
    "verdict",
    "rules",
];

pub(super) fn write(report: &RunReport<'_>) -> anyhow::Result<String> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(HEAD)?;
    for (engine, trial) in report.trials.iter().enumerate() {
        for (index, case) in report.plan.cases.iter().enumerate() {
            for (search, outcome) in trial.searches(index).iter().enumerate() {
                let mut row = row(report, trial, case, search + 1, outcome.as_ref());
                let standing = &report.verdict.standings[engine][index];
                row.extend([standing.as_str().to_owned(), standing.rules().join(" ")]);
                table.write_record(row)?;
            }
        }
    }
    let bytes = table
        .into_inner()
        .map_err(csv::IntoInnerError::into_error)?;
    String::from_utf8(bytes).context("the table is not UTF-8")
}

fn row(
    report: &RunReport<'_>,
    trial: &Trial,
    case: &Case,
    search: usize,
    outcome: Option<&Outcome>,
) -> Vec<String> {
    let mut row = vec![
        trial.command.clone(),
        report.suite_name(case).to_owned(),
        case.line.to_string(),
        case.record.id().unwrap_or_default().to_owned(),
        fen::write(case.record.position()),
        case.asked.clone(),
        search.to_string(),
        outcome.map_or("open", Outcome::as_str).to_owned(),
    ];
    row.extend(answer_cells(outcome.and_then(Outcome::answer), case));
    row.push(match outcome {
        Some(Outcome::Failed { fault, .. }) => fault.to_string(),
        _ => String::new(),
    });
    row
}

fn answer_cells(answer: Option<&Answer>, case: &Case) -> [String; 12] {
    let position = case.record.position();
    let points = case.goal.points.as_ref();
    let most = text(points.map(crate::goal::Points::most));
    let Some(answer) = answer else {
        let mut cells = <[String; 12]>::default();
        cells[2] = most;
        return cells;
    };
    let seconds = |time: std::time::Duration| format!("{:.6}", time.as_secs_f64());
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
