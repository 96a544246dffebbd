//! `crowd export`.

use std::path::PathBuf;

use kit::Exit;

use super::database::{self, DatabaseArgs};
use crate::service::{CaseFormat, write_cases};

/// Export the trusted test cases, with their provenance
///
/// These are the positions on whose legal moves the crowd and the generators agree.
///
/// Example: `crowd export --format epd -o crowd.epd`.
///
/// Exit codes: 0 written, 2 there is no such database, 4 no test case yet.
#[derive(Debug, clap::Args)]
pub(super) struct ExportArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t = CaseFormat::Epd)]
    format: CaseFormat,

    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    database: DatabaseArgs,
}

pub(super) fn run(args: &ExportArgs) -> anyhow::Result<Exit> {
    let cases = database::run(async {
        let service = args.database.open_existing().await?;
        let cases = service.test_cases().await?;
        service.store().clone().close().await?;
        Ok(cases)
    })?;
    let text = write_cases(&cases, args.format);
    match &args.output {
        Some(path) => kit::output::to_file(path, text)?,
        None => kit::output::to_stdout(text)?,
    }
    Ok(if cases.is_empty() {
        Exit::Nothing
    } else {
        Exit::Agreed
    })
}
