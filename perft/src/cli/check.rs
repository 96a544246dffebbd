//! `perft check --engine`.

use std::io::Write as _;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context as _;
use chess::notation::{fen, uci_move};
use chess::perft::{Counter, MAX_DEPTH};
use chess::rules::Position;
use epd::{Operand, Operation, Suite};
use kit::{Exit, Interrupt, Progress, output};
use uci::perft::{Ask, Start};
use uci::{Cancel, CommandLine};

use super::args::{CheckArgs, DEFAULT_TIMEOUT, TrialArgs};
use super::{BadInput, counter, suites, write_report};
use crate::check::{Ledger, Plan, SuitePlan, plan};
use crate::report::{CheckReport, Format, TrialReport};
use crate::run;
use crate::subject::Route;
use crate::trial::case::{Case, cases};
use crate::trial::ledger::Trial;
use crate::trial::routes::{self, BY_MOVES, COMMAND_LINE};
use crate::trial::run::{Rules, try_engine};

/// Default depth for positions given on the command line.
const DEPTH_OF_FENS: u32 = 4;

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
pub(super) fn trial(args: &CheckArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let starts = starts(&args.trial, interrupt)?;
    let counter = counter(&args.effort, None)?.cancel(interrupt.flag());
    let mut plan = plan(suites_with_counts(args, counter)?, &args.filter());
    let began = Instant::now();
    let pool = run::pool(args.effort.threads())?;
    let quiet = Progress::new(0, "nodes", false);
    let ledger = run::check(&plan, counter, &pool, false, interrupt, &quiet);
    let mut cases = cases(&plan, &ledger);
    add_positions(args, counter, &mut plan, &mut cases)?;
    let trials = hold(&starts, &cases, args, counter, interrupt);
    let report = TrialReport {
        check: CheckReport {
            plan: &plan,
            ledger: &ledger,
            time: began.elapsed(),
            threads: pool.current_num_threads(),
        },
        cases: &cases,
        trials: &trials,
    };
    write_report(args, |format| report.write(format))?;
    if let (Format::Github, Some(summary)) = (args.format, &args.summary) {
        output::append(summary, &report.markdown())?;
    }
    if cases.is_empty() {
        say_why_nothing(&plan, &ledger);
    }
    // The interrupt may have come before the first engine was started.
    Ok(if interrupt.has_come() {
        Exit::Interrupted
    } else {
        report.exit()
    })
}

fn hold(
    starts: &[Subject<'_>],
    cases: &[Case],
    args: &CheckArgs,
    counter: Counter<'_>,
    interrupt: &Interrupt,
) -> Vec<Trial> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let rules = Rules {
        counter,
        jobs: args.trial.jobs.map_or(cores, usize::from),
        timeout: args.trial.timeout,
        hunts: !args.trial.no_hunt,
        arguments: arguments(&args.trial),
    };
    let progress = Progress::new(0, "positions", true);
    let engines = starts.iter().take_while(|_| !interrupt.has_come());
    let trials = engines.map(|Subject { name, start, ask }| {
        try_engine(name, start, ask.as_ref(), cases, &rules, &progress)
    });
    let trials = trials.collect();
    progress.finish();
    trials
}

/// The options needed besides the engine's command to ask it in the same way again.
fn arguments(args: &TrialArgs) -> Vec<String> {
    let mut words = Vec::new();
    if let Some(dialect) = &args.dialect {
        words.extend(["--dialect".to_owned(), dialect.clone()]);
    }
    for line in &args.ask {
        words.extend(["--ask".to_owned(), line.clone()]);
    }
    for (name, value) in &args.option {
        words.extend(["--option".to_owned(), format!("{name}={value}")]);
    }
    if args.timeout < DEFAULT_TIMEOUT {
        let seconds = args.timeout.as_secs_f64().to_string();
        words.extend(["--timeout".to_owned(), seconds]);
    }
    words
}

/// An engine given on the command line.
struct Subject<'a> {
    /// Its name in reports.
    name: &'a str,
    start: Start,
    /// The only dialect to try, if one is given.
    ask: Option<Ask>,
}

fn starts<'a>(args: &'a TrialArgs, interrupt: &Interrupt) -> anyhow::Result<Vec<Subject<'a>>> {
    let ask = match &args.dialect {
        Some(name) => Ask::find(name),
        None if args.ask.is_empty() => None,
        None => {
            let ask = Ask::from_lines(&args.ask);
            Some(ask.map_err(|error| BadInput(format!("--ask: {error}")))?)
        }
    };
    let start = |command| Start {
        command,
        options: args.option.clone(),
        cancel: Cancel::from(interrupt.shared()),
    };
    let engine = |text: &'a String| {
        // A path with blanks in it needs no quotes.
        let command = if std::path::Path::new(text).is_file() {
            Ok(CommandLine::new(text))
        } else {
            text.parse()
        };
        let command = command
            .map_err(|error: uci::SplitCommandError| BadInput(format!("--engine: {error}")))?;
        Ok(Subject {
            name: text,
            start: start(command),
            ask: ask.clone(),
        })
    };
    let program = |text: &'a String| {
        let (command, ask) =
            Ask::from_command(text).map_err(|error| BadInput(format!("--run: {error}")))?;
        Ok(Subject {
            name: text,
            start: start(command),
            ask: Some(ask),
        })
    };
    let engines = args.engine.iter().map(engine);
    engines.chain(args.run.iter().map(program)).collect()
}

