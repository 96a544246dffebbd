//! The command line: UCI on standard input, or a single command given as arguments.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use engine::search::Searcher;

use crate::input::{Lines, MAX_LINE};
use crate::opening::Random;
use crate::options::Options;
use crate::output::Output;
use crate::session::{Next, Session, VERSION};
use crate::worker::{Stopwatch, Worker};

/// Exit code for an invalid command line.
const BAD_USAGE: u8 = 2;
/// Exit code if memory, threads or input are not available.
const NO_ENVIRONMENT: u8 = 3;

const USAGE: &str = "\
The UCI chess engine Touchstone.

Usage: touchstone [--seed NUMBER] [COMMAND...]

Without COMMAND, commands are read from standard input, one per line; `help` lists them. With COMMAND,
only that is executed: touchstone bench, touchstone go perft 5, touchstone go depth 12

Options:
      --seed NUMBER  Random seed of book moves [default: unpredictable]
  -h, --help         Print help
  -V, --version      Print version

Exit codes: 0 success, 2 invalid usage or input, 3 the environment failed.";

#[derive(Clone, Debug, PartialEq, Eq)]
enum Arguments {
    Help,
    Version,
    /// A seed and a command, which may be empty.
    Run(Option<u64>, String),
}

pub(crate) fn main() -> ExitCode {
    let words: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let output = Arc::new(Output::stdout());
    match parse(&words) {
        Ok(Arguments::Help) => output.say(USAGE),
        Ok(Arguments::Version) => output.say(format!("touchstone {VERSION}")),
        Ok(Arguments::Run(seed, command)) => return run(seed, &command, output),
        Err(error) => return fail(&error, BAD_USAGE),
    }
    ExitCode::SUCCESS
}

fn parse(words: &[String]) -> Result<Arguments, String> {
    let mut seed = None;
    let mut rest = words;
    while let [flag, after @ ..] = rest
        && flag.starts_with('-')
    {
        rest = after;
        match flag.as_str() {
            "-h" | "--help" => return Ok(Arguments::Help),
            "-V" | "--version" => return Ok(Arguments::Version),
            "--seed" => {
                let [value, after @ ..] = rest else {
                    return Err("--seed needs a number, such as --seed 7".to_owned());
                };
                seed = Some(value.parse().map_err(|_| {
                    format!(
                        "invalid seed '{value}', expected a number from 0 to {}",
                        u64::MAX
                    )
                })?);
                rest = after;
            }
            _ => return Err(format!("unknown option '{flag}', see touchstone --help")),
        }
    }
    Ok(Arguments::Run(seed, rest.join(" ")))
}

fn run(seed: Option<u64>, command: &str, output: Arc<Output>) -> ExitCode {
    let options = Options::new();
    let searcher = match Searcher::new(options.hash_mib()) {
        Ok(searcher) => searcher,
        Err(error) => return fail(&error.to_string(), NO_ENVIRONMENT),
    };
    let worker = match Worker::start(searcher, Arc::clone(&output)) {
        Ok(worker) => worker,
        Err(error) => return fail(&format!("cannot start a thread: {error}"), NO_ENVIRONMENT),
    };
    let random = Random::new(seed.unwrap_or_else(Random::any_seed));
    let mut session = Session::new(options, worker, random, output);
    if command.is_empty() {
        return read_all(session);
    }
    let next = session.execute(command, Stopwatch::start());
    let is_done = session.finish();
    if next == Next::Rejected {
        ExitCode::from(BAD_USAGE)
    } else if is_done {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(NO_ENVIRONMENT)
    }
}

/// Executes the commands from standard input up to `quit` or end of file.
fn read_all(mut session: Session) -> ExitCode {
    let mut lines = Lines::new(io::stdin().lock(), MAX_LINE);
    loop {
        let line = lines.next_line();
        let read = Stopwatch::start();
        match line {
            Ok(Some(Ok(line))) => {
                if session.execute(&line, read) == Next::Quit {
                    session.quit();
                    return ExitCode::SUCCESS;
                }
            }
            Ok(Some(Err(line))) => session.reject_line(&line),
            Ok(None) => {
                session.finish();
                return ExitCode::SUCCESS;
            }
            Err(error) => {
                session.quit();
                return fail(&format!("cannot read the input: {error}"), NO_ENVIRONMENT);
            }
        }
    }
}

/// Prints an error to standard error.
fn fail(error: &str, code: u8) -> ExitCode {
    // If even this fails, the exit code must do.
    let _ = writeln!(io::stderr(), "error: {error}");
    ExitCode::from(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Arguments, String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        parse(if line.is_empty() { &[] } else { &words })
    }

    #[test]
    fn arguments_are_read() {
        let run = |seed, command: &str| Ok(Arguments::Run(seed, command.to_owned()));
        #[rustfmt::skip]
        let rows = [
            ("", run(None, "")),
            ("--help", Ok(Arguments::Help)),
            ("-V", Ok(Arguments::Version)),
            ("bench 5", run(None, "bench 5")),
            ("--seed 7 go depth 1", run(Some(7), "go depth 1")),
            ("--seed", Err("--seed needs a number, such as --seed 7".to_owned())),
            ("--seed x", Err("invalid seed 'x', expected a number from 0 to 18446744073709551615".to_owned())),
            ("--sed 7", Err("unknown option '--sed', see touchstone --help".to_owned())),
        ];
        for (line, expected) in rows {
            assert_eq!(parsed(line), expected, "{line:?}");
        }
    }
}
