//! `epd eval`.

mod label;
#[cfg(feature = "fleet")]
mod label_lab;
mod score;

use std::path::PathBuf;
use std::time::Duration;

use chess::notation::fen;
use chess::rules::Position;
use clap::{Subcommand, ValueEnum as _};
use kit::options::{EngineArgs, EngineOptionArgs, OutputArgs};
use kit::output::{remark, to_stderr};
use kit::report::{CaseFormats, Format, Formats as _, TextFormats};
use kit::{BadInput, DraftFile, Exit, Interrupt, Progress, output};
use regex::Regex;
use uci::{Cancel, Start};

use crate::cli::input::{self, InputFile};
use crate::cli::records::{Documents, InputArgs, Workers};
use crate::eval::ask::{EvalFailure, EvalQuery, EvalReply, EvaluatorPool, detect, find_ignored_by};
use crate::eval::check::{CheckRules, EvalCheck, plan};
use crate::eval::diff::diff;
use crate::eval::pattern::Pattern;
use crate::eval::report::{EvalCheckReport, ScoreOrigin, write_diff};
use crate::eval::table::{FAILED, ScoreCsvRow, ScoreTable};
use crate::files::document::DocumentItem;
use crate::text::Record;

/// Static evaluations: dump, compare and check them, and judge them by the results of games
#[derive(Debug, clap::Args)]
pub(super) struct EvalArgs {
    #[command(subcommand)]
    command: EvalCommand,
}

#[derive(Debug, Subcommand)]
enum EvalCommand {
    Dump(Box<DumpArgs>),
    Diff(DiffArgs),
    Check(Box<EvalCheckArgs>),
    Score(Box<score::EvalScoreArgs>),
    Label(Box<label::LabelArgs>),
}

/// How engines are queried.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Engine")]
struct QueryArgs {
    /// Query: eval, search, or a command of the engine
    ///
    /// `eval`, answered as Stockfish does; `search`, of one ply; or a command of the engine's own, whose
    /// answer is parsed with --pattern [default: `eval` if it answers so, else `search`].
    #[arg(long, alias = "way", value_name = "QUERY", hide_short_help = true)]
    query: Option<String>,

    /// Regular expression of the score in the answer
    ///
    /// Regular expression with one group, the number; the last matching line counts. The number is in
    /// centipawns from White's view, unless the name of the group is `side` (the side to move's view),
    /// `pawns`, or `side_pawns`. Example: `--query eval --pattern 'Eval: (?<pawns>[-+0-9.]+)'`
    #[arg(hide_short_help = true, long, value_name = "REGEX", requires = "query")]
    pattern: Option<Regex>,
}

/// How long an engine may take for the static evaluation of a position.
const TIMEOUT: Duration = Duration::from_secs(10);

fn start(
    engine: &str,
    options: &EngineOptionArgs,
    interrupt: &Interrupt,
) -> Result<Start, BadInput> {
    let spec = input::engine(engine, &options.options)?;
    Ok(Start {
        options: spec.options,
        cancel: Cancel::from(interrupt.shared()),
        ..Start::new(spec.command)
    })
}

impl QueryArgs {
    fn query(&self, engine: &str, start: &Start) -> anyhow::Result<EvalQuery> {
        let query = match (self.query.as_deref(), &self.pattern) {
            (Some(command), Some(regex)) => {
                let pattern = Pattern::new(regex.clone()).map_err(BadInput)?;
                let command = command.to_owned();
                EvalQuery::Command { command, pattern }
            }
            (Some("eval"), None) => EvalQuery::eval(),
            (Some("search"), None) => EvalQuery::one_ply(),
            (Some(command), None) => {
                let expected = "expected eval, search, or --pattern with a command of the engine";
                return Err(BadInput(format!("--query {command}: {expected}")).into());
            }
            (None, _) => detect(start, TIMEOUT).map_err(|EvalFailure { reason, transcript }| {
                anyhow::anyhow!("{engine}: {reason}\n{transcript}")
            })?,
        };
        match find_ignored_by(start, &query, TIMEOUT) {
            Some(ignored) => {
                let remedy = "give --query and --pattern for a command that prints its evaluation";
                anyhow::bail!("{engine}: {ignored}: {remedy}")
            }
            None => Ok(query),
        }
    }
}

