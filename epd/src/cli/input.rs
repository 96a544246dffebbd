//! What commands read: files, built-in suites and standard input; and what `epd run` makes of them: a plan of
//! [`PuzzleArgs::plan`], [`engines`], a [`baseline`].

use std::fs::File;
use std::io::{self, BufRead, Cursor, Read, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::OnceLock;

use kit::compress::{self, Compression};
use kit::options::EngineArgs;
use kit::output::{counted, remark, to_stderr};
use kit::{BadInput, DraftFile, Exit, Interrupt, programs};
use uci::{Cancel, EngineSpec, Start};

use crate::files::filter::FilterRange;
use crate::report::scores::ScoreRequest;
use crate::run::baseline::Baseline;
use crate::run::driver::TestedEngine;
use crate::run::groups::GroupBy;
use crate::run::plan::{PositionLimits, RunPlan, SuiteCases};
use crate::run::puzzle::case::add_puzzles;
use crate::run::puzzle::read::{Selection, is_header, select};
use crate::run::rating::{LeastSquaresFit, Regression};
use crate::stream::blocks::Blocks;
use crate::suites;
use crate::text::{Diagnostic, RecordProblem, Severity, Suite};

/// A file's name for messages, and its bytes.
pub(super) struct InputFile {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

/// The name of standard input in messages.
pub(super) const STDIN: &str = "<stdin>";

/// The most that is read of a file as a whole, for an engine that is to run all of it: 4 GiB.
const WHOLE: usize = 4 << 30;

/// Reads one file by name, as [`StreamedFile::open`] opens it.
pub(super) fn read_one(path: &Path) -> anyhow::Result<InputFile> {
    let StreamedFile { name, text, .. } = StreamedFile::open(path)?;
    InputFile::read(name, text)
}

impl InputFile {
    /// Reads the whole of a text.
    pub(super) fn read(name: String, text: impl BufRead) -> anyhow::Result<Self> {
        let mut bytes = Vec::new();
        let mut blocks = Blocks::new(text);
        while let Some(block) = blocks.next().map_err(|error| cannot_read(&name, &error))? {
            bytes.extend(block.bytes);
            if bytes.len() > WHOLE {
                let message = format!("cannot read {name}: more than {} GiB", WHOLE >> 30);
                return Err(BadInput(message).into());
            }
        }
        Ok(Self { name, bytes })
    }
}

/// The text of a file that is read as a whole, decompressed.
#[expect(clippy::disallowed_methods, reason = "the edge reads files")]
pub(super) fn text(path: &Path) -> io::Result<String> {
    let text = compress::decode(File::open(path)?)?;
    kit::read::text_of(text, kit::read::DATA)
}

pub(super) fn cannot_read(name: &str, error: &io::Error) -> BadInput {
    BadInput(format!("cannot read {name}: {error}"))
}

/// A file that is read piece by piece, decompressed.
pub(super) struct StreamedFile {
    /// Its name for messages.
    pub(super) name: String,
    /// How it is stored.
    pub(super) compression: Compression,
    pub(super) text: Box<dyn BufRead>,
}

impl StreamedFile {
    /// Opens a file by name; `-` is standard input. A name without a file may be that of a built-in
    /// suite.
    #[expect(clippy::disallowed_methods, reason = "the edge reads files")]
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let (name, input): (String, Box<dyn Read>) = if path == Path::new("-") {
            (STDIN.to_owned(), Box::new(io::stdin().lock()))
        } else {
            let name = path.display().to_string();
            if suites::find(&name).is_none() {
                programs::refuse(path)?;
            }
            match (File::open(path), suites::find(&name)) {
                (Ok(file), _) => (name, Box::new(file)),
                (Err(error), Some(built_in)) if error.kind() == io::ErrorKind::NotFound => {
                    (name, Box::new(built_in.text.as_bytes()))
                }
                (Err(error), _) => {
                    let meant = kit::spelling::did_you_mean;
                    let message = suites::describe_missing(&name, &error, meant);
                    return Err(BadInput(message).into());
                }
            }
        };
        let decoded = compress::open(input).map_err(|error| cannot_read(&name, &error))?;
        let (compression, mut text) = (decoded.compression, decoded.text);
        let begin = text
            .fill_buf()
            .map_err(|error| cannot_read(&name, &error))?;
        // What comes through a pipe may be nothing; a file may have been cut off.
        if begin.is_empty() && path != Path::new("-") {
            return Err(BadInput(format!("{name} is empty: a file of 0 bytes")).into());
        }
        if [[0xff, 0xfe], [0xfe, 0xff]]
            .iter()
            .any(|mark| begin.starts_with(mark))
        {
            let message = format!(
                "{name} is in UTF-16, as PowerShell's > writes it, expected UTF-8: with Out-File -Encoding utf8"
            );
            return Err(BadInput(message).into());
        }
        Ok(Self {
            name,
            compression,
            text,
        })
    }
}

/// Ctrl-C, as an error that ends the work.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub(super) struct Interrupted;

/// Gives [`Interrupted`] its exit code.
pub(super) fn or_interrupted(ended: anyhow::Result<Exit>) -> anyhow::Result<Exit> {
    match ended {
        Err(error) if error.is::<Interrupted>() => Ok(Exit::Interrupted),
        ended => ended,
    }
}

/// Writes to a file, compressed as its name says, or to standard output if there is no path.
pub(super) fn write(path: Option<&Path>, text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let mut draft = DraftFile::new(path)?;
    draft.write_all(text.as_ref())?;
    draft.commit()
}

/// Prints what is unusual in the records of a file, and how it is read: the first warnings one by one.
pub(super) struct FileWarnings<'a> {
    name: &'a str,
    count: usize,
}

