//! `perft check`: suites by our own generator, or by any engine.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use chess::perft::{Counter, MAX_DEPTH};
use chess::rules::Position;
use clap::builder::PossibleValuesParser;
use epd::suites::{self, BuiltIn};
use epd::{Operand, Operation, Record};
use kit::options::{ConcurrencyArgs, EngineOptionArgs, OutputArgs};
use kit::output::{remark, to_stderr};
use kit::report::CaseFormats;
use kit::values::time;
use kit::{BadInput, Exit, Interrupt, Progress};
use uci::perft::{Ask, KnownPositions};
use uci::{Cancel, EngineProtocol, EngineSpec, Start};

use super::effort::Effort;
use super::random::RandomArgs;
use super::watch;
use super::{CommandContext, LEAST_NODES_FOR_TABLE, read_plan};
use crate::engine_check::case::{self, BY_MOVES, COMMAND_LINE, CountedCases};
use crate::engine_check::random::check_random;
use crate::engine_check::run::{EngineRules, EngineStart, check_engine};
use crate::report::{CheckReport, EngineReport};
use crate::suite::check::plan::{CheckPlan, CountFilter, SuitePlan};
use crate::suite::check::run;

/// The default of `--timeout`.
const DEFAULT_TIMEOUT: Duration = Duration::from_mins(1);
/// Default depth for positions given on the command line.
const DEPTH_OF_FENS: u32 = 4;

/// Check every count of EPD suites, by our own generator or by any engine
///
/// A suite is an EPD file whose records carry counts: `<position> D1 20; D2 400;` or
/// `<position> ;D1 20 ;D2 400`. With --engine, the engine counts every position, and each wrong
/// answer is traced down to the smallest position, the wrong move and the rule it breaks.
///
/// Examples: `perft check --engine ./my-engine`, `perft check`,
/// `perft check stages --engine ./my-first-generator`,
/// `perft check my.epd --depth 4 -o perft.xml`,
/// `perft check quick --engine ./new --engine ./old -j 4`.
#[derive(Debug, clap::Args)]
pub(super) struct CheckArgs {
    /// EPD files or built-in suites [default: all]
    ///
    /// Built-in suites: quick, full, standard, chess960, edge, thesis. For a move generator that is
    /// not finished: `stages`, asked rule by rule until one is wrong. Positions that have broken an
    /// engine before: `bugs`.
    files: Vec<PathBuf>,

    #[command(flatten)]
    engines: CheckedEngineArgs,

    #[command(flatten)]
    random: RandomArgs,

    /// Skip counts deeper than this many plies
    ///
    /// With --engine, records without counts are tested to this depth.
    #[arg(help_heading = "Counts", long, value_name = "PLIES")]
    depth: Option<u32>,

    /// Skip counts of more than this many leaf nodes
    #[arg(help_heading = "Counts", long, value_name = "NODES")]
    max_nodes: Option<u64>,

    /// Check only records with this tag
    ///
    /// May be given several times.
    #[arg(
        help_heading = "Counts",
        hide_short_help = true,
        long,
        value_name = "TAG"
    )]
    tag: Vec<String>,

    /// Stop at the first count that differs
    #[arg(
        help_heading = "Counts",
        hide_short_help = true,
        long,
        conflicts_with = "tested"
    )]
    fail_fast: bool,

    #[command(flatten)]
    output: OutputArgs<CaseFormats>,

    #[command(flatten)]
    effort: Effort,
}

/// What else than wrong and missing counts is a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum CheckFailOn {
    NotAccepted,
}

/// Engines to test.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Engines")]
struct CheckedEngineArgs {
    /// Test this engine; may be given several times
    ///
    /// A command line, such as `./my-engine --some-flag`, or words such as `cmd=./my-engine name=New
    /// option.Hash=16`
    #[arg(long, value_name = "ENGINE", group = "tested")]
    engine: Vec<String>,

