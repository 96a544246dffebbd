//! `crowd aggregate`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kit::output::counted;
use kit::{BadInput, Exit};

use super::input;
use crate::aggregate::{Aggregated, EmSettings, Method, aggregate};
use crate::labels::{read_gold, read_labels, write_probabilities};

/// Aggregate labels by several workers to one probability per task and label
///
/// Reads CSV with the columns `task`, `worker` and `label`, in any order and among others; the
/// first row is the header. A row that repeats an earlier one is ignored; a different label by the
/// same worker for the same task is an error. Writes CSV with the columns `task`, `label` and
/// `probability`.
///
/// Examples: `crowd aggregate labels.csv`, `crowd aggregate labels.csv --gold known.csv > out.csv`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 success, 2 bad input, 3 the result cannot be written, 4 the file has no label."
)]
pub(super) struct AggregateArgs {
    /// Labels in CSV; `-` is standard input
    file: PathBuf,

    /// Aggregation method
    #[arg(long, value_enum, default_value_t = Method::DawidSkene)]
    method: Method,

    /// CSV of task and label: known answers
    ///
    /// CSV with the columns `task` and `label`: tasks with known answers, which are taken as certain.
    #[arg(long, value_name = "GOLD.csv")]
    gold: Option<PathBuf>,
}

pub(super) fn run(args: &AggregateArgs, quiet: bool) -> anyhow::Result<Exit> {
    let stdin = Path::new("-");
    if args.file == stdin && args.gold.as_deref() == Some(stdin) {
        let message = "labels and known answers cannot both be standard input";
        return Err(BadInput(message.to_owned()).into());
    }
    let labels = read_labels(&input::read(&args.file)?).map_err(named(&args.file))?;
    let gold = match &args.gold {
        Some(path) => read_gold(&input::read(path)?).map_err(named(path))?,
        None => BTreeMap::new(),
    };
    if labels.given().is_empty() {
        input::say(&format!("{} has no label", input::name(&args.file)));
        return Ok(Exit::Nothing);
    }
    let aggregated = aggregate(labels, args.method, &gold, EmSettings::default())
        .map_err(|error| BadInput(format!("{}: {error}", input::name(&args.file))))?;
    let text = write_probabilities(&aggregated.labels, |task, label| {
        aggregated.probability.row(task)[label]
    });
    kit::output::to_stdout(text)?;
    if !quiet {
        // The summary goes to standard error, since the table may be piped.
        input::say(&summary(&aggregated, args.method, gold.len()));
    }
    Ok(Exit::Agreed)
}

fn named<E: std::fmt::Display>(path: &Path) -> impl Fn(E) -> BadInput {
    let name = input::name(path);
    move |error| BadInput(format!("{name}: {error}"))
}

/// One line: the size of the input, and how the fit ended.
fn summary(aggregated: &Aggregated, method: Method, gold: usize) -> String {
    let labels = &aggregated.labels;
    let mut parts = vec![
        counted(labels.given().len(), "given label"),
        counted(labels.tasks().len(), "task"),
        counted(labels.workers().len(), "worker"),
        counted(labels.names().len(), "different label"),
    ];
    if gold > 0 {
        let known = counted(gold, "known answer");
        parts.push(format!(
            "{known}, {} of them of these tasks",
            aggregated.gold
        ));
    }
    if method != Method::Majority {
        let end = if aggregated.converged {
            "converged"
        } else {
            "stopped at the cap"
        };
        parts.push(format!(
            "{end} after {}",
            counted(aggregated.iterations, "iteration")
        ));
    }
    parts.join(", ")
}