impl EvalArgs {
    /// Tells a command that reads positions or games whether to skip what cannot be read.
    pub(super) fn set_skip_bad(&mut self, skip_bad: bool) {
        let place = match &mut self.command {
            EvalCommand::Dump(args) => &mut args.input.skip_bad,
            EvalCommand::Check(args) => &mut args.input.skip_bad,
            EvalCommand::Score(args) => &mut args.skip_bad,
            EvalCommand::Label(args) => &mut args.skip_bad,
            EvalCommand::Diff(_) => return,
        };
        *place = skip_bad;
    }
}

pub(super) fn run(args: &EvalArgs, interrupt: &Interrupt, is_quiet: bool) -> anyhow::Result<Exit> {
    let exit = match &args.command {
        EvalCommand::Dump(args) => dump(args, interrupt, is_quiet),
        EvalCommand::Diff(args) => compare(args),
        EvalCommand::Check(args) => check(args, interrupt, is_quiet),
        EvalCommand::Score(args) => score::run(args, interrupt, is_quiet),
        EvalCommand::Label(args) => label::run(args, interrupt, is_quiet),
    };
    if interrupt.has_come() {
        return Ok(Exit::Interrupted);
    }
    exit
}

/// The positions of the suites, and their origins.
fn positions(input: &InputArgs) -> anyhow::Result<(Vec<Position>, Vec<ScoreOrigin>)> {
    let Documents { names, documents } = input.read()?;
    let items = documents.iter().flat_map(|document| &document.items);
    let origin = |item: &DocumentItem| {
        let position = *item.record.position();
        let origin = ScoreOrigin {
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
/// `epd eval dump --engine ./my-engine --query eval --pattern 'Eval: (?<side>\S+)' sts.epd`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 all were evaluated, 2 bad input, 3 some were not, 4 no position."
)]
struct DumpArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    engines: EngineArgs,

    #[command(flatten)]
    query: QueryArgs,

    /// Write to a file
    ///
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn dump(args: &DumpArgs, interrupt: &Interrupt, is_quiet: bool) -> anyhow::Result<Exit> {
    output::refuse_to_replace(&[args.output.as_deref()], &args.input.files)?;
    output::check_writable(&[args.output.as_deref()])?;
    let names = args.input.check_files()?;
    let engine = args.engines.only()?;
    let start = start(engine, &args.engines.options, interrupt)?;
    let query = args.query.query(engine, &start)?;
    let concurrency = args.engines.processes();
    let progress = Progress::new(0, "positions", !is_quiet);
    let mut dump = Dump {
        pool: EvaluatorPool::new(&start, &query, TIMEOUT, concurrency),
        query: &query,
        progress: &progress,
        waiting: Vec::with_capacity(CHUNK),
        out: csv::Writer::from_writer(DraftFile::new(args.output.as_deref())?),
        count: 0,
        failed: 0,
    };
    let find = |record: &Record| (*record.position(), record.id().map(str::to_owned));
    args.input
        .stream(&Workers::one(interrupt), find, |item, (position, id)| {
            let origin = ScoreOrigin {
                file: names[item.file].clone(),
                line: item.line,
                id,
                fen: fen::write(&position),
            };
            dump.push(position, origin)
        })?;
    dump.flush()?;
    let Dump {
        out, count, failed, ..
    } = dump;
    progress.finish();
    if interrupt.has_come() {
        return Ok(Exit::Interrupted);
    }
    if count == 0 {
        to_stderr("error: there are no records");
        return Ok(Exit::Nothing);
    }
    let draft = out.into_inner().map_err(csv::IntoInnerError::into_error)?;
    draft.commit()?;
    remark(
        is_quiet,
        &format!("{count} positions by {query}; {failed} failed"),
    );
    Ok(if failed == 0 {
        Exit::Agreed
    } else {
        Exit::Failed
    })
}

/// Positions that are sent to the engine together.
const CHUNK: usize = 4096;

/// Evaluations that are written as they come.
struct Dump<'a> {
    pool: EvaluatorPool,
    query: &'a EvalQuery,
    progress: &'a Progress,
    waiting: Vec<(Position, ScoreOrigin)>,
    out: csv::Writer<DraftFile>,
    count: usize,
    failed: usize,
}

impl Dump<'_> {
    fn push(&mut self, position: Position, origin: ScoreOrigin) -> anyhow::Result<()> {
        self.waiting.push((position, origin));
        if self.waiting.len() == CHUNK {
            self.flush()?;
        }
        Ok(())
    }

    /// Evaluates the waiting positions and writes them.
    fn flush(&mut self) -> anyhow::Result<()> {
        let (positions, origins): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.waiting).into_iter().unzip();
        let answers = self.pool.evaluate(&positions, self.progress);
        for (origin, answer) in origins.into_iter().zip(&answers) {
            let Some(row) = row(origin, answer, self.query) else {
                continue;
            };
            self.count += 1;
            self.failed += usize::from(row.way == FAILED);
            self.out.serialize(row)?;
        }
        Ok(())
    }
}