    /// Test a program started once per question
    ///
    /// Test a program that is started once per question, with `{fen}`, `{depth}` and optionally
    /// `{moves}` filled in; may be given several times. Example: `--run './perft -d {depth} -f
    /// "{fen}"'`
    #[arg(
        hide_short_help = true,
        long,
        value_name = "TEMPLATE",
        group = "tested"
    )]
    run: Vec<String>,

    /// Perft dialect of the engine [default: detected]
    ///
    /// By name [default: detected].
    #[arg(hide_short_help = true, long, value_name = "NAME", requires = "engine", conflicts_with = "ask",
          value_parser = PossibleValuesParser::new(Ask::known().iter().map(Ask::name)))]
    dialect: Option<String>,

    /// Ask without sending `uci` first
    ///
    /// For engines whose perft is in a console before `uci`; found by itself otherwise.
    #[arg(hide_short_help = true, long, requires = "engine")]
    no_uci: bool,

    /// Line to send for each question
    ///
    /// With `{fen}`, `{depth}` and optionally `{moves}` filled in; a line with `{move}` is sent once
    /// per move. Repeat the option for several lines. Example: `--ask 'position fen {fen} moves
    /// {moves}' --ask 'divide {depth}'`
    #[arg(hide_short_help = true, long, value_name = "LINE", requires = "engine")]
    ask: Vec<String>,

    #[command(flatten)]
    options: EngineOptionArgs,

    #[command(flatten)]
    concurrency: ConcurrencyArgs,

    /// Time limit for one position, such as 10s
    ///
    /// For all depths together.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time, hide_short_help = true)]
    timeout: Duration,

    /// Also test this position, or only this one
    ///
    /// Where no suite is named, or `stages`: a FEN, optionally followed by `moves e2e4 ...`, counted
    /// to --depth [default there: 4].
    #[arg(long, value_name = "FEN", requires = "tested")]
    fen: Vec<String>,

    /// Report wrong counts only; do not trace the faults
    ///
    /// Only report which counts are wrong; do not trace the faults.
    #[arg(hide_short_help = true, long, requires = "tested")]
    no_hunt: bool,

    /// Fail on positions that the engine refuses
    ///
    /// Such as those with a clock of 100 and more, or with many queens; they are listed as not
    /// accepted, and are no failure otherwise. Example: `--fail-on not-accepted`
    #[arg(hide_short_help = true, long, value_name = "WHAT", requires = "tested")]
    fail_on: Option<CheckFailOn>,

    /// Check again when the engine changes
    ///
    /// Check again whenever the engine's file changes, or the sources in the current folder (with
    /// --build), or those at PATH; print what has changed since the round before. Ctrl-C ends it.
    #[arg(long, value_name = "PATH", requires = "tested", num_args = 0..=1, require_equals = true,
          conflicts_with_all = ["format", "output"])]
    #[expect(clippy::option_option, reason = "an option with an optional value")]
    watch: Option<Option<PathBuf>>,

    /// Command that builds the engine before each round
    ///
    /// Command of the shell that builds the engine, run before each round. Example: `--watch --build
    /// 'make -j2'`
    #[arg(
        hide_short_help = true,
        long,
        value_name = "COMMAND",
        requires = "watch"
    )]
    build: Option<String>,
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
pub(super) fn check(args: &CheckArgs, session: &CommandContext) -> anyhow::Result<Exit> {
    let interrupt = &session.interrupt;
    args.output.check(&[], &args.files)?;
    args.random.check()?;
    if !args.engines.engine.is_empty() || !args.engines.run.is_empty() {
        return check_engines(args, session);
    }
    let plan = read_plan(&args.files, &args.filter(), |_| Ok(()))?;
    let table = args.effort.table(plan.nodes() >= LEAST_NODES_FOR_TABLE)?;
    let counter = Effort::counter(table.as_ref())?;
    let pool = session.threads.pool()?;
    let start = Instant::now();
    let progress = session.progress(plan.nodes(), "nodes", true);
    let ledger = run::check(&plan, counter, &pool, args.fail_fast, interrupt, &progress);
    progress.finish();
    let report = CheckReport {
        plan: &plan,
        ledger: &ledger,
        time: start.elapsed(),
        threads: pool.current_num_threads(),
    };
    let exit = args.output.report(&report)?;
    if exit == Exit::Nothing {
        to_stderr(&plan.why_nothing("--depth, --max-nodes and --tag"));
    }
    Ok(exit)
}