impl<'a> FileWarnings<'a> {
    /// Maximum number of warnings printed.
    const MOST: usize = 10;

    pub(super) fn new(name: &'a str) -> Self {
        Self { name, count: 0 }
    }

    /// A spelling with one meaning, as most suites have it, is no warning here.
    pub(super) fn add(&mut self, warning: &Diagnostic) {
        let is_spelling = matches!(
            warning.problem.kind(),
            "no-semicolon"
                | "no-blank"
                | "empty-operation"
                | "small-d"
                | "move-form"
                | "opcode-form"
                | "mate-among-moves"
        );
        if is_spelling {
            return;
        }
        self.count += 1;
        if self.count <= Self::MOST {
            to_stderr(&warning.display(self.name).to_string());
        }
    }

    pub(super) fn end(self) {
        if let more @ 1.. = self.count.saturating_sub(Self::MOST) {
            let (name, more) = (self.name, counted(more, "warning"));
            to_stderr(&format!("{name}: and {more} more; `epd lint` lists all"));
        }
    }
}

/// Reads a suite that is run, repaired, with warnings of the repairs.
pub(super) fn repaired(file: &InputFile) -> Suite {
    let suite = Suite::parse_repaired(&file.name, &file.bytes);
    let mut warnings = FileWarnings::new(&file.name);
    let diagnostics = suite.diagnostics.iter();
    diagnostics
        .filter(|one| matches!(one.problem, RecordProblem::Repaired { .. }))
        .filter(|one| one.severity() == Severity::Warning)
        .for_each(|one| warnings.add(one));
    warnings.end();
    suite
}

/// Reads the value of `--engine`, and adds the options for all engines.
pub(super) fn engine(
    text: &str,
    options: &[(String, Option<String>)],
) -> Result<EngineSpec, BadInput> {
    let spec = EngineSpec::from_argument(text);
    let mut spec = spec.map_err(|error| BadInput(format!("--engine: {error}")))?;
    // The engine's own options come last and win.
    let own = std::mem::take(&mut spec.options);
    spec.options = options.iter().cloned().chain(own).collect();
    Ok(spec)
}

/// The engines of the command line, ready to be started.
pub(super) fn engines(
    args: &EngineArgs,
    top: Option<u16>,
    interrupt: &Interrupt,
) -> Result<Vec<TestedEngine>, BadInput> {
    let is_multipv = |(name, _): &(String, _)| name.eq_ignore_ascii_case("MultiPV");
    let top = top.map(|top| ("MultiPV".to_owned(), Some(top.to_string())));
    let shared = top
        .clone()
        .into_iter()
        .chain(args.options.options.iter().cloned());
    let shared: Vec<_> = shared.collect();
    let tested = |text: &String| {
        let spec = engine(text, &shared)?;
        if top.is_some() && spec.options.iter().filter(|one| is_multipv(one)).count() > 1 {
            let message = "--top sets the option MultiPV: leave it out of the options";
            return Err(BadInput(message.to_owned()));
        }
        Ok(TestedEngine {
            name: spec.given_name.unwrap_or_else(|| text.clone()),
            start: Start {
                options: spec.options,
                cancel: Cancel::from(interrupt.shared()),
                ..Start::new(spec.command)
            },
            handshake: OnceLock::new(),
        })
    };
    args.engines.iter().map(tested).collect()
}

