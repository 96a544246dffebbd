//! The command line and the exit codes.

mod client;
mod serve;

use std::process::ExitCode;

use clap::Subcommand;
use kit::Exit;
use queue::BrokerError;

use crate::store::StoreError;
use crate::worker::{self, WorkerArgs};

const EXIT_CODES: &str = "Exit codes: 0 success, 1 workers disagree about a job, 2 invalid usage or input, 3 the \
                          server, the database or the environment failed, 4 nothing was done, 130 interrupted.";

/// Run a lab for chess engines: a server that distributes tests, and its workers
#[derive(Debug, Subcommand)]
#[command(version)]
enum Command {
    Serve(serve::ServeArgs),
    Worker(Box<WorkerArgs>),
    Status(client::StatusArgs),
    Stop(client::StopArgs),
    Quarantine(client::QuarantineArgs),
    Discard(client::DiscardArgs),
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    kit::cli::main("fleet", EXIT_CODES, run, exit_of)
}

fn run(command: Command, common: kit::cli::Common) -> anyhow::Result<Exit> {
    match command {
        Command::Serve(args) => serve::run(&args, common.quiet),
        Command::Worker(args) => worker::run(&args, common.quiet),
        Command::Status(args) => client::status(&args),
        Command::Stop(args) => client::stop(&args),
        Command::Quarantine(args) => client::quarantine(&args),
        Command::Discard(args) => client::discard(&args),
    }
}

/// Exit codes of errors that the library returns.
fn exit_of(error: &anyhow::Error) -> Option<Exit> {
    if let Some(error) = error.downcast_ref() {
        return Some(match error {
            BrokerError::BadUrl(_)
            | BrokerError::Denied(_)
            | BrokerError::NoJob(_)
            | BrokerError::NoWorker(_) => Exit::BadInput,
            _ => Exit::Failed,
        });
    }
    Some(match error.downcast_ref()? {
        StoreError::BadUrl(_) => Exit::BadInput,
        _ => Exit::Failed,
    })
}
