//! The command line and the exit codes.

mod act;
mod status;
mod up;

use std::io::Write as _;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use kit::{BadInput, Exit};

use crate::BrokerError;

/// Manage the database server that distributes work to `perft worker` and `selfplay worker`.
///
/// URL is postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=MODE&sslrootcert=FILE. A password
/// that is not in it is taken from PGPASSWORD. MODE is disable, prefer (the default), require or
/// verify-full; the last needs FILE, or `system`.
///
/// Exit codes: 0 success, 1 a job has alarms, 2 bad usage or input, 3 the server failed or cannot
/// be reached, 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "fleet", version, max_term_width = 100)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Up(up::UpArgs),
    Status(status::StatusArgs),
    Stop(act::StopArgs),
    SetAside(act::SetAsideArgs),
    Forget(act::ForgetArgs),
    Remove(act::RemoveArgs),
    #[command(flatten)]
    SelfDescription(kit::SelfDescription),
}

/// Runs the command line program.
pub fn main() -> ExitCode {
    let done = match Args::parse().command {
        Command::Up(args) => up::run(&args),
        Command::Status(args) => status::run(&args),
        Command::Stop(args) => act::stop(&args),
        Command::SetAside(args) => act::set_aside(&args),
        Command::Forget(args) => act::forget(&args),
        Command::Remove(args) => act::remove(&args),
        Command::SelfDescription(asked) => asked.run(Args::command()),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(error) => {
            let exit = exit_of(&error);
            // Standard error may be closed; the exit code reports the failure all the same.
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            exit.into()
        }
    }
}

fn exit_of(error: &anyhow::Error) -> Exit {
    use BrokerError as E;
    match error.downcast_ref() {
        Some(E::BadUrl(_) | E::NoJob(_) | E::NoWorker(_)) => Exit::BadInput,
        None if error.is::<BadInput>() => Exit::BadInput,
        _ => Exit::Failed,
    }
}