/// Reads the baseline of this file, with which the results of so many engines are compared.
pub(super) fn baseline(path: &Path, engines: usize) -> Result<Baseline, BadInput> {
    let name = path.display();
    let text = text(path).map_err(|error| {
        let how = match error.kind() {
            io::ErrorKind::NotFound => {
                "; the same command with --save in place of --baseline makes one"
            }
            _ => "",
        };
        BadInput(format!("cannot read {name}: {error}{how}"))
    })?;
    let baseline = Baseline::parse(&text)
        .map_err(|error| BadInput(format!("{name} is not a baseline: {error}")))?;
    let (then, now) = (baseline.engines.len(), engines);
    if then == 1 || then == now {
        return Ok(baseline);
    }
    let counts = format!("results of {then} engines for the {now} of the command line");
    Err(BadInput(format!(
        "{name} has {counts}, expected 1 or {now}"
    )))
}

/// Maximum length of the line that tells puzzles from records.
const HEADER: u64 = 4096;

/// Random seed of samples.
const SEED: u64 = 1;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Puzzles: CSV as Lichess publishes it")]
pub(super) struct PuzzleArgs {
    /// Only puzzles with a rating such as 1500..1999
    ///
    /// Only puzzles with a rating in this range. Example: `--puzzle-rating 1500..1999`
    #[arg(hide_short_help = true, long, value_name = "RANGE")]
    puzzle_rating: Option<FilterRange>,

    /// Only puzzles with one of these themes
    ///
    /// Separated by commas. Example: `--theme fork,pin`
    #[arg(
        hide_short_help = true,
        long,
        value_name = "THEME",
        value_delimiter = ','
    )]
    theme: Vec<String>,

    /// Only a random sample of N puzzles of each file
    ///
    /// Only a random sample of N of these puzzles of each file, the same on every machine. Example:
    /// `--sample 1000`
    #[arg(hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
}

impl PuzzleArgs {
    fn selection(&self) -> Selection {
        Selection {
            rating: self.puzzle_rating,
            themes: self.theme.clone(),
            sample: self.sample.map(|count| count as usize),
            seed: SEED,
        }
    }

    /// Whether only some puzzles are selected.
    pub(super) fn is_selective(&self) -> bool {
        self.puzzle_rating.is_some() || !self.theme.is_empty()
    }

    /// An error if puzzles are selected, and no file has any.
    fn reject_records(&self, plan: &RunPlan) -> Result<(), BadInput> {
        let selects = self.is_selective() || self.sample.is_some();
        let has_puzzles = plan.cases.iter().any(|case| case.puzzle.is_some());
        let has_records = plan.cases.iter().any(|case| case.puzzle.is_none());
        if selects && has_records && !has_puzzles {
            let message = "--puzzle-rating, --theme and --sample are for CSV files of puzzles, and \
                           none was given";
            return Err(BadInput(message.to_owned()));
        }
        Ok(())
    }

    /// Reads the files of a run, suites of records, then puzzles: what is to be searched. A sample of them
    /// is remarked upon.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or has no record, and when puzzles are selected from records.
    pub(super) fn plan(
        &self,
        names: &[PathBuf],
        limits: PositionLimits,
        is_quiet: bool,
    ) -> anyhow::Result<RunPlan> {
        let selection = self.selection();
        let (mut suites, mut puzzles) = (Vec::new(), Vec::new());
        for path in names {
            match open(path)? {
                PuzzleFile::Suite(file) => suites.push(repaired(&file)),
                PuzzleFile::Puzzles(name, reader) => {
                    let selected =
                        select(reader, &selection).map_err(|error| cannot_read(&name, &error))?;
                    puzzles.push((name, selected));
                }
            }
        }
        let mut plan = RunPlan::new(suites, limits);
        for (name, selected) in puzzles {
            add_puzzles(&mut plan, name, selected, limits);
        }
        // A selection may leave nothing of a file.
        if !self.is_selective() {
            reject_empty(&plan)?;
        }
        self.reject_records(&plan)?;
        if let Some(sample) = self.sample {
            remark(is_quiet, &format!("a random sample of {sample} puzzles"));
        }
        Ok(plan)
    }
}

