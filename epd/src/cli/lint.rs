//! `epd lint` and `epd normalise`.

use std::path::PathBuf;

use clap::Args;
use kit::{BadInput, Exit, output};

use super::input::{self, Input, write};
use crate::report::lint::{self as reports, LintFormat, Listing};
use crate::text::{Finding, Lint, Normalised, Severity, lint, normalise};

/// List every problem in EPD files: place, severity, and the standard form
///
/// Errors make a line unreadable or ambiguous. Warnings are accepted by some programs and not by
/// others, or may be mistakes. Notes are harmless departures from the standard form. With --quiet,
/// only the totals are printed.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 neither errors nor warnings, 1 some, 2 a file cannot be \
                        read, 4 no record."
)]
pub(super) struct LintArgs {
    /// Files, or names of built-in suites; standard input if none is given, or for `-`
    ///
    /// Example: `epd lint suite.epd`
    files: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value = "human")]
    format: LintFormat,
    /// Treat notes as faults: exit code 1 for them too. List every note, not the first of each kind
    #[arg(long)]
    strict: bool,
    /// Maximum number of problems to list; JSON and CSV always list all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_diagnostics: Option<u32>,
}

pub(super) fn lint_files(args: &LintArgs, is_quiet: bool) -> anyhow::Result<Exit> {
    let most = match (is_quiet, args.max_diagnostics) {
        (true, Some(_)) => {
            let message = "--quiet prints the totals only, and --max-diagnostics lists problems";
            return Err(BadInput(message.to_owned()).into());
        }
        (true, None) => 0,
        (false, most) => most.map_or(usize::MAX, |most| most as usize),
    };
    let inputs = input::read(&args.files)?;
    let lints = inputs.iter().map(|input| lint(&input.name, &input.bytes));
    let lints: Vec<Lint> = lints.collect();
    let listing = Listing {
        all_notes: args.strict,
        most,
    };
    output::to_stdout(reports::write(&lints, args.format, listing)?)?;
    let least = if args.strict {
        Severity::Note
    } else {
        Severity::Warning
    };
    Ok(if lints.iter().any(|lint| lint.has(least)) {
        Exit::Differs
    } else if lints.iter().all(|lint| lint.tally.records() == 0) {
        Exit::Nothing
    } else {
        Exit::Agreed
    })
}

/// Write EPD files in the standard form, and report repairs on standard error
///
/// Moves become SAN, opcodes are in ASCII order, words are separated by one blank; comments, empty
/// lines and the order of records are kept. Ambiguous text is never repaired: it is kept as it is
/// and reported. With --quiet, only that is reported.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 everything is in standard form now, 1 something is in \
                        doubt and was kept, 2 a file cannot be read, 4 no record."
)]
pub(super) struct NormaliseArgs {
    /// Files, or names of built-in suites; standard input if none is given, or for `-`
    ///
    /// Example: `epd normalise dirty.epd -o clean.epd`
    files: Vec<PathBuf>,
    /// Write to this file, replacing it whole, instead of standard output
    #[arg(short, long, value_name = "FILE", conflicts_with = "in_place")]
    output: Option<PathBuf>,
    /// Replace each file by its standard form
    #[arg(short, long, requires = "files")]
    in_place: bool,
    /// Write the list of repairs to this file instead of standard error
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

pub(super) fn normalise_files(args: &NormaliseArgs, is_quiet: bool) -> anyhow::Result<Exit> {
    if args.in_place
        && let Some(path) = args.files.iter().find(|path| !path.is_file())
    {
        let message = format!("{} is not a file that can be replaced", path.display());
        return Err(BadInput(message).into());
    }
    // A file may be replaced by its own standard form, but not by the list of its repairs.
    output::refuse_to_replace(&[args.report.as_deref()], &args.files)?;
    let outputs = [args.output.as_deref(), args.report.as_deref()];
    output::refuse_to_replace(&outputs, &[])?;
    output::check_writable(&outputs)?;
    let inputs = input::read(&args.files)?;
    let files = inputs
        .iter()
        .map(|input| normalise(&input.name, &input.bytes));
    let files: Vec<Normalised> = files.collect();
    let tally = reports::total(files.iter().map(|file| file.tally));
    let findings = files.iter().flat_map(|file| {
        let wanted = file
            .findings
            .iter()
            .filter(|one| !is_quiet || one.is_left());
        wanted.map(|finding| finding.display(&file.name).to_string())
    });
    let lines: Vec<String> = findings.chain([reports::states(tally)]).collect();
    let list = lines.join("\n");
    match &args.report {
        Some(path) => output::to_file(path, list + "\n")?,
        None => input::report(&list),
    }
    let is_left = |file: &Normalised| file.findings.iter().any(Finding::is_left);
    let exit = if files.iter().any(is_left) {
        Exit::Differs
    } else if tally.records() == 0 {
        return Ok(Exit::Nothing);
    } else {
        Exit::Agreed
    };
    write_files(args, &files, &inputs)?;
    Ok(exit)
}

fn write_files(args: &NormaliseArgs, files: &[Normalised], inputs: &[Input]) -> anyhow::Result<()> {
    if !args.in_place {
        let text: Vec<u8> = files.iter().flat_map(|file| file.text.clone()).collect();
        return write(args.output.as_deref(), &text);
    }
    for ((path, file), input) in args.files.iter().zip(files).zip(inputs) {
        if file.text != input.bytes {
            output::to_file(path, &file.text)?;
        }
    }
    Ok(())
}
