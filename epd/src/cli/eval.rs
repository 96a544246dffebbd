//! `epd eval`.

use std::path::PathBuf;
use std::time::Duration;

use chess::notation::fen;
use chess::rules::Position;
use clap::Subcommand;
use kit::values::{name_and_value, time};
use kit::{BadInput, Exit, Interrupt, Progress, output};
use regex::Regex;
use uci::{Cancel, CommandLine, SplitCommandError};

use super::documents::{Documents, InputArgs, say, write};
use super::input::{self, Input};
use crate::eval::ask::{Failure, Start, Way, detect};
use crate::eval::check::{Check, Rules, plan};
use crate::eval::diff::diff;
use crate::eval::pattern::{Pattern, Unit, View};
use crate::eval::report::{CheckFormat, CheckReport, DiffFormat, Origin, write_diff};
use crate::eval::run::{Answer, evaluate_all};
use crate::eval::table::{self, FAILED, Row, Table};

/// Static evaluations: dump them, compare two versions, check their symmetries
#[derive(Debug, clap::Args)]
pub(super) struct EvalArgs {
    #[command(subcommand)]
    command: EvalCommand,
}

#[derive(Debug, Subcommand)]
enum EvalCommand {
    Dump(Box<DumpArgs>),
    Diff(DiffArgs),
    Check(Box<CheckArgs>),
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Engine")]
struct EngineArgs {
    /// Engine command line, split into words as in a shell
    #[arg(long, value_name = "COMMAND")]
    engine: String,

    /// How to query the engine [default: the command `eval` if it answers as Stockfish does, else a
    /// search of one ply]
    #[arg(long, value_enum, conflicts_with = "command")]
    way: Option<WayArg>,

    /// Query with this command, whose answer is parsed with --pattern
    #[arg(long, value_name = "TEXT", requires = "pattern")]
    command: Option<String>,

    /// Regular expression with one group, the number; the last matching line counts. Example:
    /// `--command eval --pattern 'Eval: ([-+0-9.]+)'`
    #[arg(long, value_name = "REGEX", requires = "command")]
    pattern: Option<Regex>,

    /// Unit of the number matched by --pattern
    #[arg(long, value_enum, default_value = "cp", requires = "pattern")]
    unit: Unit,

    /// Point of view of the number matched by --pattern
    #[arg(long, value_enum, default_value = "white", requires = "pattern")]
    view: View,

    /// Set a UCI option; may be given several times. Example: `--option 'Use NNUE=false'`
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    option: Vec<(String, String)>,

    /// Number of engine processes [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Time limit per position, such as 10s or 500ms
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time)]
    timeout: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum WayArg {
    /// The command `eval`, answered as Stockfish does
    Eval,
    /// A search of one ply
    Search,
}

/// Splits a command line into words; the path of an existing file may contain blanks unquoted.
pub(super) fn command_line(text: &str) -> Result<CommandLine, BadInput> {
    if std::path::Path::new(text).is_file() {
        return Ok(CommandLine::new(text));
    }
    let fail = |error: SplitCommandError| BadInput(format!("--engine: {error}"));
    text.parse().map_err(fail)
}

impl EngineArgs {
    fn start(&self, interrupt: &Interrupt) -> Result<Start, BadInput> {
        Ok(Start {
            command: command_line(&self.engine)?,
            options: self.option.clone(),
            timeout: self.timeout,
            cancel: Cancel::from(interrupt.shared()),
        })
    }

    fn way(&self, start: &Start) -> anyhow::Result<Way> {
        if let (Some(command), Some(regex)) = (&self.command, &self.pattern) {
            let pattern = Pattern::new(regex.clone(), self.unit, self.view).map_err(BadInput)?;
            let command = command.clone();
            return Ok(Way::Command { command, pattern });
        }
        match self.way {
            Some(WayArg::Eval) => Ok(Way::eval()),
            Some(WayArg::Search) => Ok(Way::Search),
            None => detect(start).map_err(|Failure { reason, transcript }| {
                anyhow::anyhow!("{}: {reason}\n{transcript}", self.engine)
            }),
        }
    }

