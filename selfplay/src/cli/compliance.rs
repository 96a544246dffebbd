//! `selfplay compliance`.

use std::time::Duration;

use kit::cli::Common;
use kit::options::{EngineOptionArgs, OutputArgs};
use kit::report::CaseFormats;
use kit::{Exit, Interrupt, Progress, output};
use uci::{Cancel, EngineSpec, Start};

use crate::compliance::{self, CheckStep, CheckedEngine, Patience, select};
use crate::config::AtOnce;
use crate::report::compliance::{ComplianceReport, list};

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
    /// The engine: a command, or 'cmd=... KEY=...'
    ///
    /// The engine: a command, or words such as cmd=./engine args=--uci option.Hash=16, quoted as for
    /// a shell.
    #[arg(required_unless_present = "list")]
    engine: Option<String>,

    #[command(flatten)]
    options: EngineOptionArgs,

    /// Maximum delay beyond a time limit
    ///
    /// Maximum delay of an answer beyond its time limit, and of the answer to a stop.
    #[arg(hide_short_help = true, long, value_name = "TIME", default_value = "200ms", value_parser = kit::values::time)]
    margin: Duration,

    /// Run only these checks, such as clock or 'go-*'
    ///
    /// Run only these checks: names of checks or of groups, such as clock, or patterns, such as
    /// 'go-*'; may be given several times, or as names separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,

    /// Skip these checks, named as for --only
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    skip: Vec<String>,

    /// Checks at once [default: twice the CPUs, up to 8]
    ///
    /// Number of checks that run at a time [default: twice the CPUs, at most 8]; -1: as many as there
    /// are CPUs, but one.
    #[arg(
        hide_short_help = true,
        short = 'j',
        long,
        value_name = "N",
        allow_negative_numbers = true
    )]
    concurrency: Option<AtOnce>,

    /// List the checks and their groups, and exit
    ///
    /// List the checks and their groups without running them.
    #[arg(long)]
    list: bool,

    #[command(flatten)]
    output: OutputArgs<CaseFormats>,
}

/// Maximum time for an answer that no clock limits.
const ANSWER: Duration = Duration::from_secs(10);

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
    args.output.check(&[], &[])?;
    let subject = subject(args, interrupt)?;
    let progress = Progress::new(checks.len() as u64, "checks", !common.quiet);
    let mut running: Vec<&str> = Vec::new();
    let at_once = args
        .concurrency
        .map_or_else(default_concurrency, |checks| checks.0);
    let ran = compliance::run(&subject, &checks, at_once, &mut |check, step| {
        match step {
            CheckStep::Begun => running.push(check.name),
            CheckStep::Done | CheckStep::Postponed => running.retain(|name| *name != check.name),
        }
        progress.say(format!("checks, running {}", running.join(", ")));
        if matches!(step, CheckStep::Done) {
            progress.advance(1);
        }
    });
    progress.finish();
    // The error already includes its cause.
    let results = ran.map_err(|error| anyhow::anyhow!("{error}"))?;
    args.output.report(&ComplianceReport {
        engine: &subject.start.command.to_string(),
        results: &results,
        shows_notes: common.verbose,
    })
}

/// Most checks wait for answers, so that more of them than CPUs can run.
fn default_concurrency() -> usize {
    let cpus = std::thread::available_parallelism();
    cpus.map_or(2, |cpus| 2 * cpus.get()).min(8)
}

fn subject(args: &ComplianceArgs, interrupt: &Interrupt) -> anyhow::Result<CheckedEngine> {
    let engine = args.engine.as_deref().unwrap_or("");
    let engine = EngineSpec::from_argument(engine).map_err(super::bad)?;
    let options = args.options.options.iter().cloned();
    Ok(CheckedEngine {
        start: Start {
            options: engine.options.into_iter().chain(options).collect(),
            cancel: Cancel::from(interrupt.shared()),
            ..Start::new(engine.command)
        },
        patience: Patience {
            answer: ANSWER,
            margin: args.margin,
        },
    })
}
