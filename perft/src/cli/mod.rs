//! The command line: runs the chosen command and maps its outcome to an exit code.

mod args;
mod broker;
mod cut;
mod effort;
mod explain;
mod fleet;
mod generate;
mod mutants;
mod resume;
mod suites;
mod trial;
mod unique;
mod worker;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use chess::notation::fen;
use chess::perft::{CountError, Counter, Table};
use chess::rules::Position;
use clap::{CommandFactory as _, Parser};
use kit::{BadInput, Exit, Interrupt, Progress, output};

use crate::check::{Plan, Verdict, plan};
use crate::count::{self, Job};
use crate::positions::{self, Found};
use crate::report::{CheckReport, Format};
use crate::{bench, run};
use args::{Args, BenchArgs, CheckArgs, Command, CountArgs};
use effort::Effort;

/// Runs the program on the process's command line.
pub fn main() -> ExitCode {
    match try_main() {
        Ok(exit) => exit.into(),
        Err(error) => {
            let exit = match error.downcast_ref() {
                Some(CountError::Cancelled) => Exit::Interrupted,
                // A count beyond 64 bits is a bad request, not a failure.
                Some(_) => Exit::BadInput,
                None if error.is::<BadInput>() => Exit::BadInput,
                None => Exit::Failed,
            };
            // Standard error may be closed; the exit code reports the failure all the same.
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            exit.into()
        }
    }
}

/// Resolves a name or a FEN. Tolerated oddities of the FEN are printed on standard error.
fn position(text: &str) -> Result<Position, BadInput> {
    let Found {
        position,
        tolerated,
    } = positions::find(text).map_err(|error| BadInput(error.to_string()))?;
    for fault in tolerated {
        broker::say(&format!(
            "warning: {fault}; read as {}",
            fen::write(&position)
        ));
    }
    Ok(position)
}

/// From this depth on, an automatic hash table repays the time to fill its memory.
const LEAST_DEPTH_FOR_TABLE: u32 = 7;
/// The same threshold for suites, in leaf nodes of all counts.
const LEAST_NODES_FOR_TABLE: u64 = 20_000_000_000;

fn try_main() -> anyhow::Result<Exit> {
    let args = Args::parse();
    let interrupt = Interrupt::listen()?;
    match args.command {
        Command::Count(args) => count(&args, &interrupt),
        Command::Check(args) => check(&args, &interrupt),
        Command::Bench(args) => bench(&args, &interrupt),
        Command::Explain(args) => explain::explain(&args),
        Command::Generate(args) => generate::generate(&args, &interrupt),
        Command::Mutants(args) => mutants::mutants(&args, &interrupt),
        Command::Worker(args) => worker::worker(&args, &interrupt),
        Command::SelfDescription(asked) => asked.run(Args::command()),
    }
}

/// The counter configured by these options.
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

fn count(args: &CountArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    if args.unique {
        return unique::unique(args, interrupt);
    }
    if let Some(path) = &args.resume {
        return resume::resume(args, path, interrupt);
    }
    if let Some(url) = &args.fleet.fleet {
        return fleet::fleet(args, url, interrupt);
    }
    let (position, depth) = args.position_and_depth()?;
    let table = args.effort.table(depth >= LEAST_DEPTH_FOR_TABLE)?;
    let counter = counter(&args.effort, table.as_ref())?.bulk(!args.no_bulk);
    let progress = Progress::new(0, "subtrees", args.format == count::Format::Human);
    let job = Job {
        position,
        depth,
        counter: counter.cancel(interrupt.flag()),
        cancel: interrupt.flag(),
        what: args.what(),
    };
    let counted = run::count(&job, &run::pool(args.effort.threads())?, &progress)?;
    progress.finish();
    output::to_stdout(&counted.write(args.format)?)?;
    Ok(counted.ended.exit())
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
fn check(args: &CheckArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let claim = "the report would replace the suite";
    check_output(args.output.as_deref(), &args.files, claim)?;
    if let (Format::Github, Some(summary)) = (args.format, &args.summary) {
        output::check_appendable(summary)?;
    }
    if args.trial.has_subjects() {
        return trial::trial(args, interrupt);
    }
    let plan = plan(suites::read(&args.files)?, &args.filter());
    let table = args.effort.table(plan.nodes() >= LEAST_NODES_FOR_TABLE)?;
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
    write_report(args, |format| report.write(format))?;
    if let (Format::Github, Some(summary)) = (args.format, &args.summary) {
        output::append(summary, &report.markdown())?;
    }
    if ledger.verdict(&plan) == Verdict::Nothing {
        say_why_nothing(&plan);
    }
    Ok(ledger.verdict(&plan).exit())
}

/// Writes to standard output, or to the requested file with a human summary on standard output.
fn write_report(
    args: &CheckArgs,
    write: impl Fn(Format) -> anyhow::Result<String>,
) -> anyhow::Result<()> {
    let text = write(args.format)?;
    match &args.output {
        Some(path) => {
            // Print first: a long run must not be lost to a full disk.
            output::to_stdout(&write(Format::Human)?)?;
            output::to_file(path, &text)
        }
        None => output::to_stdout(&text),
    }
}

fn say_why_nothing(plan: &Plan) {
    let records: usize = plan.suites.iter().map(|suite| suite.records).sum();
    // Standard error may be closed; the exit code reports the failure all the same.
    let _ = writeln!(
        std::io::stderr(),
        "error: none of the {records} records has a count that --depth, --max-nodes and --tag let pass"
    );
}

/// Checks before the work begins that the output is writable and does not overwrite one of the
/// inputs.
fn check_output(output: Option<&Path>, files: &[PathBuf], claim: &str) -> anyhow::Result<()> {
    output::check_writable(&[output])?;
    let Some(output) = output.and_then(|path| path.canonicalize().ok()) else {
        return Ok(());
    };
    for file in files {
        if file.canonicalize().is_ok_and(|file| file == output) {
            let name = file.display();
            return Err(BadInput(format!("{claim} {name}")).into());
        }
    }
    Ok(())
}

fn bench(args: &BenchArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let table = args.effort.table(false)?;
    let counter = counter(&args.effort, table.as_ref())?.cancel(interrupt.flag());
    let pool = run::pool(args.effort.threads())?;
    let text = bench::run(counter, &pool, || interrupt.has_come());
    output::to_stdout(&text)?;
    Ok(if interrupt.has_come() {
        Exit::Interrupted
    } else {
        Exit::Agreed
    })
}
