//! The CSV report: one row per engine and position.

use anyhow::Context;
use chess::notation::fen;

use super::TrialReport;
use crate::trial::ledger::{Outcome, State};

const HEAD: [&str; 11] = [
    "engine", "suite", "line", "id", "fen", "state", "depth", "right", "counted", "fault",
    "seconds",
];

pub(super) fn write(report: &TrialReport<'_>) -> anyhow::Result<String> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(HEAD)?;
    for trial in report.trials {
        for (index, (case, state)) in report.cases.iter().zip(trial.states()).enumerate() {
            let (right, counted) = counts(state);
            let seconds = match state {
                State::Open => String::new(),
                State::Done { time, .. } => format!("{:.6}", time.as_secs_f64()),
            };
            let depth = trial.failing_depth(index);
            table.write_record([
                trial.command.as_str(),
                report.suite_name(case),
                &case.line.to_string(),
                case.id.as_deref().unwrap_or_default(),
                &fen::write(case.route.position()),
                state.as_str(),
                &depth.map_or_else(String::new, |depth| depth.to_string()),
                &right,
                &counted,
                trial
                    .finding(index)
                    .map_or("", |finding| finding.fault.kind()),
                &seconds,
            ])?;
        }
    }
    let bytes = table
        .into_inner()
        .map_err(csv::IntoInnerError::into_error)?;
    String::from_utf8(bytes).context("the table is not UTF-8")
}

fn counts(state: &State) -> (String, String) {
    match state {
        State::Done {
            outcome: Outcome::Wrong { counts, .. },
            ..
        } => {
            let theirs = counts
                .theirs
                .map_or_else(String::new, |count| count.to_string());
            (counts.ours.to_string(), theirs)
        }
        _ => (String::new(), String::new()),
    }
}
