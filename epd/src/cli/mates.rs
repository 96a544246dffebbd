//! `epd mates`, and `epd mates-history` of its results.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use kit::options::{EngineArgs, LimitArgs, OutputArgs};
use kit::output::{remark, to_stderr};
use kit::{BadInput, Exit, Interrupt, output};
use tablebase::Tablebase;

use super::input;
use super::run::{MateArg, run_engines};
use crate::files::filter::FilterRange;
use crate::mates::history::{self, HistoryEntry};
use crate::mates::plot;
use crate::mates::report::{MateFormats, MateReport};
use crate::mates::tally::MateTally;
use crate::mates::verdict::{MateFailOn, MatePolicy, judge};
use crate::run::driver::SearchRules;
use crate::run::known::Known;
use crate::run::plan::{PositionLimits, RunPlan};
use crate::run::score::EarlyStop;
use crate::run::verdict::MinSolved;

/// How far a time limit may be exceeded, and time to react to `stop`.
const MARGIN: Duration = Duration::from_secs(1);
/// Timeout of searches without a time limit: the engine is then sent `stop`.
const TIMEOUT: Duration = Duration::from_mins(1);
/// Nodes per search if no limit is given, as in matetrack.
const DEFAULT_NODES: u64 = 1_000_000;

/// Count the mates that engines find, and check every mate they announce
///
/// Records have the known mate as `bm #N`, `bm #-N` (the side to move is mated) or `dm N`. Each PV
/// with a mate score is played out: it must be legal and end in mate after as many moves as
/// announced, and no endgame table may contradict it.
///
/// Examples: `epd mates matetrack.epd --engine ./my-engine`,
/// `epd mates matetrack.epd --engine ./new --engine ./old --nodes 100000 -j 4`,
/// `epd mates matetrack.epd --engine ./my-engine --mate 0 --nodes 1000000 --history mates.jsonl`.
#[derive(Debug, clap::Args)]
pub(super) struct MatesArgs {
    /// EPD files, or names of built-in suites
    #[arg(value_name = "SUITE", required = true)]
    suites: Vec<PathBuf>,

    /// Set from --skip-bad, an option of every command.
    #[arg(skip)]
    pub(super) skip_bad: bool,

    /// Run only mates in this many moves, such as ..10
    ///
    /// Example: `--bm 3..10`
    #[arg(long, value_name = "RANGE", default_value = "1..")]
    bm: FilterRange,

    #[command(flatten)]
    engines: EngineArgs,

    #[command(flatten)]
    limits: MateLimitArgs,

    #[command(flatten)]
    known: KnownArgs,

    #[command(flatten)]
    output: MateOutputArgs,

    #[command(flatten)]
    policy: MatePolicyArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Limits (several may be given; the engine ends at the first)")]
struct MateLimitArgs {
    #[command(flatten)]
    search: LimitArgs,

    #[command(flatten)]
    mate: MateArg,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Known results")]
struct KnownArgs {
    /// Check scores and PVs by Syzygy tables in a folder
    ///
    /// Once for each folder. The engine does not get it: `--option SyzygyPath=DIR`.
    #[arg(long, value_name = "DIR")]
    syzygy: Vec<PathBuf>,

    /// Check PVs by the mates after each first move
    ///
    /// A file such as matetrack's `matetrack_multipv.epd`: the positions after each move, with `bm #N`
    /// where a mate is known. May be given several times. Other PVs than the first need
    /// `--option MultiPV=N`.
    #[arg(hide_short_help = true, long, value_name = "FILE")]
    secondary: Vec<PathBuf>,
}

impl KnownArgs {
    fn read(&self) -> anyhow::Result<Known> {
        let mut known = Known::default();
        if !self.syzygy.is_empty() {
            let folders = self.syzygy.iter().map(PathBuf::as_path);
            let tables = Tablebase::in_folders(folders);
            known.tables = Some(tables.map_err(|error| BadInput(format!("--syzygy: {error}")))?);
        }
        for name in &self.secondary {
            let file = input::read_one(name)?;
            let added = known.add_mates(&input::repaired(&file));
            added.map_err(|error| BadInput(format!("--secondary: {error}")))?;
        }
        Ok(known)
    }
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
struct MateOutputArgs {
    #[command(flatten)]
    report: OutputArgs<MateFormats>,

    /// Append the results to a history
    ///
    /// Append the result of each engine to this file, one line of JSON each; `epd mates-history`
    /// reads it.
    #[arg(hide_short_help = true, long, value_name = "FILE")]
    history: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Policy: when the exit code is 1")]
struct MatePolicyArgs {
    /// Conditions for exit code 1, separated by commas
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        value_delimiter = ',',
        default_value = "wrong-sign,tables"
    )]
    fail_on: Vec<MateFailOn>,

