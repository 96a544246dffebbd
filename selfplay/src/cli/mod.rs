//! The command line: parses arguments, runs the command, returns the exit code.

mod chosen;
mod compliance;
mod control;
mod foreign;
mod hints;
#[cfg(feature = "fleet")]
mod lab;
mod play;
mod play_args;
mod report;
mod resume;
mod stats;
mod tune;

use std::ffi::OsStr;
use std::process::ExitCode;

use clap::Subcommand;
use kit::cli::{Common, Reading};
use kit::output::{remark, to_stderr};
use kit::report::Format;
use kit::{BadInput, Exit, Interrupt};

const EXIT_CODES: &str = "Exit codes: 0 success, 1 a test has not accepted H1 or a required check \
                          has failed, 2 invalid usage or input, 3 an engine or the environment \
                          failed, 4 there was nothing to count, 130 interrupted.";

/// Is my change stronger? Games between engines, and the statistics of their results.
#[derive(Debug, Subcommand)]
#[command(version)]
enum Command {
    #[command(visible_alias = SPRT, alias = "tournament")]
    Match(Box<play::MatchArgs>),
    Resume(resume::ResumeArgs),
    #[cfg(feature = "fleet")]
    Wait(lab::WaitArgs),
    Report(report::ReportArgs),
    Watch(report::WatchArgs),
    Control(control::ControlArgs),
    Stats(stats::StatsArgs),
    Plan(stats::PlanArgs),
    Rate(stats::RateArgs),
    Compliance(compliance::ComplianceArgs),
    Tune(Box<tune::TuneArgs>),
    /// Run a command line of fastchess
    ///
    /// Translates it into a command line of selfplay, prints that on standard error, and runs it.
    /// What has no counterpart is noted, or an error if results would depend on it.
    ///
    /// Example: `selfplay fastchess -engine cmd=./new -engine cmd=./base -each tc=10+0.1 -rounds 100
    /// -openings file=book.epd format=epd order=random`.
    #[command(after_help = FOREIGN_EXIT_CODES)]
    Fastchess(foreign::ForeignArgs),
    /// Run a command line of cutechess-cli
    ///
    /// Translates it into a command line of selfplay, prints that on standard error, and runs it.
    /// What has no counterpart is noted, or an error if results would depend on it.
    ///
    /// Example: `selfplay cutechess -engine cmd=./new -engine cmd=./base -each proto=uci tc=10+0.1
    /// -games 2 -rounds 100 -repeat -openings file=book.pgn`.
    #[command(after_help = FOREIGN_EXIT_CODES)]
    Cutechess(foreign::ForeignArgs),
}

const FOREIGN_EXIT_CODES: &str = "Exit codes: those of the command that is run (match, sprt, \
                                  tournament or compliance); 2 if the line cannot be translated.";

/// Output format of a tuning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TuneFormat {
    /// Text for people
    Human,
    /// The values after each iteration, one line each, with a header
    Csv,
    /// One JSON object
    Json,
    /// The setoption commands that set the values
    Uci,
    /// A list of parameters for --param that starts from the current values
    List,
    /// A page with a chart of each value, for a browser
    Html,
    /// The charts as one picture
    Svg,
}

impl From<Format> for TuneFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Json => Self::Json,
            _ => Self::Human,
        }
    }
}

/// Runs the program with the arguments of the command line.
pub fn main() -> ExitCode {
    let words = std::env::args_os().skip(1);
    let words: Vec<String> = words
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let definition = Command::augment_subcommands(clap::Command::new(NAME));
    if let Some(hint) = hints::find(&words, &definition) {
        return kit::cli::run(|| Err(bad(hint)), |_| None);
    }
    let reading = Reading {
        meant,
        define,
        instead: hints::instead,
    };
    kit::cli::main(NAME, EXIT_CODES, reading, dispatch, |_| None)
}

const NAME: &str = "selfplay";
/// The other name of `match`, for a sequential test.
const SPRT: &str = "sprt";

/// `match --sprt ...` instead of `sprt ...`: the parser does not say by which name a command was called.
fn meant<T: AsRef<OsStr> + From<&'static str>>(mut words: Vec<T>) -> Vec<T> {
    if let Some(index) = find_sprt(&words) {
        words.splice(index..=index, ["match".into(), "--sprt".into()]);
    }
    words
}

