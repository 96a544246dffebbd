//! Command line: argument parsing and exit codes.

mod aggregate;
mod database;
mod input;
mod serve;
mod verify;

use std::io::Write as _;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use kit::{BadInput, Exit};

/// People list the legal moves of a position; lists that agree become test cases.
///
/// Exit codes: 0 success, 1 a difference was found, 2 invalid usage or input, 3 an engine or the
/// environment failed, 4 nothing to do, 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "crowd", version, max_term_width = 100)]
struct Args {
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
    kit::make_file_limit_an_error();
    let done = match Args::parse().command {
        Command::Serve(args) => serve::run(&args),
        Command::Aggregate(args) => aggregate::run(&args),
        Command::Check(args) => verify::run_check(&args),
        Command::Export(args) => database::run_export(&args),
        Command::Import(args) => database::run_import(&args),
        Command::Verify(args) => verify::run(&args),
        Command::SelfDescription(asked) => asked.run(Args::command()),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(error) => {
            let is_input = error.is::<BadInput>();
            // If standard error is closed, the message is lost; there is no other place for it.
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            if is_input {
                Exit::BadInput
            } else {
                Exit::Failed
            }
            .into()
        }
    }
}