/// The suites; records without counts are counted to the requested depth.
fn suites_with_counts(args: &CheckArgs, counter: Counter<'_>) -> anyhow::Result<Vec<Suite>> {
    let only_positions = args.files.is_empty() && !args.trial.fen.is_empty();
    if only_positions {
        return Ok(Vec::new());
    }
    let mut suites = suites::read(&args.files)?;
    let Some(depth) = args.depth else {
        return Ok(suites);
    };
    let filter = args.filter();
    let progress = Progress::new(0, "", true);
    for suite in &mut suites {
        for entry in &mut suite.entries {
            if !entry.record.perft_counts().is_empty() || !filter.selects(&entry.record) {
                continue;
            }
            let position = entry.record.position();
            for (depth, nodes) in counts(position, depth, filter.max_nodes, counter, &progress)? {
                let operands = vec![Operand::Word(nodes.to_string())];
                entry
                    .record
                    .push(Operation::new(&format!("D{depth}"), operands)?)?;
            }
        }
    }
    progress.finish();
    Ok(suites)
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
            let fen = fen::write(position);
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
    counter: Counter<'_>,
    plan: &mut Plan,
    cases: &mut Vec<Case>,
) -> anyhow::Result<()> {
    let progress = Progress::new(0, "", true);
    let mut add = |name, texts: &[&str], depth| {
        let suite = plan.add_suite(name, texts.len());
        for (index, text) in texts.iter().enumerate() {
            let route = route(text)?;
            let most_nodes = args.filter().max_nodes;
            let counts = counts(route.position(), depth, most_nodes, counter, &progress)?;
            if !counts.is_empty() {
                cases.push(Case {
                    suite,
                    line: index + 1,
                    id: None,
                    tags: Vec::new(),
                    counts,
                    route,
                });
            }
        }
        anyhow::Ok(())
    };
    if asks_built_in_suites(args) {
        let depth = args.depth.unwrap_or(routes::DEPTH).min(routes::DEPTH);
        add(BY_MOVES, &routes::ROUTES, depth)?;
    }
    let fens: Vec<&str> = args.trial.fen.iter().map(String::as_str).collect();
    if !fens.is_empty() {
        add(COMMAND_LINE, &fens, args.depth.unwrap_or(DEPTH_OF_FENS))?;
    }
    progress.finish();
    Ok(())
}

/// Whether built-in suites are tested without a tag filter.
fn asks_built_in_suites(args: &CheckArgs) -> bool {
    let is_built_in = |path: &PathBuf| {
        let name = path.to_str().unwrap_or_default();
        !path.exists() && epd::suites::find(name).is_some()
    };
    let all = args.files.is_empty() && args.trial.fen.is_empty();
    args.filter().tags.is_empty() && (all || args.files.iter().any(is_built_in))
}

/// Parses `FEN [moves …]`, in UCI notation.
fn route(text: &str) -> Result<Route, BadInput> {
    let (fen, moves) = text.split_once(" moves ").unwrap_or((text, ""));
    let root = super::position(fen.trim())?;
    let mode = root.castling_mode();
    let mut route = Route::by_fen(root);
    for word in moves.split_whitespace() {
        let m = uci_move::parse(word, route.position(), mode)
            .map_err(|error| BadInput(format!("--fen {}: {error}", fen::write(&root))))?;
        route = route.then(m);
    }
    Ok(route)
}

fn say_why_nothing(plan: &Plan, ledger: &Ledger) {
    let records: usize = plan.suites.iter().map(|suite| suite.records).sum();
    let counts = ledger.states().len();
    let is_broken = |suite: &SuitePlan| !suite.diagnostics.is_empty();
    let why = if records == 0 && plan.suites.iter().any(is_broken) {
        "no record could be read".to_owned()
    } else {
        format!(
            "{records} records with {counts} counts that --depth, --max-nodes and --tag let pass; \
             records without counts need --depth"
        )
    };
    // Standard error may be closed; the exit code reports the failure all the same.
    let _ = writeln!(std::io::stderr(), "error: nothing to ask: {why}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_legal() {
        for text in routes::ROUTES {
            let route = route(text).expect("legal");
            assert!(!route.moves().is_empty(), "{text}");
        }
    }
}
