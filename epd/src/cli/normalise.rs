//! `epd normalise`.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Args;
use kit::{BadInput, Exit, output};

use super::input;
use crate::finding::Finding;
use crate::lint::report::{states, total};
use crate::lint::{Normalised, normalise};

/// Write EPD files in the standard form, and report repairs on standard error
///
/// Moves become SAN, opcodes are in ASCII order, words are separated by one blank; comments, empty
/// lines and the order of records are kept. Ambiguous text is never repaired: it is kept as it is
/// and reported.
///
/// Exit codes: 0 everything is in standard form now, 1 something is in doubt and was kept, 2 a file
/// cannot be read, 4 no record.
#[derive(Debug, Args)]
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
    /// Report only what was left in doubt
    #[arg(short, long)]
    quiet: bool,
}

pub(super) fn run(args: &NormaliseArgs) -> anyhow::Result<Exit> {
    if args.in_place {
        refuse_what_is_no_file(&args.files)?;
    }
    // A file may be replaced by its own standard form, but not by the list of its repairs.
    output::refuse_to_replace(&[args.report.as_deref()], &args.files)?;
    let outputs = [args.output.as_deref(), args.report.as_deref()];
    output::refuse_to_replace(&outputs, &[])?;
    output::check_writable(&outputs)?;
    let inputs = input::read(&args.files)?;
    let files: Vec<Normalised> = inputs
        .iter()
        .map(|input| normalise(&input.name, &input.bytes))
        .collect();
    let text = list(&files, args.quiet);
    match &args.report {
        Some(path) => output::to_file(path, &text)?,
        // Standard error may be closed; the exit code carries the main result.
        None => drop(io::stderr().write_all(text.as_bytes())),
    }
    let exit = exit(&files);
    if exit != Exit::Nothing {
        write(args, &files, &inputs)?;
    }
    Ok(exit)
}

/// Only regular files can be replaced in place.
fn refuse_what_is_no_file(files: &[PathBuf]) -> anyhow::Result<()> {
    match files.iter().find(|path| !path.is_file()) {
        None => Ok(()),
        Some(path) => {
            let name = path.display();
            Err(BadInput(format!("{name} is no file that can be replaced")).into())
        }
    }
}

fn write(
    args: &NormaliseArgs,
    files: &[Normalised],
    inputs: &[input::Input],
) -> anyhow::Result<()> {
    if args.in_place {
        for ((path, file), input) in args.files.iter().zip(files).zip(inputs) {
            if file.text != input.bytes {
                output::to_file(path, &file.text)?;
            }
        }
        return Ok(());
    }
    let text: Vec<u8> = files.iter().flat_map(|file| file.text.clone()).collect();
    match &args.output {
        Some(path) => output::to_file(path, &text),
        None => output::to_stdout(&text),
    }
}

/// Lists every repair and every doubt, and the totals.
fn list(files: &[Normalised], quiet: bool) -> String {
    let mut text = String::new();
    for file in files {
        let is_wanted = |finding: &&Finding| !quiet || finding.is_left();
        for finding in file.findings.iter().filter(is_wanted) {
            writeln!(text, "{}", finding.display(&file.name)).expect("a string can be written to");
        }
    }
    let tally = total(files.iter().map(|file| file.tally));
    writeln!(text, "{}", states(tally)).expect("a string can be written to");
    text
}

fn exit(files: &[Normalised]) -> Exit {
    let tally = total(files.iter().map(|file| file.tally));
    let is_left = |file: &Normalised| file.findings.iter().any(Finding::is_left);
    if files.iter().any(is_left) {
        Exit::Differs
    } else if tally.records() == 0 {
        Exit::Nothing
    } else {
        Exit::Agreed
    }
}
