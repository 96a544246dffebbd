//! Command line: argument parsing and exit codes.

mod bench;
mod eval;
mod files;
#[cfg(feature = "fleet")]
mod fleet;
mod from_pgn;
mod input;
mod journal;
mod lint;
mod mates;
mod mates_history;
mod puzzles;
mod run;
mod scores;
mod suites;

use std::process::ExitCode;

use clap::Subcommand;
use kit::cli::{Common, EXIT_CODES};
use kit::{Exit, Interrupt};

/// Test positions in EPD: lint and repair files, run them on engines, compare with a baseline.
#[derive(Debug, Subcommand)]
#[command(version)]
enum Command {
    Lint(lint::LintArgs),
    Normalise(lint::NormaliseArgs),
    Stats(files::StatsArgs),
    Dedupe(files::DedupeArgs),
    Filter(Box<files::FilterArgs>),
    Split(files::SplitArgs),
    Merge(files::MergeArgs),
    FromPgn(from_pgn::FromPgnArgs),
    Eval(eval::EvalArgs),
    Bench(bench::BenchArgs),
    Run(Box<run::RunArgs>),
    Mates(Box<mates::MatesArgs>),
    MatesHistory(mates_history::MatesHistoryArgs),
    Suites(suites::SuitesArgs),
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    kit::cli::main("epd", EXIT_CODES, dispatch, |_| None)
}

fn dispatch(command: Command, common: Common) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::listen()?;
    let is_quiet = common.quiet;
    input::or_interrupted(match command {
        Command::Lint(args) => lint::lint_files(&args, &interrupt, is_quiet),
        Command::Normalise(args) => lint::normalise_files(&args, &interrupt, is_quiet),
        Command::Stats(args) => files::print_stats(&args, &interrupt),
        Command::Dedupe(args) => files::dedupe_files(&args, false, &interrupt, is_quiet),
        Command::Filter(args) => files::filter_files(&args, &interrupt, is_quiet),
        Command::Split(args) => files::split_files(&args, &interrupt, is_quiet),
        Command::Merge(args) => {
            files::dedupe_files(&args.dedupe, args.unique_ids, &interrupt, is_quiet)
        }
        Command::FromPgn(args) => from_pgn::run(&args, &interrupt, is_quiet),
        Command::Eval(args) => eval::run(&args, &interrupt, is_quiet),
        Command::Bench(args) => bench::run(&args, &interrupt),
        Command::Run(args) => run::run(&args, &interrupt, is_quiet),
        Command::Mates(args) => mates::run(&args, &interrupt, is_quiet),
        Command::MatesHistory(args) => mates_history::run(&args),
        Command::Suites(args) => suites::run(&args),
    })
}
