//! `epd lint` and `epd normalise`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use kit::options::OutputArgs;
use kit::output::to_stderr;
use kit::report::CaseFormats;
use kit::{BadInput, DraftFile, Exit, FinishedDraft, Interrupt, output};

use super::input::StreamedFile;
use super::records::{Workers, or_stdin};
use crate::files::lint::{CheckedBlock, DuplicateFinder, Purpose, check_block};
use crate::report::lint::{LintFindings, states};
use crate::stream::blocks::Block;
use crate::text::{FileKind, LintTally, OncePerFile, Severity, recognise};

/// How the lines of a file are to be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum As {
    /// Records: the clocks of a FEN become operations
    Epd,
    /// A book of FENs, which stay as they are
    Fen,
}

#[derive(Clone, Copy, Debug, Args)]
struct KindArgs {
    /// How to read the lines [default: found out]
    ///
    /// Example: `epd normalise --as epd book.epd`
    #[arg(long = "as", value_enum, value_name = "KIND")]
    kind: Option<As>,
}

impl KindArgs {
    fn or_recognised(self, begin: &[u8]) -> FileKind {
        match self.kind {
            Some(As::Epd) => FileKind::Epd,
            Some(As::Fen) => FileKind::Book,
            None => recognise(begin),
        }
    }
}

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
    /// Treat notes as faults, and list every one
    ///
    /// Treat notes as faults: exit code 1 for them too. List every note, not the first of each kind.
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    output: OutputArgs<CaseFormats>,
}

pub(super) fn lint_files(
    args: &LintArgs,
    interrupt: &Interrupt,
    is_quiet: bool,
) -> anyhow::Result<Exit> {
    let paths = or_stdin(&args.files)?;
    args.output.check(&[], &paths)?;
    let mut findings = LintFindings::new();
    let workers = Workers::all(interrupt);
    for path in paths {
        lint_file(StreamedFile::open(&path)?, &workers, &mut findings)?;
    }
    let least = if args.strict {
        Severity::Note
    } else {
        Severity::Warning
    };
    let report = findings.finish(least, is_quiet)?;
    let exit = args.output.report(&report)?;
    report.fault()?;
    Ok(exit)
}

/// Adds the problems of a file.
fn lint_file(
    source: StreamedFile,
    workers: &Workers<'_>,
    findings: &mut LintFindings,
) -> anyhow::Result<()> {
    let name = source.name.clone();
    let (mut tally, mut fens) = (LintTally::default(), 0);
    let mut once = OncePerFile::default();
    let mut duplicates = DuplicateFinder::new();
    let take = |_: &FileKind, mut block: CheckedBlock| -> anyhow::Result<()> {
        tally.add_all(block.tally);
        fens += block.fens;
        once.retain_new(&mut block.findings);
        for finding in &block.findings {
            findings.add(finding)?;
        }
        for record in &block.records {
            duplicates.add(record)?;
        }
        Ok(())
    };
    let check = |kind: &FileKind, block: &_| check_block(block, *kind, Purpose::Lint);
    let kind = workers.each_block(source, recognise, check, take)?;
    for finding in duplicates.finish()? {
        findings.add_duplicate(&finding?)?;
    }
    findings.end_file(&name, tally, (kind == FileKind::Book).then_some(fens));
    Ok(())
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
    /// Write to a file, replacing it whole
    ///
    /// Write to this file, replacing it whole, instead of standard output.
    #[arg(short, long, value_name = "FILE", conflicts_with = "in_place")]
    output: Option<PathBuf>,
    /// Replace each file by its standard form
    #[arg(short, long, requires = "files")]
    in_place: bool,
    #[command(flatten)]
    kind: KindArgs,
}

pub(super) fn normalise_files(
    args: &NormaliseArgs,
    interrupt: &Interrupt,
    is_quiet: bool,
) -> anyhow::Result<Exit> {
    if args.in_place
        && let Some(path) = args.files.iter().find(|path| !path.is_file())
    {
        let message = format!("{} is not a file that can be replaced", path.display());
        return Err(BadInput(message).into());
    }
    output::check_writable(&[args.output.as_deref()])?;
    let paths = or_stdin(&args.files)?;
    let (mut tally, mut is_left) = (LintTally::default(), false);
    let mut normaliser = Normaliser {
        kind: args.kind,
        workers: Workers::all(interrupt),
        is_quiet,
        tally: &mut tally,
        is_left: &mut is_left,
    };
    let mut finished: Vec<FinishedDraft> = Vec::new();
    if args.in_place {
        for path in &paths {
            let source = StreamedFile::open(path)?;
            let mut draft = DraftFile::with_compression(Some(path), source.compression)?;
            if normaliser.normalise(source, &mut draft)? {
                finished.push(draft.finish()?);
            }
        }
    } else {
        let mut draft = DraftFile::new(args.output.as_deref())?;
        for path in &paths {
            normaliser.normalise(StreamedFile::open(path)?, &mut draft)?;
        }
        finished.push(draft.finish()?);
    }
    to_stderr(&states(tally));
    if tally.records() == 0 && !is_left {
        return Ok(Exit::Nothing);
    }
    for draft in finished {
        draft.commit()?;
    }
    Ok(if is_left { Exit::Differs } else { Exit::Agreed })
}

/// Writes files in the standard form, and counts what is found in all of them.
struct Normaliser<'a> {
    kind: KindArgs,
    workers: Workers<'a>,
    is_quiet: bool,
    tally: &'a mut LintTally,
    is_left: &'a mut bool,
}

impl Normaliser<'_> {
    /// Writes one file; returns whether its text changes.
    fn normalise(&mut self, source: StreamedFile, out: &mut DraftFile) -> anyhow::Result<bool> {
        let name = source.name.clone();
        let kind = self.kind;
        let mut once = OncePerFile::default();
        let mut is_changed = false;
        let check = |kind: &FileKind, block: &Block| {
            let checked = check_block(block, *kind, Purpose::Normalise);
            let is_changed = checked.text != block.bytes;
            (checked, is_changed)
        };
        let take =
            |_: &FileKind, (mut block, changes): (CheckedBlock, bool)| -> anyhow::Result<()> {
                self.tally.add_all(block.tally);
                is_changed |= changes;
                once.retain_new(&mut block.findings);
                for finding in &block.findings {
                    *self.is_left |= finding.is_left();
                    if !self.is_quiet || finding.is_left() {
                        to_stderr(&finding.display(&name).to_string());
                    }
                }
                Ok(out.write_all(&block.text)?)
            };
        self.workers
            .each_block(source, |begin| kind.or_recognised(begin), check, take)?;
        Ok(is_changed)
    }
}
