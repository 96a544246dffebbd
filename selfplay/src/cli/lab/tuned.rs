//! What a tuning of a lab has come to.

use kit::Exit;
use kit::output::{self, remark};

use super::GamesTest;
use crate::cli::{TuneFormat, failed};
use crate::lab::spec::TestKind;
use crate::lab::summary::Outcome;
use crate::tune::Parameter;

/// Prints the values that a tuning has reached.
pub(in crate::cli) fn print_tuned(
    test: &GamesTest,
    format: TuneFormat,
    is_quiet: bool,
) -> anyhow::Result<Exit> {
    let summary = &test.summary;
    let parameters = match test.spec.as_ref().map(|spec| &spec.kind) {
        Some(TestKind::Tune { tune }) => tune.parsed().map_err(|error| failed(false, error))?,
        _ => Vec::new(),
    };
    let tuned = summary.tune.clone().unwrap_or_default().parameters;
    let values: Vec<(&Parameter, f64)> = (parameters.iter())
        .zip(tuned.iter().map(|one| one.value))
        .collect();
    let options = values.iter().map(|(parameter, value)| {
        let (name, value) = (&parameter.name, parameter.nearest(*value));
        format!("setoption name {name} value {value}\n")
    });
    let options: String = options.collect();
    output::to_stdout(match format {
        TuneFormat::Json => serde_json::to_string_pretty(summary)? + "\n",
        TuneFormat::Uci => options,
        TuneFormat::List => {
            let lines = values.iter();
            lines
                .map(|(parameter, value)| parameter.to_line(*value) + "\n")
                .collect()
        }
        _ => format!("{}\n\n{options}", summary.headline),
    })?;
    for warning in &summary.warnings {
        remark(is_quiet, &format!("note: {warning}"));
    }
    if summary.outcome == Some(Outcome::Complete) {
        return Ok(Exit::Agreed);
    }
    let reason = test.reason.as_deref().unwrap_or(&summary.headline);
    Err(failed(
        false,
        format!("the test is {}: {reason}", test.state),
    ))
}
