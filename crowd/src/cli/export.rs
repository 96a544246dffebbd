//! `crowd export`.

use std::path::PathBuf;

use kit::Exit;

use super::database::{self, DatabaseArgs};
use crate::service::{CaseFormat, write_cases};

/// Write the trusted test cases, with where they come from
///
/// These are the positions whose legal moves people agreed on, and the generators too.
///
/// Example: `crowd export --format epd -o crowd.epd`.
///
/// Exit codes: 0 written, 2 there is no such database, 4 there are none yet.
#[derive(Debug, clap::Args)]
pub(super) struct ExportArgs {
    /// How they are written
    #[arg(long, value_enum, default_value_t = CaseFormat::Epd)]
    format: CaseFormat,

    /// The file to write; standard output without it
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
