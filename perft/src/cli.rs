//! The command line: what was asked, and which exit code answers it.

mod args;

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use clap::Parser;
use engine::perft::{Counter, Table, breakdown_parallel};
use epd::{Suite, suites};

use crate::check::{Ledger, Plan, Verdict, plan};
use crate::count::{self, Counted};
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::report::{CheckReport, Format};
use crate::{Exit, bench, output, positions, run};
use args::{Args, BenchArgs, CheckArgs, Command, CountArgs, Effort};

/// Runs the program as the command line says.
pub fn main() -> ExitCode {
    match try_main() {
        Ok(exit) => exit.into(),
        Err(error) => {
            let exit = if error.is::<BadInput>() { Exit::BadInput } else { Exit::Failed };
            // Standard error may be closed; the exit code says it all the same.
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            exit.into()
        }
    }
}

/// An error in what the user gave.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct BadInput(String);

fn try_main() -> anyhow::Result<Exit> {
    let args = Args::parse();
    let interrupt = Interrupt::listen()?;
    match args.command {
        Command::Count(args) => count(&args, &interrupt),
        Command::Check(args) => check(&args, &interrupt),
        Command::Bench(args) => bench(&args, &interrupt),
    }
}

/// The counter that these options ask for.
fn counter<'a>(effort: &Effort, table: Option<&'a Table>) -> anyhow::Result<Counter<'a>> {
    let mut counter = Counter::new();
    if let Some(kernel) = effort.kernel {
        if !kernel.is_available() {
            return Err(BadInput(format!("this CPU cannot run the {kernel} kernel")).into());
        }
        counter = counter.kernel(kernel);
    }
    Ok(match table {
        Some(table) => counter.table(table),
        None => counter,
    })
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
fn count(args: &CountArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let (position, depth) = args.position_and_depth()?;
    let table = args.effort.table();
    let counter = counter(&args.effort, table.as_ref())?.bulk(!args.no_bulk);
    let counter = counter.cancel(interrupt.flag());
    let pool = run::pool(args.effort.threads())?;
    let start = Instant::now();
    let progress = Progress::new(0, "subtrees", args.format == count::Format::Human);
    let mut counted = Counted {
        position,
        depth,
        nodes: 1,
        divide: None,
        breakdown: None,
        interrupted: false,
        time: start.elapsed(),
    };
    if args.breakdown {
        let flag = interrupt.flag();
        match pool.install(|| breakdown_parallel(&position, depth, flag)) {
            Ok(breakdown) => {
                counted.nodes = breakdown.nodes;
                counted.breakdown = Some(breakdown);
            }
            Err(_) => (counted.nodes, counted.interrupted) = (0, true),
        }
    } else if depth > 0 {
        let observe = |subtree: engine::perft::SubtreeCount| {
            progress.set_length(subtree.total as u64);
            progress.advance(1);
        };
        let (divide, interrupted) =
            pool.install(|| count::divide(&position, depth, &counter, observe))?;
        counted.interrupted = interrupted;
        let sum = divide.iter().try_fold(0_u64, |sum, &(_, count)| sum.checked_add(count));
        counted.nodes = sum.context("the count does not fit 64 bits")?;
        counted.divide = args.divide.then(|| count::named(divide, &position));
    } else if args.divide {
        counted.divide = Some(Vec::new());
    }
    progress.finish();
    counted.time = start.elapsed();
    output::to_stdout(&counted.write(args.format)?)?;
    Ok(if counted.interrupted { Exit::Interrupted } else { Exit::Agreed })
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
fn check(args: &CheckArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let plan = plan(read_suites(args)?, &args.filter());
    let table = args.effort.table();
    let counter = counter(&args.effort, table.as_ref())?;
    let pool = run::pool(args.effort.threads())?;
    let start = Instant::now();
    let progress = Progress::new(plan.nodes(), "nodes", true);
    let ledger = run::check(&plan, counter, &pool, args.fail_fast, interrupt, &progress);
    progress.finish();
    let report = CheckReport {
        plan: &plan,
        ledger: &ledger,
        time: start.elapsed(),
        threads: pool.current_num_threads(),
    };
    let text = report.write(args.format)?;
    match &args.output {
        Some(path) => {
            output::to_file(path, &text)?;
            output::to_stdout(&report.write(Format::Human)?)?;
        }
        None => output::to_stdout(&text)?,
    }
    if ledger.verdict(&plan) == Verdict::Nothing {
        say_why_nothing(&plan, &ledger);
    }
    Ok(ledger.verdict(&plan).exit())
}

fn say_why_nothing(plan: &Plan, _ledger: &Ledger) {
    let records: usize = plan.suites.iter().map(|suite| suite.records).sum();
    // Standard error may be closed; the exit code says it all the same.
    let _ = writeln!(
        std::io::stderr(),
        "error: none of the {records} records has a count that --depth, --max-nodes and --tag let pass"
    );
}

/// The named files, or the built-in suites.
#[expect(clippy::disallowed_methods, reason = "the edge reads files")]
fn read_suites(args: &CheckArgs) -> anyhow::Result<Vec<Suite>> {
    if args.files.is_empty() {
        let built_in = suites::ALL.into_iter();
        return Ok(built_in.map(|suite| Suite::parse(suite.name, suite.text.as_bytes())).collect());
    }
    let read = |path: &std::path::PathBuf| {
        let name = path.display().to_string();
        let bytes = std::fs::read(path)
            .map_err(|error| BadInput(format!("cannot read {name}: {error}")))?;
        Ok(Suite::parse(&name, &bytes))
    };
    args.files.iter().map(read).collect()
}

fn bench(args: &BenchArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let table = args.effort.table();
    let counter = counter(&args.effort, table.as_ref())?.cancel(interrupt.flag());
    let pool = run::pool(args.effort.threads())?;
    let text = bench::run(counter, &pool, || interrupt.has_come());
    output::to_stdout(&text)?;
    Ok(if interrupt.has_come() { Exit::Interrupted } else { Exit::Agreed })
}
