//! The command line: UCI on standard input, or a single command given as arguments.

use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use clap::{FromArgMatches as _, Parser, Subcommand};
use engine::search::Searcher;
use kit::{Exit, SelfDescription};

use crate::input::{InputLines, MAX_LINE};
use crate::opening::SplitMix64;
use crate::options::Options;
use crate::output::StandardOutput;
use crate::session::{AfterLine, Session};
use crate::worker::{SinceLine, WorkerThread};

const EXIT_CODES: &str =
    "Exit codes: 0 success, 2 invalid usage or input, 3 the environment failed.";

/// The UCI chess engine Touchstone
///
/// Without COMMAND, commands are read from standard input, one per line; `help` lists them. With
/// COMMAND, only that is executed: touchstone bench, touchstone go perft 5, touchstone go depth 12
#[derive(Debug, Parser)]
#[command(
    name = "touchstone",
    version,
    max_term_width = 100,
    override_usage = "touchstone [OPTIONS] [COMMAND...]",
    // `help` is a command of the session.
    disable_help_subcommand = true
)]
struct Args {
    /// Random seed of book moves [default: unpredictable]
    #[arg(long, value_name = "NUMBER", overrides_with = "seed")]
    seed: Option<u64>,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(flatten)]
    SelfDescription(SelfDescription),
    /// The words of a command of the session
    #[command(external_subcommand)]
    Session(Vec<String>),
}

pub(crate) fn main() -> ExitCode {
    kit::cli::run(
        || {
            let mut matches = kit::cli::command::<Args>(EXIT_CODES).get_matches();
            let args = Args::from_arg_matches_mut(&mut matches)?;
            match args.command {
                Some(Command::SelfDescription(asked)) => {
                    asked.run(kit::cli::command::<Args>(EXIT_CODES))
                }
                Some(Command::Session(words)) => run(args.seed, &words.join(" ")),
                None => run(args.seed, ""),
            }
        },
        |_| None,
    )
}

fn run(seed: Option<u64>, command: &str) -> anyhow::Result<Exit> {
    let output = Arc::new(StandardOutput::stdout());
    let options = Options::new();
    let searcher = Searcher::new(options.hash_mib())?;
    let worker =
        WorkerThread::start(searcher, Arc::clone(&output)).context("cannot start a thread")?;
    let random = SplitMix64::new(seed.unwrap_or_else(SplitMix64::any_seed));
    let mut session = Session::new(options, worker, random, output);
    if command.is_empty() {
        return read_all(session);
    }
    let next = session.execute(command, SinceLine::start());
    let is_done = session.finish();
    Ok(if next == AfterLine::Rejected {
        Exit::BadInput
    } else if is_done {
        Exit::Agreed
    } else {
        Exit::Failed
    })
}

/// Executes the commands from standard input up to `quit` or end of file.
fn read_all(mut session: Session) -> anyhow::Result<Exit> {
    let mut lines = InputLines::new(io::stdin().lock(), MAX_LINE);
    loop {
        let line = lines.next_line();
        let read = SinceLine::start();
        match line {
            Ok(Some(Ok(line))) => {
                if session.execute(&line, read) == AfterLine::Quit {
                    session.quit();
                    return Ok(Exit::Agreed);
                }
            }
            Ok(Some(Err(line))) => session.reject_line(&line),
            Ok(None) => {
                session.finish();
                return Ok(Exit::Agreed);
            }
            Err(error) => {
                session.quit();
                return Err(error).context("cannot read the input");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_fits_a_screen() {
        kit::cli::help::check(kit::cli::command::<Args>(EXIT_CODES));
    }

    /// Seed and command of a command line, or the first line of the error.
    fn parsed(line: &str) -> Result<(Option<u64>, String), String> {
        let words = std::iter::once("touchstone").chain(line.split_whitespace());
        let args = Args::try_parse_from(words).map_err(|error| {
            let text = error.to_string();
            text.lines().next().unwrap_or_default().to_owned()
        })?;
        Ok(match args.command {
            Some(Command::Session(words)) => (args.seed, words.join(" ")),
            other => (
                args.seed,
                other.map_or(String::new(), |it| format!("{it:?}")),
            ),
        })
    }

    #[test]
    fn arguments_are_read() {
        let run = |seed, command: &str| Ok((seed, command.to_owned()));
        #[rustfmt::skip]
        let rows = [
            ("", run(None, "")),
            ("bench 5", run(None, "bench 5")),
            ("help", run(None, "help")),
            ("--seed 7 go depth 1", run(Some(7), "go depth 1")),
            ("--seed 7 --seed 8", run(Some(8), "")),
            ("go wtime -50 --help", run(None, "go wtime -50 --help")),
            ("man folder", run(None, "SelfDescription(Man { folder: \"folder\" })")),
            ("-V", Err(concat!("touchstone ", env!("CARGO_PKG_VERSION")).to_owned())),
            ("--help", Err("The UCI chess engine Touchstone".to_owned())),
            ("--seed", Err("error: a value is required for '--seed <NUMBER>' but none was supplied".to_owned())),
            ("--seed x", Err("error: invalid value 'x' for '--seed <NUMBER>': invalid digit found in string".to_owned())),
            ("--sed 7", Err("error: unexpected argument '--sed' found".to_owned())),
        ];
        for (line, expected) in rows {
            assert_eq!(parsed(line), expected, "{line:?}");
        }
    }
}
