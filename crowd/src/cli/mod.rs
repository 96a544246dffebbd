//! Command line: argument parsing and exit codes.

mod aggregate;
mod database;
mod input;
mod serve;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use kit::cli::{Common, EXIT_CODES};

/// People list the legal moves of a position; lists that agree become test cases
#[derive(Debug, Parser)]
#[command(name = "crowd", version, max_term_width = 100)]
struct Args {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(serve::Args),
    Aggregate(aggregate::AggregateArgs),
    Check(verify::CheckArgs),
    Export(database::ExportArgs),
    Import(database::ImportArgs),
    Verify(verify::VerifyArgs),
    #[command(flatten)]
    SelfDescription(kit::SelfDescription),
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let program = || {
        let Args { common, command } = kit::cli::parse(EXIT_CODES, |args: &Args| args.common);
        let quiet = common.quiet;
        match command {
            Command::Serve(args) => serve::run(&args, quiet),
            Command::Aggregate(args) => aggregate::run(&args, quiet),
            Command::Check(args) => verify::run_check(&args),
            Command::Export(args) => database::run_export(&args),
            Command::Import(args) => database::run_import(&args, quiet),
            Command::Verify(args) => verify::run(&args),
            Command::SelfDescription(asked) => asked.run(kit::cli::command::<Args>(EXIT_CODES)),
        }
    };
    kit::cli::run(program, |_| None)
}