    fn jobs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(cores, usize::from)
    }
}

pub(super) fn run(args: &EvalArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let exit = match &args.command {
        EvalCommand::Dump(args) => dump(args, interrupt),
        EvalCommand::Diff(args) => compare(args),
        EvalCommand::Check(args) => check(args, interrupt),
    };
    if interrupt.has_come() {
        return Ok(Exit::Interrupted);
    }
    exit
}

/// The positions of the suites, and their origins.
fn positions(input: &InputArgs) -> anyhow::Result<(Vec<Position>, Vec<Origin>)> {
    let Documents { names, documents } = input.read()?;
    let items = documents.iter().flat_map(|document| &document.items);
    let origin = |item: &crate::files::Item| {
        let position = *item.record.position();
        let origin = Origin {
            file: names[item.file].clone(),
            line: item.line,
            id: item.record.id().map(str::to_owned),
            fen: fen::write(&position),
        };
        (position, origin)
    };
    Ok(items.map(origin).unzip())
}

/// Write the evaluation of every position as CSV
///
/// Columns: file, line, id, fen, score in centipawns (White's view; empty for mates and where the
/// engine has none), way (the command, `depth 1`, or `failed`), raw (the engine's output, or the
/// error).
///
/// Examples: `epd eval dump --engine stockfish wac.epd -o old.csv`,
/// `epd eval dump --engine ./my-engine --command eval --pattern 'Eval: (\S+)' --view side sts.epd`.
///
/// Exit codes: 0 all were evaluated, 2 bad input, 3 some were not, 4 no position.
#[derive(Debug, clap::Args)]
struct DumpArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    engine: EngineArgs,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn dump(args: &DumpArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    output::refuse_to_replace(&[args.output.as_deref()], &args.input.files)?;
    output::check_writable(&[args.output.as_deref()])?;
    let (positions, origins) = positions(&args.input)?;
    if positions.is_empty() {
        say("error: there are no records");
        return Ok(Exit::Nothing);
    }
    let start = args.engine.start(interrupt)?;
    let way = args.engine.way(&start)?;
    let progress = Progress::new(positions.len() as u64, "positions", true);
    let answers = evaluate_all(&start, &way, &positions, args.engine.jobs(), &progress);
    progress.finish();
    if interrupt.has_come() {
        return Ok(Exit::Interrupted);
    }
    let rows: Vec<Row> = origins
        .into_iter()
        .zip(&answers)
        .filter_map(|(origin, answer)| row(origin, answer, &way))
        .collect();
    write(args.output.as_deref(), &table::write(&rows)?)?;
    let failed = rows.iter().filter(|row| row.way == FAILED).count();
    say(&format!(
        "{} positions by {way}; {failed} failed",
        rows.len()
    ));
    Ok(if failed == 0 {
        Exit::Agreed
    } else {
        Exit::Failed
    })
}

fn row(origin: Origin, answer: &Answer, way: &Way) -> Option<Row> {
    let (score_cp, way, raw) = match answer.as_ref()? {
        Ok(evaluation) => (
            evaluation.score.cp(),
            way.to_string(),
            evaluation.raw.clone(),
        ),
        Err(failure) => {
            say(&format!(
                "{}:{}: {}",
                origin.file, origin.line, failure.reason
            ));
            (None, FAILED.to_owned(), failure.reason.clone())
        }
    };
    Some(Row {
        file: origin.file,
        line: origin.line,
        id: origin.id.unwrap_or_default(),
        fen: origin.fen,
        score_cp,
        way,
        raw,
    })
}

/// Compare two files written by `epd eval dump`
///
/// Positions are matched by their FEN, in any order.
///
/// Examples: `epd eval diff old.csv new.csv`, `epd eval diff old.csv new.csv --threshold 20`.
///
/// Exit codes: 0 none differs by more than the threshold, 1 some do, or a score became a mate or
/// none, 2 bad input, 4 the files have no position in common.
#[derive(Debug, clap::Args)]
struct DiffArgs {
    /// Old evaluations
    a: PathBuf,