/// The help of `match` as that of `sprt`, if that was typed.
fn define<T: AsRef<OsStr>>(definition: clap::Command, words: &[T]) -> clap::Command {
    if find_sprt(words).is_none() {
        return definition;
    }
    definition.mut_subcommand("match", |command| {
        command
            .about("Play games until a sequential test (SPRT) is decided")
            .mut_arg("sprt", |arg| arg.hide(true))
            .override_usage("selfplay sprt [OPTIONS] [ENGINE]...")
            .after_help(
                "Example: selfplay sprt ./new ./base --tc 10+0.1 --elo0 0 --elo1 5\n\n\
                 `selfplay sprt --help` for all.",
            )
    })
}

/// Where the command is `sprt`, among words without the name of the program.
fn find_sprt<T: AsRef<OsStr>>(words: &[T]) -> Option<usize> {
    let is_value = |index: usize| {
        let before = index.checked_sub(1).map(|before| words[before].as_ref());
        before == Some(OsStr::new("--color"))
    };
    let is_command = |&index: &usize| !hints::is_option(words[index].as_ref()) && !is_value(index);
    let command = (0..words.len()).find(is_command);
    command.filter(|&index| words[index].as_ref() == SPRT)
}

fn dispatch(command: Command, common: Common) -> anyhow::Result<Exit> {
    let parsed = match command {
        Command::Fastchess(args) => translated(foreign::Program::Fastchess, &args, common)?,
        Command::Cutechess(args) => translated(foreign::Program::Cutechess, &args, common)?,
        command => Some((command, common)),
    };
    let Some((command, common)) = parsed else {
        return Ok(Exit::Agreed);
    };
    let interrupt = Interrupt::listen()?;
    match command {
        Command::Fastchess(_) | Command::Cutechess(_) => unreachable!("translated above"),
        Command::Match(args) => {
            #[cfg(feature = "fleet")]
            if let Some(url) = args.lab.lab.clone() {
                return lab::submit(*args, &url, common, &interrupt);
            }
            play::run_match(*args, common, &interrupt)
        }
        Command::Resume(args) => resume::run(args, common, &interrupt),
        #[cfg(feature = "fleet")]
        Command::Wait(args) => lab::run_wait(&args, common, &interrupt),
        Command::Report(args) => report::run_report(&args, &interrupt),
        Command::Watch(args) => report::run_watch(&args, &interrupt),
        Command::Control(args) => control::run(&args, common, &interrupt),
        Command::Stats(args) => stats::run_stats(&args, common, &interrupt),
        Command::Plan(args) => stats::run_plan(&args, common, &interrupt),
        Command::Rate(args) => stats::run_rate(&args, &interrupt),
        Command::Compliance(args) => compliance::run(&args, common, &interrupt),
        Command::Tune(args) => tune::run(&args, common, &interrupt),
    }
}

/// Our own command for the line of another program, parsed as if it had been typed. `None` if the
/// line is printed only.
fn translated(
    program: foreign::Program,
    args: &foreign::ForeignArgs,
    common: Common,
) -> anyhow::Result<Option<(Command, Common)>> {
    let remarks = |line: &str| remark(common.quiet, line);
    let (mut words, settings) = foreign::translate(program, &args.words, &remarks)?;
    if let Some(output) = &args.output {
        words.extend(["--output", output].map(str::to_owned));
    }
    let mut line = uci::join_words([NAME].into_iter().chain(words.iter().map(|word| &**word)));
    if !settings.is_empty() {
        line.extend([" --config - <<'END'\n", &settings, "END"]);
    }
    if args.print {
        kit::output::to_stdout(line + "\n")?;
        return Ok(None);
    }
    remarks(&format!("equivalent: {line}"));
    let (mut command, own) = kit::cli::parse_words(NAME, EXIT_CODES, meant(words));
    let settings = crate::config::parse(&settings, "settings").map_err(bad)?;
    if let Command::Match(args) = &mut command {
        args.set(settings);
    }
    let quiet = common.quiet || own.quiet;
    Ok(Some((command, Common { quiet, ..own })))
}

/// The exit code of a report on this number of games.
fn games_or_none(games: u64) -> Exit {
    if games > 0 {
        return Exit::Agreed;
    }
    to_stderr("error: there are no games");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_fits_a_screen() {
        kit::cli::help::check(kit::cli::definition::<Command>(NAME, EXIT_CODES));
        let definition = kit::cli::definition::<Command>(NAME, EXIT_CODES);
        kit::cli::help::check(define(definition, &[SPRT]));
    }
}
