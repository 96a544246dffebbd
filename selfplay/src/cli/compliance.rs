//! `selfplay compliance`.

use std::time::Duration;

use kit::{Exit, Interrupt, Progress, output};
use uci::{Cancel, CommandLine};

use crate::compliance::{self, CHECKS, Check, Patience, RunError, Subject, Tally};
use crate::report::compliance::{ComplianceReport, human, json, junit, list};

/// Whether an engine speaks UCI soundly enough for a match
///
/// Tries an ordered list of checks, each with a process of its own. A check is required (UCI
/// demands it, and a match breaks or is bent without it) or recommended (its failure is a note).
/// Each that fails is explained: what is asked, why it matters, what was said. An engine that plays
/// badly passes as well as one that plays well.
///
/// Times are taken of a machine that has nothing else to do; the best of three tries counts.
///
/// Exit codes: 0 all that is required has passed, 1 something required has failed, 2 bad usage, 3
/// the engine cannot be started, 4 nothing was checked.
///
/// Examples: `selfplay compliance ./my-engine`,
/// `selfplay compliance "./my-engine --uci" --option Hash=64 --skip clock-game,clock-game-exact`.
#[derive(Debug, clap::Args)]
pub(super) struct ComplianceArgs {
    /// The engine: a command line, cut into words as a shell does
    #[arg(required_unless_present = "list")]
    engine: Option<String>,

    /// An option to set, as NAME=VALUE; a button as NAME. May be given several times
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,

    /// How long an answer may take that is not bound by a clock, as 500ms or 10s
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_time)]
    timeout: Duration,

    /// So much later than its time an answer may come; also how long a stop may take
    #[arg(long, value_name = "TIME", default_value = "200ms", value_parser = parse_time)]
    margin: Duration,

    /// Only these checks, by name; may be given several times, or names with commas between
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,

    /// Not these checks
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    skip: Vec<String>,

    /// Lists the checks and runs none
    #[arg(long)]
    list: bool,

    /// Shows what was said also for notes
    #[arg(long, short)]
    verbose: bool,

    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// How to print the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Human,
    /// One JSON object
    Json,
    /// `JUnit` XML
    Junit,
}

pub(super) fn run(args: &ComplianceArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let checks = select(&args.only, &args.skip)?;
    if args.list {
        output::to_stdout(list(&checks))?;
        return Ok(Exit::Agreed);
    }
    let subject = subject(args, interrupt)?;
    let progress = Progress::new(checks.len() as u64, "checks", true);
    let ran = compliance::run(&subject, &checks, |_| progress.advance(1));
    progress.finish();
    let results = match ran {
        Ok(results) => results,
        Err(RunError::Cancelled) => return Ok(Exit::Interrupted),
        Err(RunError::Misuse(what)) => return Err(super::bad(what)),
        // The error has its cause in it.
        Err(RunError::NoEngine(error)) => anyhow::bail!("{error}"),
    };
    let report = ComplianceReport {
        engine: &subject.command.to_string(),
        results: &results,
    };
    output::to_stdout(match args.format {
        Format::Human => human(&report, args.verbose),
        Format::Json => json(&report),
        Format::Junit => junit(&report)?,
    })?;
    Ok(exit(&Tally::of(&results)))
}

fn exit(tally: &Tally) -> Exit {
    if tally.failed > 0 {
        Exit::Differs
    } else if tally.passed + tally.notes == 0 {
        Exit::Nothing
    } else {
        Exit::Agreed
    }
}

fn subject(args: &ComplianceArgs, interrupt: &Interrupt) -> anyhow::Result<Subject> {
    let engine = args.engine.as_deref().unwrap_or("");
    let command: CommandLine = engine.parse().map_err(super::bad)?;
    let options = args.options.iter().map(|text| match text.split_once('=') {
        Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
        None => (text.clone(), None),
    });
    Ok(Subject {
        command,
        options: options.collect(),
        patience: Patience {
            answer: args.timeout,
            margin: args.margin,
        },
        cancel: Cancel::from(interrupt.shared()),
    })
}

/// The checks that are wanted, in the order of the list.
fn select(only: &[String], skip: &[String]) -> anyhow::Result<Vec<&'static Check>> {
    let all = || CHECKS.into_iter().flatten();
    for name in only.iter().chain(skip) {
        if !all().any(|check| check.name == name) {
            let what = format!("there is no check '{name}'; --list names those there are");
            return Err(super::bad(what));
        }
    }
    let is_named = |names: &[String], check: &Check| names.iter().any(|name| name == check.name);
    let is_wanted =
        |check: &&Check| (only.is_empty() || is_named(only, check)) && !is_named(skip, check);
    Ok(all().filter(is_wanted).collect())
}

/// Reads `500ms`, `10s` or `1.5s`.
fn parse_time(text: &str) -> Result<Duration, String> {
    let expected = || format!("'{text}' is no time, expected one such as 500ms or 10s");
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s').ok_or_else(expected)?, 1.0),
    };
    let number: f64 = number.parse().map_err(|_| expected())?;
    Duration::try_from_secs_f64(number * unit).map_err(|_| expected())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(parse_time("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_time("1.5s"), Ok(Duration::from_millis(1500)));
        for text in ["", "s", "10", "-1s", "xs", "NaNs", "infs", "1m"] {
            assert!(parse_time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn exit_codes() {
        let tally = |passed, failed, notes| Tally {
            passed,
            failed,
            notes,
            skipped: 1,
        };
        assert_eq!(exit(&tally(3, 0, 1)), Exit::Agreed);
        assert_eq!(exit(&tally(3, 1, 1)), Exit::Differs);
        assert_eq!(exit(&tally(0, 0, 1)), Exit::Agreed);
        assert_eq!(exit(&tally(0, 0, 0)), Exit::Nothing);
    }
}
