//! Command line: argument parsing and exit codes.

mod bench;
mod eval;
mod files;
mod from_pgn;
mod input;
mod journal;
#[cfg(feature = "fleet")]
mod lab;
mod lint;
mod mates;
mod records;
mod run;
mod suites;

use std::path::Path;
use std::process::ExitCode;

use clap::Subcommand;
use kit::cli::{Common, EXIT_CODES, Reading, With, is_program};
use kit::{Exit, Interrupt};

/// Test positions in EPD: lint and repair files, run them on engines, compare with a baseline.
#[derive(Debug, Subcommand)]
#[command(version)]
enum Command {
    Lint(lint::LintArgs),
    Normalise(lint::NormaliseArgs),
    Stats(files::FileStatsArgs),
    Dedupe(files::DedupeArgs),
    Filter(Box<files::FilterArgs>),
    FromPgn(from_pgn::FromPgnArgs),
    Eval(eval::EvalArgs),
    Bench(bench::EngineBenchArgs),
    Run(Box<run::RunArgs>),
    Mates(Box<mates::MatesArgs>),
    MatesHistory(mates::MatesHistoryArgs),
    Suites(suites::SuitesArgs),
}

/// How all commands read positions and games.
#[derive(Clone, Copy, Debug, clap::Args)]
struct ReadingArgs {
    /// Skip what cannot be read, and report it
    ///
    /// Records, games and lines of data that cannot be read are left out, instead of rejecting the
    /// whole input. Of `lint` and `normalise`, they are the subject.
    #[arg(
        long,
        global = true,
        hide_short_help = true,
        help_heading = "Global options"
    )]
    skip_bad: bool,
}

impl Command {
    /// Tells a command that reads positions or games whether to skip what cannot be read.
    fn set_skip_bad(&mut self, skip_bad: bool) {
        let place = match self {
            Self::Stats(args) => &mut args.input.skip_bad,
            Self::Dedupe(args) => &mut args.input.skip_bad,
            Self::Filter(args) => &mut args.input.skip_bad,
            Self::FromPgn(args) => &mut args.skip_bad,
            Self::Eval(args) => return args.set_skip_bad(skip_bad),
            Self::Run(args) => &mut args.skip_bad,
            Self::Mates(args) => &mut args.skip_bad,
            // What cannot be read is their subject, or they read neither.
            Self::Lint(_)
            | Self::Normalise(_)
            | Self::Bench(_)
            | Self::MatesHistory(_)
            | Self::Suites(_) => return,
        };
        *place = skip_bad;
    }
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let reading = Reading {
        instead,
        ..Reading::default()
    };
    kit::cli::main("epd", EXIT_CODES, reading, dispatch, |_| None)
}

/// The command line that was meant by one that names an engine as if it were a suite, or no command.
fn instead(words: &[String], definition: &clap::Command) -> Option<String> {
    const ENGINE: &str = "./my-engine";
    let words: Vec<&str> = words.iter().map(|word| &**word).collect();
    let words = kit::cli::without_misnamed(&words, definition, &[]);
    let (engines, rest): (Vec<&str>, Vec<&str>) =
        words.iter().partition(|word| is_program(word, definition));
    let has_engine = words.contains(&"--engine");
    let is_word = |word: &str| !word.starts_with('-');
    let is_suite = |word: &&str| crate::suites::find(word).is_some() || Path::new(word).is_file();
    let mut line = vec!["epd"];
    match (&*engines, &*rest) {
        _ if has_engine => return None,
        ([engine], ["bench"] | []) => line.extend(["bench", "--engine", engine]),
        ([_, ..], ["run" | "mates", given @ ..] | given)
            if given
                .first()
                .is_none_or(|first| definition.find_subcommand(first).is_none()) =>
        {
            let command = rest.first().filter(|word| ["run", "mates"].contains(word));
            line.push(command.copied().unwrap_or("run"));
            // A suite that does not exist is named by the error.
            if !given.iter().any(is_suite) && given.first().is_none_or(|first| !is_word(first)) {
                line.push(if command == Some(&"mates") {
                    "mate-in-3"
                } else {
                    "tactics"
                });
            }
            line.extend(given);
            for engine in &engines {
                line.extend(["--engine", engine]);
            }
        }
        ([], ["run" | "mates" | "eval", ..]) if words.iter().skip(1).all(|word| is_word(word)) => {
            line.extend(&words);
            match &*words {
                ["run"] | ["eval", "dump" | "check"] => line.push("tactics"),
                ["mates"] => line.push("mate-in-3"),
                ["eval"] => line.extend(["check", "tactics"]),
                ["eval", "diff" | "score" | "label", ..] => return None,
                _ => {}
            }
            line.extend(["--engine", ENGINE]);
        }
        ([], ["bench"]) => line.extend(["bench", "--engine", ENGINE]),
        ([], [file]) if Path::new(file).is_file() => line.extend(["lint", file]),
        _ => return None,
    }
    Some(uci::join_words(line))
}

fn dispatch(program: With<ReadingArgs, Command>, common: Common) -> anyhow::Result<Exit> {
    let With {
        options,
        mut command,
    } = program;
    command.set_skip_bad(options.skip_bad);
    let interrupt = Interrupt::listen()?;
    let is_quiet = common.quiet;
    input::or_interrupted(match command {
        Command::Lint(args) => lint::lint_files(&args, &interrupt, is_quiet),
        Command::Normalise(args) => lint::normalise_files(&args, &interrupt, is_quiet),
        Command::Stats(args) => files::print_stats(&args, &interrupt),
        Command::Dedupe(args) => files::dedupe_files(&args, &interrupt, is_quiet),
        Command::Filter(args) => files::filter_files(&args, &interrupt, is_quiet),
        Command::FromPgn(args) => from_pgn::run(&args, &interrupt, is_quiet),
        Command::Eval(args) => eval::run(&args, &interrupt, is_quiet),
        Command::Bench(args) => bench::run(&args, &interrupt),
        Command::Run(args) => run::run(&args, &interrupt, is_quiet),
        Command::Mates(args) => mates::run(&args, &interrupt, is_quiet),
        Command::MatesHistory(args) => mates::print_history(&args),
        Command::Suites(args) => suites::run(&args),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_fits_a_screen() {
        kit::cli::help::check(kit::cli::definition::<With<ReadingArgs, Command>>(
            "epd", EXIT_CODES,
        ));
    }
}
