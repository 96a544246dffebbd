//! The command line: runs the chosen command and maps its outcome to an exit code.

mod check;
mod consistency;
mod count;
mod coverage;
mod effort;
mod explain;
mod generate;
#[cfg(feature = "fleet")]
mod lab;
mod random;
mod watch;

use std::ffi::OsString;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use chess::notation::{fen, uci_move};
use chess::perft::CountError;
use chess::rules::Position;
use clap::Subcommand;
use epd::{Severity, SuiteEntry, SuiteReader, suites};
use kit::cli::{Common, Reading, With};
use kit::output::remark;
use kit::{BadInput, Exit, Interrupt, Progress, output, programs, read};

use crate::count::bench;
use crate::count::subject::Route;
use crate::suite::check::plan::{CheckPlan, CountFilter};
use crate::suite::{jsonl, positions};
use effort::{Effort, Threads};

/// Is my move generator right? Perft of one position, over EPD suites, and as a benchmark.
#[derive(Debug, Subcommand)]
#[command(version)]
enum Command {
    Count(count::CountArgs),
    Check(Box<check::CheckArgs>),
    Consistency(consistency::ConsistencyArgs),
    Coverage(coverage::CoverageArgs),
    Bench(BenchArgs),
    Explain(explain::ExplainArgs),
    Generate(generate::GenerateArgs),
}

/// Measure nodes per second on the classic positions
///
/// With and without bulk counting, on one thread and on all; every count is compared with the
/// published one.
#[derive(Debug, clap::Args)]
struct BenchArgs {
    #[command(flatten)]
    effort: Effort,
}

const EXIT_CODES: &str = "Exit codes: 0 all counts agree, 1 a count differs or is not verified, 2 invalid usage or input \
                          (a broken suite too), 3 an engine or the environment failed, 4 nothing was \
                          selected, 130 interrupted.";

/// From this depth on, an automatic hash table repays the time to fill its memory.
const LEAST_DEPTH_FOR_TABLE: u32 = 7;
/// The same threshold for suites, in leaf nodes of all counts.
const LEAST_NODES_FOR_TABLE: u64 = 20_000_000_000;

/// Runs the program on the process's command line.
pub fn main() -> ExitCode {
    let run = |program: With<Threads, Command>, common: Common| {
        let With { options, command } = program;
        let session = CommandContext {
            interrupt: Interrupt::listen()?,
            quiet: common.quiet,
            verbose: common.verbose,
            threads: options,
        };
        match command {
            Command::Count(args) => {
                #[cfg(feature = "fleet")]
                if let Some(url) = &args.lab.lab {
                    return lab::count(&args, url, &session);
                }
                count::count(&args, &session)
            }
            Command::Check(args) => check::check(&args, &session),
            Command::Consistency(args) => consistency::consistency(&args, &session),
            Command::Coverage(args) => coverage::coverage(&args, &session),
            Command::Bench(args) => bench(&args, &session),
            Command::Explain(args) => explain::explain(&args, &session),
            Command::Generate(args) => generate::generate(&args, &session),
        }
    };
    let reading = Reading {
        meant,
        instead,
        ..Reading::default()
    };
    kit::cli::main("perft", EXIT_CODES, reading, run, |error| {
        match error.downcast_ref()? {
            CountError::Cancelled => Some(Exit::Interrupted),
            // A count beyond 64 bits is an invalid request, not a failure.
            _ => Some(Exit::BadInput),
        }
    })
}

/// What every command is given besides its own options.
struct CommandContext {
    interrupt: Interrupt,
    quiet: bool,
    verbose: bool,
    threads: Threads,
}

impl CommandContext {
    /// Progress on a terminal, unless `--quiet` is given or it is not `wanted`.
    fn progress(&self, length: u64, unit: &'static str, wanted: bool) -> Progress {
        Progress::new(length, unit, wanted && !self.quiet)
    }

    /// Resolves a name or a FEN. Tolerated oddities of the FEN are remarked upon.
    fn position(&self, text: &str) -> Result<Position, BadInput> {
        let found = positions::find(text).map_err(|error| BadInput(error.to_string()))?;
        for fault in found.tolerated {
            let read = fen::write(&found.position);
            remark(self.quiet, &format!("warning: {fault}; read as {read}"));
        }
        Ok(found.position)
    }

