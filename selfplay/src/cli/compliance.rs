//! `selfplay compliance`.

use std::path::PathBuf;
use std::time::Duration;

use kit::cli::Common;
use kit::{Exit, Interrupt, Progress, output};
use uci::{Cancel, EngineSpec};

use crate::compliance::{self, CheckTally, Patience, Step, Subject, select};
use crate::report::compliance::{ComplianceReport, github, human, json, junit, list, markdown};

/// Check whether an engine speaks UCI well enough for a match
///
/// Runs an ordered list of checks, each in a fresh engine process. A check is required (UCI demands
/// it, and a match breaks or is distorted without it) or recommended (its failure is a note). Each
/// failure is explained: what was sent, why it matters, what the engine replied. Playing strength
/// does not matter.
///
/// Many checks run at a time. What measures time runs alone, and a check that fails beside others is
/// repeated alone, so that -j changes no result. Timing checks assume an otherwise idle machine; the
/// best of three tries counts.
///
/// Examples: `selfplay compliance ./my-engine`,
/// `selfplay compliance "./my-engine --uci" --option Hash=64 --skip clock`,
/// `selfplay compliance ./my-engine --only chess960,'go-*' -j 1`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 all required checks passed, 1 a required check failed, 2 invalid usage, 3 the engine cannot be started or lacks an option, 4 nothing was checked."
)]
pub(super) struct ComplianceArgs {
    /// The engine: a command, or words such as cmd=./engine args=--uci option.Hash=16, quoted as for
    /// a shell
    #[arg(required_unless_present = "list")]
    engine: Option<String>,

    /// Set an engine option, as NAME=VALUE; a button as NAME. May be given several times
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,

    /// Maximum time for an answer that no clock limits, such as 500ms or 10s
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = kit::values::time)]
    timeout: Duration,

    /// Maximum delay of an answer beyond its time limit, and of the answer to a stop
    #[arg(long, value_name = "TIME", default_value = "200ms", value_parser = kit::values::time)]
    margin: Duration,

    /// Run only these checks: names of checks or of groups, such as clock, or patterns, such as
    /// 'go-*'; may be given several times, or as names separated by commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,

    /// Skip these checks, named as for --only
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    skip: Vec<String>,

    /// Number of checks that run at a time [default: twice the CPUs, at most 8]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,

    /// List the checks and their groups without running them
    #[arg(long)]
    list: bool,

    /// Print the transcripts of notes too; --verbose prints all dialogues while they happen
    #[arg(long)]
    transcripts: bool,

    /// Output format
    #[arg(long, value_enum, default_value_t = ComplianceFormat::Human)]
    format: ComplianceFormat,

    /// Also write `JUnit` XML to this file, whatever the --format
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,

    /// With --format github, append a Markdown summary to this file
    #[arg(long, value_name = "FILE", env = "GITHUB_STEP_SUMMARY")]
    summary: Option<PathBuf>,
}

/// Output format of the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ComplianceFormat {
    /// Text for people
    Human,
    /// One JSON object
    Json,
    /// `JUnit` XML
    Junit,
    /// Workflow commands of GitHub Actions, and the text for people
    Github,
}

pub(super) fn run(
    args: &ComplianceArgs,
    common: Common,
    interrupt: &Interrupt,
) -> anyhow::Result<Exit> {
    let checks = select(&args.only, &args.skip).map_err(super::bad)?;
    if args.list {
        output::to_stdout(list(&checks))?;
        return Ok(Exit::Agreed);
    }
    output::check_writable(&[args.junit.as_deref()])?;
    let is_github = args.format == ComplianceFormat::Github;
    let summary = args.summary.as_deref().filter(|_| is_github);
    summary.map_or(Ok(()), output::check_appendable)?;
    let subject = subject(args, interrupt)?;
    let progress = Progress::new(checks.len() as u64, "checks", !common.quiet);
    let mut running: Vec<&str> = Vec::new();
    let at_once = args
        .concurrency
        .map_or_else(default_concurrency, usize::from);
    let ran = compliance::run(&subject, &checks, at_once, &mut |check, step| {
        match step {
            Step::Begun => running.push(check.name),
            Step::Done | Step::Postponed => running.retain(|name| *name != check.name),
        }
        progress.say(format!("checks, running {}", running.join(", ")));
        if matches!(step, Step::Done) {
            progress.advance(1);
        }
    });
    progress.finish();
    // The error already includes its cause.
    let results = ran.map_err(|error| anyhow::anyhow!("{error}"))?;
    let report = ComplianceReport {
        engine: &subject.command.to_string(),
        results: &results,
    };
    let shows_all = args.transcripts || common.verbose;
    output::to_stdout(match args.format {
        ComplianceFormat::Human => human(&report, shows_all),
        ComplianceFormat::Json => json(&report),
        ComplianceFormat::Junit => junit(&report)?,
        ComplianceFormat::Github => github(&report) + &human(&report, shows_all),
    })?;
    if let Some(path) = &args.junit {
        output::to_file(path, junit(&report)?)?;
    }
    if let Some(summary) = summary {
        output::append(summary, &markdown(&report))?;
    }
    if interrupt.has_come() {
        return Ok(Exit::Interrupted);
    }
    Ok(exit(&CheckTally::of(&results)))
}

fn exit(tally: &CheckTally) -> Exit {
    if tally.failed > 0 {
        Exit::Differs
    } else if tally.passed + tally.notes == 0 {
        Exit::Nothing
    } else {
        Exit::Agreed
    }
}

/// Most checks wait for answers, so that more of them than CPUs can run.
fn default_concurrency() -> usize {
    let cpus = std::thread::available_parallelism();
    cpus.map_or(2, |cpus| 2 * cpus.get()).min(8)
}

fn subject(args: &ComplianceArgs, interrupt: &Interrupt) -> anyhow::Result<Subject> {
    let engine = args.engine.as_deref().unwrap_or("");
    let engine = EngineSpec::from_argument(engine).map_err(super::bad)?;
    let options = args.options.iter().map(|text| match text.split_once('=') {
        Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
        None => (text.clone(), None),
    });
    Ok(Subject {
        command: engine.command,
        options: engine.options.into_iter().chain(options).collect(),
        patience: Patience {
            answer: args.timeout,
            margin: args.margin,
        },
        cancel: Cancel::from(interrupt.shared()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes() {
        let tally = |passed, failed, notes| CheckTally {
            passed,
            failed,
            notes,
            skipped: 1,
            not_run: 0,
        };
        assert_eq!(exit(&tally(3, 0, 1)), Exit::Agreed);
        assert_eq!(exit(&tally(3, 1, 1)), Exit::Differs);
        assert_eq!(exit(&tally(0, 0, 1)), Exit::Agreed);
        assert_eq!(exit(&tally(0, 0, 0)), Exit::Nothing);
    }
}