    /// Minimum of mates found: N or P%
    ///
    /// Minimum of mates that each engine must find: a number, or a percentage such as 95%.
    #[arg(hide_short_help = true, long, value_name = "N|P%")]
    min_found: Option<MinSolved>,
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
pub(super) fn run(args: &MatesArgs, interrupt: &Interrupt, is_quiet: bool) -> anyhow::Result<Exit> {
    check_outputs(args)?;
    let engines = input::engines(&args.engines, None, interrupt)?;
    let (plan, limits) = plan(args)?;
    let known = args.known.read()?;
    let rules = SearchRules {
        concurrency: args.engines.processes(),
        repeat: 1,
        timeout: TIMEOUT,
        margin: MARGIN,
        early_stop: EarlyStop::default(),
    };
    let began = Instant::now();
    let mut trials = run_engines(&plan, &engines, rules, &mut None, is_quiet)?;
    for (index, case) in plan.cases.iter().enumerate() {
        let position = case.record.position();
        let Some(mate) = case.goal.mate else { continue };
        for trial in &mut trials {
            trial.judge_claims(index, |claims| {
                claims.judge_by(&known, mate, position, position.castling_mode())
            });
        }
    }
    // A damaged table is treated as missing.
    for error in known.tables.iter().flat_map(Tablebase::errors) {
        to_stderr(&format!("warning: {error}"));
    }
    let tallies = trials
        .iter()
        .map(|trial| MateTally::new(trial, &plan.cases));
    let tallies: Vec<MateTally> = tallies.collect();
    let policy = MatePolicy {
        fail_on: args.policy.fail_on.clone(),
        min_found: args.policy.min_found,
        allow_unreadable: args.skip_bad,
    };
    let mut verdict = judge(&plan, &trials, &tallies, &policy);
    if interrupt.has_come() {
        // The interrupt may have come before the first engine was started.
        verdict.exit = Exit::Interrupted;
    }
    let nothing = match verdict.exit {
        Exit::Nothing if plan.cases.is_empty() => {
            Some("no record has a mate by bm #N, bm #-N or dm N that was selected")
        }
        Exit::Nothing => Some("an engine was asked nothing"),
        _ => None,
    };
    let mates = MateReport {
        plan: &plan,
        trials: &trials,
        tallies: &tallies,
        has_tables: known.tables.is_some(),
        limits: &limits,
        time: began.elapsed(),
        allow_unreadable: args.skip_bad,
        verdict: &verdict,
        nothing,
    };
    args.output.report.report(&mates)?;
    append_history(args, &mates, is_quiet)?;
    if let Some(why) = nothing {
        to_stderr(&format!("error: {why}"));
    }
    Ok(verdict.exit)
}

/// The positions with a mate that is selected, and the limits as text.
fn plan(args: &MatesArgs) -> anyhow::Result<(RunPlan, String)> {
    let MateLimitArgs { search, mate, .. } = args.limits;
    let mut given = PositionLimits::from(search);
    let has_other = !given.is_empty();
    given.mate = mate.mate.filter(|&moves| moves > 0);
    if !has_other && mate.mate.is_none() {
        given.nodes = Some(DEFAULT_NODES);
    }
    // A search for a mate in three may never end where the shortest is longer.
    let eligible = given.mate.filter(|_| !has_other);
    let suites = args
        .suites
        .iter()
        .map(|name| Ok(input::repaired(&input::read_one(name)?)));
    let mut plan = RunPlan::new(suites.collect::<anyhow::Result<_>>()?, given);
    plan.cases.retain(|case| {
        let moves = case.goal.mate.map(|mate| mate.moves().get());
        let is_selected = moves.is_some_and(|moves| {
            args.bm.contains(i64::from(moves)) && eligible.is_none_or(|eligible| moves <= eligible)
        });
        if !is_selected {
            plan.suites[case.suite].without_goal += 1;
        }
        is_selected
    });
    mate.set_known(&mut plan);
    let limits = mate.describe(&given.to_string(), given.is_empty());
    Ok((plan, limits))
}

fn check_outputs(args: &MatesArgs) -> Result<(), BadInput> {
    let MateOutputArgs { report, history } = &args.output;
    let inputs = args.suites.iter().chain(&args.known.secondary);
    let mut inputs: Vec<PathBuf> = inputs.cloned().collect();
    output::refuse_to_replace(&[history.as_deref()], &inputs)?;
    inputs.extend(history.clone());
    report.check(&[], &inputs)?;
    match history {
        Some(history) => output::check_appendable(history),
        None => Ok(()),
    }
}

/// Appends the results of complete runs to the history.
#[expect(clippy::disallowed_methods, reason = "a history has dates")]
fn append_history(args: &MatesArgs, report: &MateReport<'_>, is_quiet: bool) -> anyhow::Result<()> {
    let Some(path) = &args.output.history else {
        return Ok(());
    };
    let now = time::UtcDateTime::from(std::time::SystemTime::now());
    let (hour, minute, second) = now.as_hms();
    let date = format!("{} {hour:02}:{minute:02}:{second:02}Z", now.date());
    let suites = report.plan.suites.iter().map(|suite| suite.name.clone());
    let suites: Vec<String> = suites.collect();
    let mut lines = String::new();
    for (trial, tally) in report.trials.iter().zip(report.tallies) {
        match HistoryEntry::new(trial, tally, &suites, report.limits, &date) {
            Some(entry) => lines += &entry.to_line()?,
            None => remark(
                is_quiet,
                &format!(
                    "{} is not added to {}: the run is not complete",
                    trial.command,
                    path.display()
                ),
            ),
        }
    }
    if lines.is_empty() {
        return Ok(());
    }
    let end = whole_end(path, is_quiet)?;
    output::append(path, &(end.to_owned() + &lines))
}

/// Makes a history end in whole lines; returns what its last line lacks. A line that was torn, as by a full disk, would
/// make the next one unreadable too.
#[expect(clippy::disallowed_methods, reason = "the edge repairs the file")]
fn whole_end(path: &Path, is_quiet: bool) -> anyhow::Result<&'static str> {
    let fail = || format!("cannot write {}", path.display());
    let text = match std::fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(""),
        read => read.with_context(fail)?,
    };
    let whole = text.iter().rposition(|&byte| byte == b'\n');
    let whole = whole.map_or(0, |last| last + 1);
    let last = &text[whole..];
    if last.is_empty() {
        return Ok("");
    }
    if std::str::from_utf8(last).is_ok_and(|line| history::read(line).is_ok()) {
        return Ok("\n");
    }
    let name = path.display();
    remark(
        is_quiet,
        &format!("{name}: its last line is not whole, and is removed"),
    );
    let file = std::fs::OpenOptions::new().write(true).open(path);
    let file = file.with_context(fail)?;
    file.set_len(whole as u64).with_context(fail)?;
    Ok("")
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test writes files")]
mod tests {
    use super::*;