/// A file by its first line.
enum PuzzleFile {
    Suite(InputFile),
    /// Its name, and all of it.
    Puzzles(String, Box<dyn BufRead>),
}

fn open(path: &Path) -> anyhow::Result<PuzzleFile> {
    let StreamedFile { name, mut text, .. } = StreamedFile::open(path)?;
    let mut first = Vec::new();
    let line = text.by_ref().take(HEADER).read_until(b'\n', &mut first);
    line.map_err(|error| cannot_read(&name, &error))?;
    let is_header = is_header(&first);
    let whole = Cursor::new(first).chain(text);
    if is_header {
        return Ok(PuzzleFile::Puzzles(name, Box::new(whole)));
    }
    InputFile::read(name, whole).map(PuzzleFile::Suite)
}

/// A file without a record, which may have been cut off, must not hide behind the others.
fn reject_empty(plan: &RunPlan) -> Result<(), BadInput> {
    let has_case = |index| plan.cases.iter().any(|case| case.suite == index);
    let is_empty = |(index, suite): &(usize, &SuiteCases)| {
        suite.without_goal == 0 && suite.faults().is_empty() && !has_case(*index)
    };
    match plan.suites.iter().enumerate().find(is_empty) {
        Some((_, suite)) => Err(BadInput(format!("{} has no record", suite.name))),
        None => Ok(()),
    }
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Scores")]
pub(super) struct ScoreArgs {
    /// Add a table of scores by group, such as id-prefix
    ///
    /// Add a table of scores by group: `id-prefix` (the `id` without its number), `tag`, an opcode
    /// such as `c0`, or `id:REGEX` (its first group). Example: `--by id-prefix`
    #[arg(hide_short_help = true, long, value_name = "WHAT")]
    by: Option<GroupBy>,

    /// Estimate a rating from the score
    ///
    /// `sts` (the line of STS-Rating), `SLOPE,INTERCEPT`, or a CSV file with the columns score
    /// (percent) and elo, to which a line is fitted. Example: `--rating engines.csv`
    #[arg(
        hide_short_help = true,
        long,
        value_name = "sts|LINE|FILE",
        allow_hyphen_values = true
    )]
    rating: Option<RatingSource>,
}

#[derive(Clone, Debug)]
enum RatingSource {
    Sts,
    Line([f64; 2]),
    File(String),
}

impl FromStr for RatingSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "sts" {
            return Ok(Self::Sts);
        }
        let number = |text: &str| {
            let number = text.trim().parse::<f64>().ok();
            number.filter(|number| number.is_finite())
        };
        let Some((slope, intercept)) = text.split_once(',') else {
            return Ok(Self::File(text.to_owned()));
        };
        match (number(slope), number(intercept)) {
            (Some(slope), Some(intercept)) => Ok(Self::Line([slope, intercept])),
            _ => Ok(Self::File(text.to_owned())),
        }
    }
}

impl ScoreArgs {
    /// The file that a line is fitted to.
    pub(super) fn rating_file(&self) -> Option<PathBuf> {
        match &self.rating {
            Some(RatingSource::File(file)) => Some(PathBuf::from(file)),
            _ => None,
        }
    }

    /// Reads the file of a regression, if there is one.
    pub(super) fn request(&self) -> Result<ScoreRequest, BadInput> {
        let rating = match &self.rating {
            None => None,
            Some(RatingSource::Sts) => Some(Regression::Sts),
            Some(RatingSource::Line(line)) => Some(Regression::Line(*line)),
            Some(RatingSource::File(file)) => Some(Regression::Fit(fit(file)?)),
        };
        Ok(ScoreRequest {
            by: self.by.clone(),
            rating,
        })
    }
}

fn fit(file: &str) -> Result<LeastSquaresFit, BadInput> {
    let text = text(Path::new(file)).map_err(|error| {
        BadInput(format!(
            "--rating: cannot read {file}: {error}; expected sts, SLOPE,INTERCEPT, or a CSV file"
        ))
    })?;
    LeastSquaresFit::read(file, &text).map_err(|error| BadInput(format!("{file}: {error}")))
}