fn row(origin: ScoreOrigin, answer: &EvalReply, query: &EvalQuery) -> Option<ScoreCsvRow> {
    let ScoreOrigin {
        file,
        line,
        id,
        fen,
    } = origin;
    let (score_cp, way, raw) = match answer.as_ref()? {
        Ok(evaluation) => (
            evaluation.score.cp(),
            query.to_string(),
            evaluation.raw.clone(),
        ),
        Err(EvalFailure { reason, .. }) => {
            to_stderr(&format!("{file}:{line}: {reason}"));
            (None, FAILED.to_owned(), reason.clone())
        }
    };
    let id = id.unwrap_or_default();
    Some(ScoreCsvRow {
        file,
        line,
        id,
        fen,
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
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 none differs by more than the threshold, 1 some do, or a score became a mate or none, 2 bad input, 4 the files have no position in common."
)]
struct DiffArgs {
    /// Old evaluations
    a: PathBuf,

    /// New evaluations
    b: PathBuf,

    /// Ignore differences up to this many centipawns
    #[arg(long, value_name = "CP", default_value_t = 0)]
    threshold: u32,

    /// Output format
    #[arg(long, value_parser = Format::parser(TextFormats::ALL), default_value = "human")]
    format: Format,
}

fn compare(args: &DiffArgs) -> anyhow::Result<Exit> {
    let read = |path: &PathBuf| -> anyhow::Result<ScoreTable> {
        let InputFile { name, bytes } = input::read_one(path)?;
        Ok(ScoreTable::read(&bytes).map_err(|error| BadInput(format!("{name}: {error}")))?)
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
/// is at most 100 pawns, and no mate if the evaluation is static; determinism: a fresh process,
/// queried in reverse order, gives the same.
///
/// A network trained on games is not left-right symmetric: leave sides out for such engines.
///
/// Examples: `epd eval check --engine ./my-engine wac.epd`,
/// `epd eval check --engine stockfish wac.epd --check colours --check determinism`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 no violation, 1 some, 2 bad input, 3 some queries failed, 4 no check was made."
)]
struct EvalCheckArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    engines: EngineArgs,

    #[command(flatten)]
    query: QueryArgs,

    /// Run only this check; may be given several times
    #[arg(long, value_enum)]
    check: Vec<EvalCheck>,

    /// Tolerated difference in centipawns
    ///
    /// Tolerated difference between evaluations that should be equal, in centipawns.
    #[arg(long, value_name = "CP", default_value_t = 0)]
    tolerance: u32,

    #[command(flatten)]
    output: OutputArgs<CaseFormats>,
}

/// Largest evaluation allowed.
const BOUND_CP: u32 = 10_000;

fn check(args: &EvalCheckArgs, interrupt: &Interrupt, is_quiet: bool) -> anyhow::Result<Exit> {
    args.output.check(&[], &args.input.files)?;
    let (positions, origins) = positions(&args.input)?;
    let engine = args.engines.only()?;
    let start = start(engine, &args.engines.options, interrupt)?;
    let query = args.query.query(engine, &start)?;
    let all = args.check.is_empty();
    let rules = CheckRules {
        checks: if all {
            EvalCheck::value_variants().to_vec()
        } else {
            args.check.clone()
        },
        tolerance_cp: args.tolerance,
        bound_cp: BOUND_CP,
    };
    let plan = plan(positions, rules);
    let (first, again) = (plan.questions(), plan.questions_again());
    let progress = Progress::new((first.len() + again.len()) as u64, "questions", !is_quiet);
    let concurrency = args.engines.processes();
    // The second round is for processes that have not seen the first.
    let ask = |questions: &[Position]| {
        EvaluatorPool::new(&start, &query, TIMEOUT, concurrency).evaluate(questions, &progress)
    };
    let (first, again) = (ask(&first), ask(&again));
    progress.finish();
    let judged = plan.judge(&first, &again, !matches!(query, EvalQuery::Search(_)));
    args.output.report(&EvalCheckReport {
        engine,
        way: query.to_string(),
        origins: &origins,
        judged: &judged,
    })
}