impl CheckArgs {
    fn filter(&self) -> CountFilter {
        CountFilter {
            depth: self.depth,
            max_nodes: self.max_nodes,
            tags: self.tag.clone(),
        }
    }

    /// Whether engines may know some rules only: the suite `stages` is asked, and nothing else.
    fn is_staged(&self) -> bool {
        matches!(&*self.files, [path] if is_stages(path))
    }

    /// Whether only the positions of the command line are asked.
    fn is_fens_only(&self) -> bool {
        !self.engines.fen.is_empty() && (self.files.is_empty() || self.is_staged())
    }

    /// The options needed besides the engine's command to ask it in the same way again.
    fn engine_arguments(&self) -> Vec<String> {
        let stages = self.is_staged().then(|| suites::STAGES.name.to_owned());
        stages.into_iter().chain(self.engines.arguments()).collect()
    }
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
fn check_engines(args: &CheckArgs, session: &CommandContext) -> anyhow::Result<Exit> {
    let interrupt = &session.interrupt;
    let engines = args.engines.starts(interrupt)?;
    let watched = args.engines.watched(&engines)?;
    let counter = Effort::counter(None)?.cancel(interrupt.flag());
    let progress = session.progress(0, "positions", true);
    let rules = EngineRules {
        counter,
        concurrency: args.engines.concurrency.or_cores(1),
        timeout: args.engines.timeout,
        hunts: !args.engines.no_hunt,
        arguments: args.engine_arguments(),
        known: if args.is_staged() {
            KnownPositions::LoneKings
        } else {
            KnownPositions::EveryRule
        },
        first: BTreeSet::new(),
        demands_acceptance: args.engines.fail_on == Some(CheckFailOn::NotAccepted),
        depths_are_given: args.depth.is_some() || args.max_nodes.is_some(),
    };
    if args.random.is_wanted() {
        return check_random_positions(args, &engines, &rules, &progress, session);
    }
    let mut plan = plan_with_counts(args, counter, &progress)?;
    let began = Instant::now();
    let pool = session.threads.pool()?;
    let quiet = Progress::new(0, "nodes", false);
    let mut ledger = run::check(&plan, counter, &pool, false, interrupt, &quiet);
    add_positions(args, session, (counter, &progress), &mut plan)?;
    ledger.agree_on_added(&plan);
    let cases = CountedCases::new(&plan, &ledger);
    let mut report = EngineReport {
        check: CheckReport {
            plan: &plan,
            ledger: &ledger,
            time: began.elapsed(),
            threads: pool.current_num_threads(),
        },
        cases: &cases,
        engines: &[],
        random: None,
        is_verbose: session.verbose,
    };
    if let ([engine], Some(path)) = (&*engines, &watched)
        && !cases.is_empty()
        && !interrupt.has_come()
    {
        progress.finish();
        let build = args.engines.build.as_deref();
        return watch::watch(engine, path, build, &rules, &report, session);
    }
    let mut checks = Vec::new();
    for engine in &engines {
        if interrupt.has_come() {
            break;
        }
        checks.push(check_engine(engine, &cases, &rules, &progress, &|text| {
            remark(session.quiet, text);
        }));
    }
    progress.finish();
    report.check.time = began.elapsed();
    report.engines = &checks;
    let exit = args.output.report(&report)?;
    if cases.is_empty() {
        let is_broken = |suite: &SuitePlan| !suite.diagnostics.is_empty();
        let why = match plan.records() {
            0 if plan.suites.iter().any(is_broken) => "no record could be read".to_owned(),
            records => format!(
                "{records} records with {} counts that pass --depth, --max-nodes and --tag; \
                 records without counts need --depth",
                plan.len()
            ),
        };
        to_stderr(&format!("error: nothing to ask: {why}"));
    }
    // The interrupt may have come before the first engine was started.
    Ok(if interrupt.has_come() {
        Exit::Interrupted
    } else {
        exit
    })
}

/// Checks the one engine on random positions.
fn check_random_positions(
    args: &CheckArgs,
    engines: &[EngineStart<'_>],
    rules: &EngineRules<'_>,
    progress: &Progress,
    session: &CommandContext,
) -> anyhow::Result<Exit> {
    let [engine] = engines else {
        return Err(BadInput("--random is for one engine".to_owned()).into());
    };
    if args.depth == Some(0) {
        return Err(BadInput("--depth 0 asks nothing of random positions".to_owned()).into());
    }
    let limits = args.random.limits(args.depth, args.max_nodes);
    let found = check_random(engine, args.random.start(), &limits, rules, progress);
    progress.finish();
    let found = found?;
    let report = EngineReport {
        check: CheckReport {
            plan: &found.plan,
            ledger: &found.ledger,
            time: found.check.time,
            threads: 1,
        },
        cases: &CountedCases::new(&found.plan, &found.ledger),
        engines: std::slice::from_ref(&found.check),
        random: Some(found.span),
        is_verbose: session.verbose,
    };
    let exit = args.output.report(&report)?;
    Ok(if session.interrupt.has_come() {
        Exit::Interrupted
    } else {
        exit
    })
}

impl CheckedEngineArgs {
    /// What --watch watches.
    fn watched(&self, engines: &[EngineStart<'_>]) -> Result<Option<PathBuf>, BadInput> {
        match (&self.watch, engines) {
            (None, _) => Ok(None),
            (Some(Some(path)), [_]) => Ok(Some(path.clone())),
            (Some(None), [_]) if self.build.is_some() => Ok(Some(PathBuf::from("."))),
            (Some(None), [engine]) => watch::program(&engine.start).map(Some),
            _ => Err(BadInput("--watch is for one engine".to_owned())),
        }
    }

    fn starts(&self, interrupt: &Interrupt) -> anyhow::Result<Vec<EngineStart<'_>>> {
        let ask = match &self.dialect {
            Some(name) => Ask::find(name),
            None if self.ask.is_empty() => None,
            None => {
                let ask = Ask::from_lines(&self.ask);
                Some(ask.map_err(|error| BadInput(format!("--ask: {error}")))?)
            }
        };
        let mut starts = Vec::new();
        for text in &self.engine {
            let mut start = engine_start(text, &self.options, interrupt)?;
            if self.no_uci {
                start.protocol = EngineProtocol::Lines;
            }
            starts.push(EngineStart {
                name: text,
                start,
                ask: ask.clone(),
            });
        }
        for text in &self.run {
            let bad = |error| BadInput(format!("--run: {error}"));
            let (command, ask) = Ask::from_command(text).map_err(bad)?;
            let start = Start {
                options: option_values(&self.options),
                cancel: Cancel::from(interrupt.shared()),
                ..Start::new(command)
            };
            starts.push(EngineStart {
                name: text,
                start,
                ask: Some(ask),
            });
        }
        Ok(starts)
    }

    /// The options needed besides the engine's command to ask it in the same way again.
    fn arguments(&self) -> Vec<String> {
        let dialect = self.dialect.iter().map(|name| ("--dialect", name.clone()));
        let ask = self.ask.iter().map(|line| ("--ask", line.clone()));
        let option = self.options.options.iter().map(|(name, value)| {
            let value = value
                .as_ref()
                .map_or_else(String::new, |value| format!("={value}"));
            ("--option", format!("{name}{value}"))
        });
        let timeout = self.timeout.as_secs_f64().to_string();
        let timeout = (self.timeout < DEFAULT_TIMEOUT).then_some(("--timeout", timeout));
        let pairs = dialect.chain(ask).chain(option).chain(timeout);
        let pairs = pairs.flat_map(|(name, value)| [name.to_owned(), value]);
        let no_uci = self.no_uci.then(|| "--no-uci".to_owned());
        pairs.chain(no_uci).collect()
    }
}

/// The built-in suite of a name that is no file.
fn built_in(path: &Path) -> Option<BuiltIn> {
    let name = path.to_str().filter(|_| !path.exists())?;
    suites::find(name)
}

fn is_stages(path: &Path) -> bool {
    built_in(path) == Some(suites::STAGES)
}

/// The engine of `--engine`, with the options of `--option` before its own.
pub(super) fn engine_start(
    text: &str,
    options: &EngineOptionArgs,
    interrupt: &Interrupt,
) -> Result<Start, BadInput> {
    let spec = EngineSpec::from_argument(text);
    let spec = spec.map_err(|error| BadInput(format!("--engine: {error}")))?;
    let mut all = option_values(options);
    all.extend(spec.options);
    Ok(Start {
        options: all,
        cancel: Cancel::from(interrupt.shared()),
        ..Start::new(spec.command)
    })
}

/// An option without a value is set to an empty one.
fn option_values(args: &EngineOptionArgs) -> Vec<(String, Option<String>)> {
    let pairs = args.pairs();
    pairs.map(|(name, value)| (name, Some(value))).collect()
}

/// The plan of the suites; records without counts are counted to the requested depth.
fn plan_with_counts(
    args: &CheckArgs,
    counter: Counter<'_>,
    progress: &Progress,
) -> anyhow::Result<CheckPlan> {
    if args.is_fens_only() {
        return Ok(CheckPlan::default());
    }
    let filter = args.filter();
    let add_counts = |record: &mut Record| -> anyhow::Result<()> {
        let Some(depth) = args.depth else {
            return Ok(());
        };
        if !record.perft_counts().is_empty() || !filter.selects(record) {
            return Ok(());
        }
        let position = *record.position();
        for (depth, nodes) in counts(&position, depth, filter.max_nodes, counter, progress)? {
            let operands = vec![Operand::Word(nodes.to_string())];
            record.push(Operation::new(&format!("D{depth}"), operands)?)?;
        }
        Ok(())
    };
    read_plan(&args.files, &filter, |entry| add_counts(&mut entry.record))
}

/// Our counts from depth 1 on, up to the requested limits.
fn counts(
    position: &Position,
    depth: u32,
    most_nodes: Option<u64>,
    counter: Counter<'_>,
    progress: &Progress,
) -> anyhow::Result<Vec<(NonZeroU32, u64)>> {
    let mut counts = Vec::new();
    let most = depth.min(MAX_DEPTH);
    progress.begin(most.into(), "depths counted by ourselves");
    for depth in (1..=most).filter_map(NonZeroU32::new) {
        let nodes = counter.count_parallel(position, depth.get());
        let nodes = nodes.with_context(|| {
            let fen = chess::notation::fen::write(position);
            format!("depth {depth} of {fen}, which we count before an engine is asked")
        })?;
        progress.advance(1);
        if most_nodes.is_some_and(|most| nodes > most) {
            break;
        }
        counts.push((depth, nodes));
    }
    Ok(counts)
}

/// Adds the positions of the command line, and those reached by moves, as suites of their own. The
/// latter accompany the built-in suites.
fn add_positions(
    args: &CheckArgs,
    session: &CommandContext,
    (counter, progress): (Counter<'_>, &Progress),
    plan: &mut CheckPlan,
) -> anyhow::Result<()> {
    // A generator that grows in stages may not make moves yet.
    let is_built_in = |path: &PathBuf| built_in(path).is_some() && !is_stages(path);
    let all = args.files.is_empty() && args.engines.fen.is_empty();
    let mut added = Vec::new();
    if args.tag.is_empty() && (all || args.files.iter().any(is_built_in)) {
        let routes = case::routes().into_iter();
        let most = args.depth.unwrap_or(u32::MAX);
        let routes = routes.map(|(route, depth)| (route, depth.min(most)));
        added.push((BY_MOVES, routes.collect::<Vec<_>>()));
    }
    if !args.engines.fen.is_empty() {
        let depth = args.depth.unwrap_or(DEPTH_OF_FENS);
        let fens = args.engines.fen.iter().map(|fen| (fen.clone(), depth));
        added.push((COMMAND_LINE, fens.collect()));
    }
    for (name, texts) in added {
        plan.begin_suite(name);
        for (line, (text, depth)) in (1..).zip(texts) {
            let route = session.route(&text)?;
            let counts = counts(route.position(), depth, args.max_nodes, counter, progress)?;
            plan.add_route(line, &route, &counts);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_legal() {
        let session = CommandContext {
            interrupt: Interrupt::default(),
            quiet: true,
            verbose: false,
            threads: super::super::effort::Threads::default(),
        };
        for (text, _) in case::routes() {
            let route = session.route(&text).expect("legal");
            assert!(!route.moves().is_empty(), "{text}");
        }
    }
}