    /// Resolves a position and, after the word `moves`, moves in UCI notation; also with the words
    /// `position` and `fen` before it, as in UCI.
    fn route(&self, text: &str) -> Result<Route, BadInput> {
        let text = text.trim();
        let text = text.strip_prefix("position ").unwrap_or(text);
        let text = text.strip_prefix("fen ").unwrap_or(text);
        let (position, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        let root = self.position(position.trim())?;
        let mut route = Route::by_fen(root);
        for word in moves.split_whitespace() {
            let m = uci_move::parse(word, route.position(), root.castling_mode());
            route = route.then(m.map_err(|error| BadInput(error.to_string()))?);
        }
        Ok(route)
    }
}

/// Puts in the command `count` before a position or a depth.
fn meant(mut words: Vec<OsString>) -> Vec<OsString> {
    let mut index = 0;
    while let Some(word) = words.get(index).and_then(|word| word.to_str()) {
        match word {
            "--color" => index += 2,
            "-q" | "-v" | "--quiet" | "--verbose" => index += 1,
            _ if word.starts_with("--color=") => index += 1,
            _ => {
                if is_counted(word) {
                    words.insert(index, "count".into());
                }
                break;
            }
        }
    }
    words
}

/// Whether a word in place of a command is a depth or begins a position.
fn is_counted(word: &str) -> bool {
    let is_command = |name: &str| {
        let definition = Command::augment_subcommands(clap::Command::new("perft"));
        definition.find_subcommand(name).is_some()
    };
    let is_board = |text: &str| text.matches('/').count() == 7 && !Path::new(text).exists();
    let first = word.split_whitespace().next().unwrap_or_default();
    !first.is_empty()
        && !is_command(word)
        && (first.bytes().all(|byte| byte.is_ascii_digit())
            || matches!(first, "position" | "fen")
            || is_board(first)
            || (!first.contains('/') && positions::find(first).is_ok()))
}

/// The command line that was meant by one that names an engine as if it were a suite.
fn instead(words: &[String], definition: &clap::Command) -> Option<String> {
    let words: Vec<&str> = words.iter().map(|word| &**word).collect();
    // A template without `{fen}` and `{depth}` is no question, but an engine.
    let words = kit::cli::without_misnamed(&words, definition, &["run"]);
    let (program, rest): (Vec<&str>, Vec<&str>) = words
        .iter()
        .partition(|word| kit::cli::is_program(word, definition));
    let line = match (&*program, &*rest) {
        ([engine], ["bench", ..]) => vec!["epd", "bench", "--engine", engine],
        ([engine], []) => vec!["perft", "check", "--engine", engine],
        ([engine], [command @ ("check" | "consistency"), rest @ ..])
            if !rest.contains(&"--engine") =>
        {
            let mut line = vec!["perft", command];
            line.extend(rest);
            line.extend(["--engine", engine]);
            line
        }
        ([engine], rest) if words.first() == program.first() => {
            let mut line = vec!["perft", "check"];
            line.extend(rest);
            line.extend(["--engine", engine]);
            line
        }
        ([], ["consistency"]) => vec!["perft", "consistency", "--engine", "./my-engine"],
        ([], ["count"]) => vec!["perft", "count", "5"],
        ([], [command @ ("count" | "divide"), position @ ..])
            if position
                .iter()
                .all(|word| *word == "-" || !word.starts_with('-')) =>
        {
            // A position without a depth, or the command of other programs.
            let last = position.last();
            let has_depth = last.is_some_and(|last| last.parse::<u32>().is_ok());
            if !has_depth && positions::find(&position.join(" ")).is_err() {
                return None;
            }
            let mut line = vec!["perft", "count"];
            line.extend(position);
            if !has_depth {
                line.push("5");
            }
            if *command == "divide" {
                line.push("--divide");
            } else if has_depth {
                return None;
            }
            line
        }
        _ => return None,
    };
    Some(uci::join_words(line))
}

fn bench(args: &BenchArgs, session: &CommandContext) -> anyhow::Result<Exit> {
    let interrupt = &session.interrupt;
    let table = args.effort.table(false)?;
    let counter = Effort::counter(table.as_ref())?;
    let counter = counter.cancel(interrupt.flag());
    let text = bench::run(counter, &session.threads.pool()?, || interrupt.has_come());
    output::to_stdout(&text)?;
    Ok(if interrupt.has_come() {
        Exit::Interrupted
    } else {
        Exit::Agreed
    })
}

/// Plans the counts of suites, or of all built-in ones if there are no names, that pass the filter.
/// Files are read record by record; `edit` may change each before it is planned.
fn read_plan(
    names: &[PathBuf],
    filter: &CountFilter,
    mut edit: impl FnMut(&mut SuiteEntry) -> anyhow::Result<()>,
) -> anyhow::Result<CheckPlan> {
    let mut plan = CheckPlan::default();
    let mut read = |name: &str, input: &mut dyn BufRead| -> anyhow::Result<()> {
        let fail = |error| BadInput(format!("cannot read {name}: {error}"));
        plan.begin_suite(name);
        let mut diagnostics = Vec::new();
        let report = |problem| diagnostics.push(problem);
        let mut add = |mut entry: SuiteEntry| -> anyhow::Result<()> {
            edit(&mut entry)?;
            plan.add(&entry, filter);
            Ok(())
        };
        if jsonl::looks_like_json(input.fill_buf().map_err(fail)?) {
            let broken = |error| BadInput(format!("{name}:{error}")).into();
            jsonl::read(input, report, add, broken)?;
        } else {
            for entry in SuiteReader::new(input, report) {
                add(entry.map_err(fail)?)?;
            }
        }
        plan.end_suite(diagnostics);
        Ok(())
    };
    if names.is_empty() {
        for suite in suites::ALL {
            read(suite.name, &mut suite.text.as_bytes())?;
        }
    }
    for path in names {
        read(&path.display().to_string(), &mut *open_suite(path)?)?;
    }
    Ok(plan)
}

/// The counts of these suites that pass the filter.
///
/// # Errors
///
/// When a suite has an unreadable line.
fn plan_whole(names: &[PathBuf], filter: &CountFilter) -> anyhow::Result<CheckPlan> {
    let plan = read_plan(names, filter, |_| Ok(()))?;
    reject_broken(&plan)?;
    Ok(plan)
}

/// An error if a suite has an unreadable line.
fn reject_broken(plan: &CheckPlan) -> Result<(), BadInput> {
    for suite in &plan.suites {
        let mut diagnostics = suite.diagnostics.iter();
        if let Some(error) = diagnostics.find(|one| one.severity() == Severity::Error) {
            return Err(BadInput(error.display(&suite.name).to_string()));
        }
    }
    Ok(())
}

/// Opens a suite: a file or, if there is no such file, a built-in suite of this name.
fn open_suite(path: &Path) -> Result<Box<dyn BufRead>, BadInput> {
    let name = path.display().to_string();
    if suites::find(&name).is_none() {
        programs::refuse(path)?;
    }
    match read::open(path, read::DATA) {
        Ok(file) => Ok(Box::new(file)),
        Err(error) => match suites::find(&name) {
            Some(built_in) if error.kind() == io::ErrorKind::NotFound => {
                Ok(Box::new(built_in.text.as_bytes()))
            }
            _ => {
                let meant = kit::spelling::did_you_mean;
                Err(BadInput(suites::describe_missing(&name, &error, meant)))
            }
        },
    }
}

/// Checks before the work begins that outputs are writable and overwrite neither an input nor one
/// another.
fn check_outputs(outputs: &[Option<&Path>], inputs: &[PathBuf]) -> Result<(), BadInput> {
    output::check_writable(outputs)?;
    output::refuse_to_replace(outputs, inputs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_fits_a_screen() {
        kit::cli::help::check(kit::cli::definition::<With<Threads, Command>>(
            "perft", EXIT_CODES,
        ));
    }
}
