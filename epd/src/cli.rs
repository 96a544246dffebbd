//! Command line: argument parsing and exit codes.

mod bench;
mod dedupe;
mod documents;
mod eval;
mod filter;
mod from_pgn;
mod input;
mod lint;
mod merge;
mod normalise;
mod run;
mod split;
mod stats;
mod suites;

use std::io::Write as _;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use kit::{BadInput, Exit, Interrupt};

/// Test positions in EPD: lint and repair files, run them on engines, compare with a baseline.
///
/// Exit codes: 0 success, 1 a difference was found, 2 invalid usage or input, 3 the engine or the
/// environment failed, 4 nothing selected, 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "epd", version, max_term_width = 100)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Lint(lint::LintArgs),
    Normalise(normalise::NormaliseArgs),
    Stats(stats::StatsArgs),
    Dedupe(dedupe::DedupeArgs),
    Filter(Box<filter::FilterArgs>),
    Split(split::SplitArgs),
    Merge(merge::MergeArgs),
    FromPgn(from_pgn::FromPgnArgs),
    Eval(eval::EvalArgs),
    Bench(bench::BenchArgs),
    Run(Box<run::RunArgs>),
    #[command(flatten)]
    SelfDescription(kit::SelfDescription),
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    match try_main() {
        Ok(exit) => exit.into(),
        Err(error) => {
            let exit = if error.is::<BadInput>() {
                Exit::BadInput
            } else {
                Exit::Failed
            };
            // Standard error may be closed; the exit code still reports the failure.
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            exit.into()
        }
    }
}

fn try_main() -> anyhow::Result<Exit> {
    let args = Args::parse();
    let interrupt = Interrupt::listen()?;
    match args.command {
        Command::Lint(args) => lint::run(&args),
        Command::Normalise(args) => normalise::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Dedupe(args) => dedupe::run(&args),
        Command::Filter(args) => filter::run(&args),
        Command::Split(args) => split::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::FromPgn(args) => from_pgn::run(&args, &interrupt),
        Command::Eval(args) => eval::run(&args, &interrupt),
        Command::Bench(args) => bench::run(&args, &interrupt),
        Command::Run(args) => run::run(&args, &interrupt),
        Command::SelfDescription(asked) => asked.run(Args::command()),
    }
}
