//! `epd suites`.

use kit::{BadInput, Exit, output, table};

use crate::run::plan::{PositionLimits, RunPlan};
use crate::suites::{self, BuiltIn};
use crate::text::SuiteEntry;

/// List the built-in suites, or print one
///
/// Other commands take their names instead of files.
///
/// Examples: `epd suites`, `epd suites mate-in-3`, `epd suites tactics > tactics.epd`.
#[derive(Debug, clap::Args)]
pub(super) struct SuitesArgs {
    /// Print this suite as EPD
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

pub(super) fn run(args: &SuitesArgs) -> anyhow::Result<Exit> {
    let Some(name) = &args.name else {
        let rows = suites::all().map(row);
        let head = ["suite", "records", "asks for", "contents"];
        let table = table::text(&head, 1..2, rows);
        let sources = "`epd suites NAME` prints a suite; its head names the sources.\n";
        output::to_stdout(table + sources)?;
        return Ok(Exit::Agreed);
    };
    let Some(suite) = suites::find(name) else {
        let names = suites::names();
        let list = names.join(", ");
        let meant = kit::spelling::did_you_mean(name, names);
        let message =
            format!("no built-in suite is called '{name}', expected one of {list}{meant}");
        return Err(BadInput(message).into());
    };
    output::to_stdout(suite.text)?;
    Ok(Exit::Agreed)
}

fn row(built_in: BuiltIn) -> Vec<String> {
    let suite = built_in.parse();
    let counts = |entry: &SuiteEntry| entry.record.perft_counts().len();
    let counts: usize = suite.entries.iter().map(counts).sum();
    let records = suite.entries.len();
    let asks = if counts > 0 {
        let counts = output::grouped(counts as u64);
        format!("{counts} perft counts")
    } else {
        let plan = RunPlan::new(vec![suite], PositionLimits::default());
        let mates = plan.cases.iter().filter(|case| case.goal.mate.is_some());
        match mates.count() {
            0 => "best moves".to_owned(),
            _ => "best moves and mates".to_owned(),
        }
    };
    vec![
        built_in.name.to_owned(),
        records.to_string(),
        asks,
        built_in.summary(),
    ]
}