    /// New evaluations
    b: PathBuf,

    /// Ignore differences up to this many centipawns
    #[arg(long, value_name = "CP", default_value_t = 0)]
    threshold: u32,

    /// Output format
    #[arg(long, value_enum, default_value = "human")]
    format: DiffFormat,
}

fn compare(args: &DiffArgs) -> anyhow::Result<Exit> {
    let read = |path: &PathBuf| -> anyhow::Result<Table> {
        let Input { name, bytes } = input::read_one(path)?;
        let fail = |error| BadInput(format!("{name}: {error}"));
        Ok(Table::read(&bytes).map_err(fail)?)
    };
    let diff = diff(&read(&args.a)?, &read(&args.b)?, args.threshold);
    output::to_stdout(&write_diff(&diff, args.format)?)?;
    Ok(if diff.compared == 0 {
        Exit::Nothing
    } else if diff.is_news() {
        Exit::Differs
    } else {
        Exit::Agreed
    })
}

/// Check invariants of the evaluation, without a reference to compare with
///
/// colours: with colours exchanged and the board flipped, the evaluation changes its sign; sides:
/// with the board mirrored left to right (if neither side may castle), it is unchanged; bounds: it
/// is at most --bound, and no mate if the evaluation is static; determinism: a fresh process,
/// queried in reverse order, gives the same.
///
/// A network trained on games is not left-right symmetric: leave sides out for such engines.
///
/// Examples: `epd eval check --engine ./my-engine wac.epd`,
/// `epd eval check --engine stockfish wac.epd --check colours --check determinism`.
///
/// Exit codes: 0 no violation, 1 some, 2 bad input, 3 some queries failed, 4 no check was made.
#[derive(Debug, clap::Args)]
struct CheckArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    engine: EngineArgs,

    /// Run only this check; may be given several times
    #[arg(long, value_enum)]
    check: Vec<Check>,

    /// Tolerated difference between evaluations that should be equal, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 0)]
    tolerance: u32,

    /// Largest evaluation allowed, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 10_000)]
    bound: u32,

    /// Output format
    #[arg(long, value_enum, default_value = "human")]
    format: CheckFormat,

    /// Write the report to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl CheckArgs {
    fn rules(&self) -> Rules {
        Rules {
            checks: if self.check.is_empty() {
                Check::ALL.to_vec()
            } else {
                self.check.clone()
            },
            tolerance_cp: self.tolerance,
            bound_cp: self.bound,
        }
    }
}

fn check(args: &CheckArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    output::refuse_to_replace(&[args.output.as_deref()], &args.input.files)?;
    output::check_writable(&[args.output.as_deref()])?;
    let (positions, origins) = positions(&args.input)?;
    let start = args.engine.start(interrupt)?;
    let way = args.engine.way(&start)?;
    let plan = plan(positions, args.rules());
    let (first, again) = (plan.questions(), plan.questions_again());
    let progress = Progress::new((first.len() + again.len()) as u64, "questions", true);
    let ask = |questions: &[Position]| {
        evaluate_all(&start, &way, questions, args.engine.jobs(), &progress)
    };
    let (first, again) = (ask(&first), ask(&again));
    progress.finish();
    let judged = plan.judge(&first, &again, !matches!(way, Way::Search));
    let report = CheckReport {
        engine: &args.engine.engine,
        way: way.to_string(),
        origins: &origins,
        judged: &judged,
    };
    write(args.output.as_deref(), &report.write(args.format)?)?;
    Ok(if !judged.violations.is_empty() {
        Exit::Differs
    } else if !judged.failures.is_empty() {
        Exit::Failed
    } else if judged.made.is_empty() {
        Exit::Nothing
    } else {
        Exit::Agreed
    })
}
