//! The command line and the exit codes.

mod client;
mod database;
mod operator;
mod serve;

use std::process::ExitCode;

use clap::Subcommand;
use kit::Exit;
use kit::cli::Reading;
use queue::BrokerError;

use crate::people::PeopleError;
use crate::store::LabDatabaseError;
use crate::worker::{self, WorkerArgs};

const EXIT_CODES: &str = "Exit codes: 0 success, 1 workers disagree about a job, 2 invalid usage or input, 3 the \
                          server, the database or the environment failed, 4 nothing was done, 130 interrupted.";

/// Run a lab for chess engines: a server that distributes tests, and its workers
#[derive(Debug, Subcommand)]
#[command(version)]
enum Command {
    Serve(serve::ServeArgs),
    Worker(Box<WorkerArgs>),
    #[cfg(target_os = "linux")]
    // Workers start it: a program must confine itself before it becomes the one to be confined.
    #[command(hide = true)]
    Confine(worker::ConfineArgs),
    Save(database::SaveArgs),
    Restore(database::RestoreArgs),
    Account(operator::AccountArgs),
    Machine(operator::MachineArgs),
    Status(client::StatusArgs),
    Stop(client::StopArgs),
    Quarantine(client::QuarantineArgs),
    Discard(client::DiscardArgs),
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    kit::cli::main("fleet", EXIT_CODES, Reading::default(), run, exit_of)
}

fn run(command: Command, common: kit::cli::Common) -> anyhow::Result<Exit> {
    match command {
        Command::Serve(args) => serve::run(&args, common.quiet),
        Command::Worker(args) => worker::run(&args, common.quiet),
        #[cfg(target_os = "linux")]
        Command::Confine(args) => worker::confine(&args),
        Command::Save(args) => database::save(&args),
        Command::Restore(args) => database::restore(&args),
        Command::Account(args) => operator::account(&args),
        Command::Machine(args) => operator::machine(&args),
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
            // A token that is not accepted is bad input, as a wrong address is.
            BrokerError::BadUrl(_)
            | BrokerError::Denied(_)
            | BrokerError::NoJob(_)
            | BrokerError::NoWorker(_) => Exit::BadInput,
            _ => Exit::Failed,
        });
    }
    if let Some(error) = error.downcast_ref() {
        return Some(match error {
            PeopleError::Store(_) | PeopleError::NoRandom(_) | PeopleError::Hash(_) => Exit::Failed,
            _ => Exit::BadInput,
        });
    }
    Some(match error.downcast_ref()? {
        LabDatabaseError::BadUrl(_) => Exit::BadInput,
        _ => Exit::Failed,
    })
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches as _;

    use super::*;

    /// Parses the arguments as the program does, and leaves the environment alone.
    fn parse(arguments: &[String]) -> Result<Command, clap::Error> {
        let program = Command::augment_subcommands(clap::Command::new("fleet"));
        let words = std::iter::once("fleet").chain(arguments.iter().map(String::as_str));
        Command::from_arg_matches(&program.try_get_matches_from(words)?)
    }

    #[test]
    fn help_fits_a_screen() {
        kit::cli::help::check(kit::cli::definition::<Command>("fleet", EXIT_CODES));
    }

    #[test]
    fn deployed_commands_are_valid() {
        let compose = include_str!("../../deploy/compose.yaml");
        let of_compose = { compose.lines() }
            .filter_map(|line| line.trim().strip_prefix("command: "))
            .map(|list| serde_json::from_str::<Vec<String>>(list).expect("a list of words"))
            .filter(|words| words[0] != "caddy");
        let services = [
            include_str!("../../deploy/fleet-server.service"),
            include_str!("../../deploy/fleet-worker.service"),
        ];
        let of_services = { services.iter() }
            .flat_map(|text| text.lines())
            .filter_map(|line| line.strip_prefix("ExecStart=/usr/local/bin/fleet "))
            .map(|line| line.split(' ').map(str::to_owned).collect());
        let mut number = 0;
        for mut words in of_compose.chain(of_services) {
            if words == ["worker"] {
                // The unit takes the address from FLEET_URL in its environment.
                words.push(String::from("https://lab.example"));
            }
            let parsed = parse(&words);
            assert!(parsed.is_ok(), "{words:?}: {}", parsed.unwrap_err());
            number += 1;
        }
        assert_eq!(number, 4);
    }
}
