//! The command line: parses arguments, runs the command, returns the exit code.

mod compliance;
mod fleet;
mod play;
mod play_args;
mod report;
mod resume;
mod session;
mod stats;
mod tune;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Subcommand;
use kit::cli::Common;
use kit::{BadInput, Exit, Interrupt};

const EXIT_CODES: &str = "Exit codes: 0 success, 1 a test has not accepted H1 or a required check \
                          has failed, 2 invalid usage or input, 3 an engine or the environment \
                          failed, 4 there was nothing to count, 130 interrupted.";

/// Is my change stronger? Games between engines, and the statistics of their results.
#[derive(Debug, Subcommand)]
#[command(version)]
enum Command {
    Match(play::MatchArgs),
    Sprt(play::SprtArgs),
    Tournament(play::TournamentArgs),
    Resume(resume::ResumeArgs),
    Report(report::ReportArgs),
    Watch(report::WatchArgs),
    Stats(stats::StatsArgs),
    Plan(stats::PlanArgs),
    Simulate(stats::SimulateArgs),
    Rate(stats::RateArgs),
    Compliance(compliance::ComplianceArgs),
    Tune(Box<tune::TuneArgs>),
    Worker(fleet::WorkerArgs),
}

/// Output format for people or for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TextFormat {
    /// Text for people
    Human,
    /// One JSON object
    Json,
}

/// Runs the program with the arguments of the command line.
pub fn main() -> ExitCode {
    kit::cli::main("selfplay", EXIT_CODES, dispatch, |_| None)
}

fn dispatch(command: Command, common: Common) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::listen()?;
    match command {
        Command::Match(args) => play::run_match(args, common, &interrupt),
        Command::Sprt(args) => play::run_sprt(args, common, &interrupt),
        Command::Tournament(args) => play::run_tournament(args, common, &interrupt),
        Command::Resume(args) => resume::run(args, common, &interrupt),
        Command::Report(args) => report::run_report(&args, &interrupt),
        Command::Watch(args) => report::run_watch(&args, &interrupt),
        Command::Stats(args) => stats::run_stats(&args, common, &interrupt),
        Command::Plan(args) => stats::run_plan(&args),
        Command::Simulate(args) => stats::run_simulate(&args, common, &interrupt),
        Command::Rate(args) => stats::run_rate(&args, &interrupt),
        Command::Compliance(args) => compliance::run(&args, common, &interrupt),
        Command::Tune(args) => tune::run(&args, common, &interrupt),
        Command::Worker(args) => fleet::run_worker(args, common, &interrupt),
    }
}

/// Writes to standard error. A closed one is ignored: the exit code still reports the outcome.
fn print_error(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Prints a remark on standard error, unless `--quiet` is given.
fn remark(is_quiet: bool, line: &str) {
    if !is_quiet {
        print_error(line);
    }
}

/// The exit code of a report on this number of games.
fn games_or_none(games: u64) -> Exit {
    if games > 0 {
        return Exit::Agreed;
    }
    print_error("error: there are no games");
    Exit::Nothing
}

/// Quotes a word for a shell.
fn shell_word(text: &str) -> String {
    uci::quote_word(text)
}

/// An error caused by the user: bad usage or input.
fn bad(error: impl std::fmt::Display) -> anyhow::Error {
    BadInput(error.to_string()).into()
}

/// An error caused by the user if `is_input`, else by an engine or the environment. Its text already
/// includes its causes.
fn failed(is_input: bool, error: impl std::fmt::Display) -> anyhow::Error {
    if is_input {
        bad(error)
    } else {
        anyhow::Error::msg(error.to_string())
    }
}

/// The current time, used to name runs.
#[expect(
    clippy::disallowed_methods,
    reason = "a run is named by the time it began"
)]
fn time_now() -> crate::play::ledger::UtcTime {
    use std::time::{SystemTime, UNIX_EPOCH};

    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    crate::play::ledger::UtcTime::of_milliseconds(u64::try_from(now.as_millis()).unwrap_or(0))
}
