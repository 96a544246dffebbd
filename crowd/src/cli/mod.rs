//! Command line: argument parsing and exit codes.

mod database;
mod input;
mod overlooked;
mod people;
mod serve;
mod verify;

use std::process::ExitCode;

use clap::Subcommand;
use kit::cli::{EXIT_CODES, Reading};

/// People list the legal moves of a position; lists that agree become test cases
#[derive(Debug, Subcommand)]
#[command(version)]
enum Command {
    Serve(serve::ServerArgs),
    Check(verify::ListCheckArgs),
    Export(database::ExportArgs),
    Import(database::ImportArgs),
    Overlooked(overlooked::OverlookedArgs),
    People(people::PeopleArgs),
    Verify(verify::VerifyArgs),
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let program = |command: Command, common: kit::cli::Common| {
        let quiet = common.quiet;
        match command {
            Command::Serve(args) => serve::run(&args, quiet),
            Command::Check(args) => verify::run_check(&args),
            Command::Export(args) => database::run_export(&args),
            Command::Import(args) => database::run_import(&args, quiet),
            Command::Overlooked(args) => overlooked::run(&args),
            Command::People(args) => people::run(&args),
            Command::Verify(args) => verify::run(&args),
        }
    };
    kit::cli::main("crowd", EXIT_CODES, Reading::default(), program, |_| None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_fits_a_screen() {
        kit::cli::help::check(kit::cli::definition::<Command>("crowd", EXIT_CODES));
    }
}
