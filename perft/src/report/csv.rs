//! The CSV report: one row per count.

use anyhow::Context;

use super::CheckReport;
use crate::check::State;
use crate::event::UnitResult;

const HEAD: [&str; 9] = [
    "suite", "line", "id", "fen", "depth", "expected", "counted", "state", "seconds",
];

pub(super) fn write(report: &CheckReport<'_>) -> anyhow::Result<String> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(HEAD)?;
    for (suite, unit, state) in report.units() {
        let (word, counted) = match state {
            State::Open => ("open", String::new()),
            State::Done {
                result: UnitResult::Agrees,
                ..
            } => ("agrees", unit.expected.to_string()),
            State::Done {
                result: UnitResult::Uncountable(_),
                ..
            } => ("uncountable", String::new()),
            State::Done {
                result: UnitResult::Differs { counted, .. },
                ..
            } => ("differs", counted.to_string()),
        };
        let seconds = match state {
            State::Open => String::new(),
            State::Done { time, .. } => format!("{:.6}", time.as_secs_f64()),
        };
        table.write_record([
            suite,
            &unit.line.to_string(),
            unit.id.as_deref().unwrap_or_default(),
            &chess::notation::fen::write(&unit.position),
            &unit.depth.to_string(),
            &unit.expected.to_string(),
            &counted,
            word,
            &seconds,
        ])?;
    }
    let bytes = table
        .into_inner()
        .map_err(csv::IntoInnerError::into_error)?;
    String::from_utf8(bytes).context("the table is not UTF-8")
}
