//! `epd lint`.

use std::path::PathBuf;

use clap::Args;
use kit::{Exit, output};

use super::input;
use crate::lint::report::{self, Format, Listing};
use crate::lint::{Lint, lint};
use crate::severity::Severity;

/// List every problem in EPD files: place, severity, and the standard form
///
/// Errors make a line unreadable or ambiguous. Warnings are accepted by some programs and not by
/// others, or may be mistakes. Notes are harmless departures from the standard form.
///
/// Exit codes: 0 neither errors nor warnings, 1 some, 2 a file cannot be read, 4 no record.
#[derive(Debug, Args)]
pub(super) struct LintArgs {
    /// Files, or names of built-in suites; standard input if none is given, or for `-`
    ///
    /// Example: `epd lint suite.epd`
    files: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// Treat notes as faults: exit code 1 for them too. List every note, not the first of each kind
    #[arg(long)]
    strict: bool,
    /// Print the totals only
    #[arg(short, long, conflicts_with = "max_diagnostics")]
    quiet: bool,
    /// Maximum number of problems to list; JSON and CSV always list all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_diagnostics: Option<u32>,
}

impl LintArgs {
    fn listing(&self) -> Listing {
        let most = self.max_diagnostics.map(|most| most as usize);
        Listing {
            all_notes: self.strict,
            most: if self.quiet {
                0
            } else {
                most.unwrap_or(usize::MAX)
            },
        }
    }
}

pub(super) fn run(args: &LintArgs) -> anyhow::Result<Exit> {
    let inputs = input::read(&args.files)?;
    let lints: Vec<Lint> = inputs
        .iter()
        .map(|input| lint(&input.name, &input.bytes))
        .collect();
    output::to_stdout(report::write(&lints, args.format, args.listing())?)?;
    Ok(exit(&lints, args.strict))
}

fn exit(lints: &[Lint], strict: bool) -> Exit {
    let least = if strict {
        Severity::Note
    } else {
        Severity::Warning
    };
    if lints.iter().any(|lint| lint.has(least)) {
        Exit::Differs
    } else if lints.iter().all(|lint| lint.tally.records() == 0) {
        Exit::Nothing
    } else {
        Exit::Agreed
    }
}