    #[test]
    fn a_torn_line_is_removed_and_one_without_its_end_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("history.jsonl");
        assert_eq!(whole_end(&path, true).expect("no file"), "");
        let line = "{\"schema\":\"x\"}\n";
        std::fs::write(&path, format!("{line}{{\"sch")).expect("written");
        assert_eq!(whole_end(&path, true).expect("cut"), "");
        assert_eq!(std::fs::read_to_string(&path).expect("text"), line);
    }
}

/// Print and plot the mates that an engine's versions found
///
/// The file is that of `epd mates --history`. Results with the same suites, number of positions and
/// limits are one table, oldest first. A file that ends in .svg gets the plot of the newest table;
/// one that ends in .html a page with all.
///
/// Examples: `epd mates-history mates.jsonl`, `epd mates-history mates.jsonl -o mates.svg`.
#[derive(Debug, clap::Args)]
pub(super) struct MatesHistoryArgs {
    /// History of `epd mates --history`
    #[arg(value_name = "FILE")]
    history: PathBuf,

    /// Write a plot (.svg) or a page (.html)
    ///
    /// Instead of tables to standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn print_history(args: &MatesHistoryArgs) -> anyhow::Result<Exit> {
    let name = args.history.display();
    let kind = args.output.as_ref().map(|path| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension {
            Some("svg") => Ok(HistoryKind::Svg),
            Some("html" | "htm") => Ok(HistoryKind::Html),
            _ => Err(BadInput(format!(
                "--output {}: expected a name that ends in .svg or .html",
                path.display()
            ))),
        }
    });
    let kind = kind.transpose()?;
    output::refuse_to_replace(
        &[args.output.as_deref()],
        std::slice::from_ref(&args.history),
    )?;
    output::check_writable(&[args.output.as_deref()])?;
    let text = input::text(&args.history)
        .map_err(|error| BadInput(format!("cannot read {name}: {error}")))?;
    let series = history::read(&text).map_err(|error| BadInput(format!("{name}: {error}")))?;
    let Some(newest) = series.last() else {
        to_stderr(&format!("error: {name} has no result"));
        return Ok(Exit::Nothing);
    };
    let written = match kind {
        None => {
            let tables: Vec<String> = series.iter().map(history::Series::to_text).collect();
            tables.join("\n")
        }
        Some(HistoryKind::Svg) => plot::svg(newest),
        Some(HistoryKind::Html) => plot::page(&series),
    };
    input::write(args.output.as_deref(), written)?;
    Ok(Exit::Agreed)
}

#[derive(Clone, Copy)]
enum HistoryKind {
    Svg,
    Html,
}
