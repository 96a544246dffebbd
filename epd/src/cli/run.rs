//! `epd run`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use kit::options::{ConcurrencyArgs, EngineOptionArgs, OutputArgs};
use kit::{BadInput, Exit, Interrupt, Progress, output};
use uci::Cancel;

#[cfg(feature = "fleet")]
use super::fleet::{FleetArgs, FleetRun};
use super::input::{self, remark, report};
use super::journal::{JournalFile, engine_text};
use super::puzzles::PuzzleArgs;
use super::scores::ScoreArgs;
use crate::report::{RunFormat, RunReport};
use crate::run::baseline::{Baseline, Comparison, compare};
use crate::run::driver::{EngineRun, SearchRules, Start};
use crate::run::early_stop::EarlyStop;
use crate::run::journal::{EngineJournal, Header, SCHEMA, SuiteText};
use crate::run::ledger::Trial;
use crate::run::plan::{LimitRule, Limits, Plan};
use crate::run::verdict::{FailOn, FailPolicy, MinSolved, judge};

/// Time per search if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Run test positions on engines: best moves, moves to avoid, mates, points
///
/// A position is solved if the engine's move is one of `bm`, none of `am`, and, for `dm N` or `bm
/// #N`, a mate in at most N moves is announced and its PV ends in mate. Points are those of `c0
/// "f5=10, Be5+=2"`, or of `c8` and `c9`.
///
/// Examples: `epd run tactics --engine ./my-engine`, `epd run wac.epd --engine ./my-engine --nodes 100000`,
/// `epd run wac.epd sts1.epd --engine ./new --engine ./old --movetime 500ms -j 4`,
/// `epd run sts.epd --engine ./my-engine --movetime 10s --resume sts.jsonl`,
/// `epd run lichess_db_puzzle.csv --engine ./my-engine --nodes 100000 --sample 1000 --seed 7`,
/// `epd run wac.epd --engine ./my-engine --nodes 100000 --save base.json`,
/// `epd run wac.epd --engine ./my-engine --nodes 100000 --baseline base.json`.
#[derive(Debug, clap::Args)]
pub(super) struct RunArgs {
    /// EPD files, puzzle files, or built-in suites
    ///
    /// EPD files, files of puzzles, or names of built-in suites.
    #[arg(value_name = "SUITE", required = true)]
    suites: Vec<PathBuf>,

    /// Only report records that cannot be read
    ///
    /// Or whose goal cannot be read.
    #[arg(long, hide_short_help = true)]
    skip_bad: bool,

    /// Record searches in a journal, and resume from it
    ///
    /// Record searches in a journal; the same command resumes from it, even after a crash.
    #[arg(long, alias = "journal", value_name = "FILE")]
    #[cfg_attr(feature = "fleet", arg(conflicts_with = "url"))]
    resume: Option<PathBuf>,

    #[command(flatten)]
    engines: EngineArgs,

    /// Searches per position; most must solve it
    ///
    /// Number of searches per position; solved if more than half of them solve it.
    #[arg(hide_short_help = true, long, value_name = "N", help_heading = "Engines", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    repeat: u16,

    /// Solved if one of the K best moves is a solution
    ///
    /// Count a position as solved if one of the K best moves is a solution: the option `MultiPV`.
    /// Example: `--top 3`
    #[arg(hide_short_help = true, long, help_heading = "Engines", value_name = "K", value_parser = clap::value_parser!(u16).range(1..=500))]
    top: Option<u16>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    puzzles: PuzzleArgs,

    #[command(flatten)]
    output: ResultArgs,

    #[command(flatten)]
    scores: ScoreArgs,

    #[command(flatten)]
    policy: PolicyArgs,

    #[cfg(feature = "fleet")]
    #[command(flatten)]
    fleet: FleetArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Engines")]
pub(super) struct EngineArgs {
    /// Engine: a command line, or KEY=VALUE words
    ///
    /// Engine: a command line, split into words as in a shell, or words such as `cmd=./my-engine
    /// name=New args=... dir=... env.X=... option.Hash=16`; may be given several times.
    #[arg(long, value_name = "ENGINE", required = true)]
    engine: Vec<String>,

    #[command(flatten)]
    pub(super) options: EngineOptionArgs,

    #[command(flatten)]
    pub(super) concurrency: ConcurrencyArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Limits (several may be given; the engine ends at the first)")]
struct LimitArgs {
    #[command(flatten)]
    each: Limits,

    #[command(flatten)]
    early_stop: EarlyStop,

    /// Prefer the limits of a record: acd, acn, acs
    ///
    /// Prefer the limits of a record, if it has any: acd plies, acn nodes, acs seconds.
    #[arg(hide_short_help = true, long)]
    limits_from_record: bool,

    /// Timeout of searches without a time limit
    ///
    /// The engine is then sent `stop`, and the search counts as failed.
    #[arg(hide_short_help = true, long, value_name = "TIME", default_value = "60s", value_parser = kit::values::time)]
    timeout: Duration,

    /// Time margin, such as 50ms
    ///
    /// How far a time limit may be exceeded, and time to react to `stop`.
    #[arg(hide_short_help = true, long, value_name = "TIME", default_value = "1s", value_parser = kit::values::time_or_zero)]
    margin: Duration,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
struct ResultArgs {
    #[command(flatten)]
    report: OutputArgs<RunFormat>,

    /// Write the records with the engine's results
    ///
    /// The opcodes are acd, acn, acs, ce, pm and pv; of one engine only.
    #[arg(hide_short_help = true, long, value_name = "FILE")]
    write_epd: Option<PathBuf>,

    /// Save the results as a baseline for later runs
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Policy: when the exit code is 1")]
struct PolicyArgs {
    /// Compare with a saved baseline
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Conditions for exit code 1, separated by commas
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    fail_on: Vec<FailOn>,

    /// Minimum to solve: N positions, or P%
    ///
    /// Minimum that each engine must solve: a number of positions, or a percentage of those run, such
    /// as 95%.
    #[arg(long, value_name = "N|P%")]
    min_solved: Option<MinSolved>,
}

impl RunArgs {
    fn is_of_this_machine(&self) -> bool {
        #[cfg(feature = "fleet")]
        let is_of_lab = self.fleet.url.is_some();
        #[cfg(not(feature = "fleet"))]
        let is_of_lab = false;
        !is_of_lab
    }
}

/// Ratio of nodes from which a solution counts as slower.
const SLOWER: f64 = 2.0;

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
pub(super) fn run(args: &RunArgs, interrupt: &Interrupt, is_quiet: bool) -> anyhow::Result<Exit> {
    let policy = policy(args)?;
    let baseline = read_baseline(args)?;
    let scores = args.scores.request()?;
    check_outputs(args)?;
    let starts = starts(&args.engines, args.top, interrupt)?;
    let mut given = args.limits.each;
    if given.is_empty() {
        given.time = Some(DEFAULT_TIME);
    }
    let rule = LimitRule {
        given,
        from_record: args.limits.limits_from_record,
    };
    let mut plan = args.puzzles.plan(&args.suites, rule)?;
    if let Some(top) = args.top {
        plan.set_lines(usize::from(top));
    }
    let rules = SearchRules {
        concurrency: args.engines.concurrency(),
        repeat: usize::from(args.repeat),
        timeout: args.limits.timeout,
        margin: args.limits.margin,
        early_stop: args.limits.early_stop,
    };
    if let Some(text) = args.puzzles.remark(&plan)? {
        remark(is_quiet, &text);
    }
    let limits = describe_limits(rule, args);
    let mut journal = open_journal(args, &plan, &starts, rules, &limits)?;
    let began = Instant::now();
    let mut search = || -> anyhow::Result<Option<Vec<Trial>>> {
        #[cfg(feature = "fleet")]
        if let Some(url) = &args.fleet.url {
            let run = FleetRun {
                args: &args.fleet,
                url,
                plan: &plan,
                rules,
                interrupt,
                is_quiet,
            };
            return run.run(&starts);
        }
        run_engines(&plan, &starts, rules, &mut journal, is_quiet).map(Some)
    };
    let Some(trials) = search()? else {
        // A lab was given the searches, and nobody waits for them.
        return Ok(if interrupt.has_come() {
            Exit::Interrupted
        } else {
            Exit::Agreed
        });
    };
    let earlier = trials.iter().map(|trial| trial.earlier).sum::<Duration>();
    let time = earlier + began.elapsed();
    let results = Baseline::of_run(&plan, &trials, limits.clone(), rules.repeat);
    let engines = results.engines.iter().enumerate();
    let comparisons = engines.map(|(index, now)| {
        let then = baseline.as_ref()?.for_engine(index)?;
        Some(compare(then, now, SLOWER))
    });
    let comparisons: Vec<Option<Comparison<'_>>> = comparisons.collect();
    let mut verdict = judge(&plan, &trials, &comparisons, &policy);
    if interrupt.has_come() {
        // The interrupt may have come before the first engine was started.
        verdict.exit = Exit::Interrupted;
    }
    let baseline_name = args.policy.baseline.as_ref();
    let baseline_name = baseline_name.map(|path| path.display().to_string());
    let baseline_limits = baseline.as_ref().map(|baseline| baseline.limits.as_str());
    write(
        args,
        &RunReport {
            plan: &plan,
            trials: &trials,
            limits: &limits,
            top: args.top,
            repeat: rules.repeat,
            time,
            comparisons: &comparisons,
            baseline: baseline_name.as_deref().zip(baseline_limits),
            policy: &policy,
            verdict: &verdict,
            scores: &scores,
        },
    )?;
    warn_of_limits(baseline.as_ref(), &results);
    if verdict.exit == Exit::Nothing {
        report(why_nothing(args, &plan, &comparisons));
    }
    save(args, &results, verdict.exit, is_quiet)?;
    if verdict.exit == Exit::Interrupted && args.is_of_this_machine() {
        let searches = plan.cases.len() * rules.repeat * starts.len();
        let hint = journal.map_or_else(
            || "nothing is kept; with --resume FILE, the same command would resume".to_owned(),
            |journal| journal.how_to_resume(searches),
        );
        remark(is_quiet, &hint);
    }
    Ok(verdict.exit)
}

/// Why nothing was run, or nothing could be compared.
fn why_nothing(
    args: &RunArgs,
    plan: &Plan,
    comparisons: &[Option<Comparison<'_>>],
) -> &'static str {
    let mut compared = comparisons.iter().flatten();
    if compared.any(|one| one.common == 0) {
        "error: the baseline has none of the positions that were run"
    } else if plan.cases.is_empty() && args.puzzles.is_selective() {
        "error: nothing was run: no puzzle has such a rating and theme"
    } else if plan.cases.is_empty() {
        "error: nothing was run: no record asks for anything by bm, am, dm, or points in c0 or in c8 and c9"
    } else {
        "error: an engine was asked nothing"
    }
}

/// All that decides how long is searched and what counts, in words: results under other limits are
/// not comparable.
fn describe_limits(rule: LimitRule, args: &RunArgs) -> String {
    let mut parts = vec![rule.to_string()];
    parts.extend(args.limits.early_stop.describe());
    parts.extend(args.top.map(|top| format!("top {top}")));
    parts.join(", ")
}

/// Opens the journal, if there is to be one.
fn open_journal(
    args: &RunArgs,
    plan: &Plan,
    starts: &[Start],
    rules: SearchRules,
    limits: &str,
) -> anyhow::Result<Option<JournalFile>> {
    let Some(path) = &args.resume else {
        return Ok(None);
    };
    let header = Header {
        schema: SCHEMA.to_owned(),
        suites: SuiteText::of_plan(plan),
        engines: starts.iter().map(engine_text).collect(),
        limits: limits.to_owned(),
        repeat: rules.repeat,
        rules: rules.describe(),
    };
    JournalFile::open(path, &header, plan).map(Some)
}

/// Runs the engines one after the other. Each is run even if another fails.
pub(super) fn run_engines(
    plan: &Plan,
    starts: &[Start],
    rules: SearchRules,
    journal: &mut Option<JournalFile>,
    is_quiet: bool,
) -> anyhow::Result<Vec<Trial>> {
    let progress = Progress::new(0, "searches", !is_quiet);
    let mut trials = Vec::new();
    for (index, start) in starts.iter().enumerate() {
        if plan.cases.is_empty() || start.cancel.is_set() {
            break;
        }
        let run = EngineRun {
            start,
            cases: &plan.cases,
            rules,
            progress: &progress,
        };
        let trial = match journal {
            None => run.run(EngineJournal::default(), &mut |_| Ok(())),
            Some(journal) => {
                let done = journal.done(index);
                run.run(done, &mut |event| journal.append(index, event))
            }
        };
        trials.push(trial?);
    }
    progress.finish();
    Ok(trials)
}

/// Writes the report, the summary of a workflow, and the records.
fn write(args: &RunArgs, report: &RunReport<'_>) -> anyhow::Result<()> {
    args.output.report.write(|format, out| {
        let text = report.write(format)?;
        Ok(out.write_all(text.as_bytes())?)
    })?;
    if let Some(summary) = args.output.report.summary() {
        output::append(&summary, &report.markdown())?;
    }
    if let (Some(path), [trial]) = (&args.output.write_epd, report.trials)
        && report.verdict.exit != Exit::Interrupted
    {
        input::write(Some(path), report.records(trial))?;
    }
    Ok(())
}

/// Saves the results of a complete run as a baseline.
fn save(args: &RunArgs, results: &Baseline, exit: Exit, is_quiet: bool) -> anyhow::Result<()> {
    let Some(path) = &args.output.save else {
        return Ok(());
    };
    let mut engines = results.engines.iter();
    let has_run = engines.all(|engine| !engine.positions.is_empty());
    if exit == Exit::Interrupted || results.engines.is_empty() || !has_run {
        let name = path.display();
        remark(
            is_quiet,
            &format!("{name} is not written: the run is not complete"),
        );
        return Ok(());
    }
    input::write(Some(path), results.to_text()?)
}

fn policy(args: &RunArgs) -> Result<FailPolicy, BadInput> {
    let mut fail_on = args.policy.fail_on.clone();
    if args.policy.baseline.is_none() {
        if let Some(rule) = fail_on.iter().find(|rule| rule.needs_baseline()) {
            let name = rule.as_str();
            return Err(BadInput(format!("--fail-on {name} needs --baseline")));
        }
    } else if fail_on.is_empty() {
        fail_on.push(FailOn::NewlyFailed);
    }
    Ok(FailPolicy {
        fail_on,
        min_solved: args.policy.min_solved,
        allow_unreadable: args.skip_bad,
    })
}

fn read_baseline(args: &RunArgs) -> Result<Option<Baseline>, BadInput> {
    let Some(path) = &args.policy.baseline else {
        return Ok(None);
    };
    let name = path.display();
    let text =
        input::text(path).map_err(|error| BadInput(format!("cannot read {name}: {error}")))?;
    let baseline = Baseline::parse(&text)
        .map_err(|error| BadInput(format!("{name} is not a baseline: {error}")))?;
    let (then, now) = (baseline.engines.len(), args.engines.engine.len());
    if then == 1 || then == now {
        return Ok(Some(baseline));
    }
    let counts = format!("results of {then} engines for the {now} of the command line");
    Err(BadInput(format!(
        "{name} has {counts}, expected 1 or {now}"
    )))
}

/// The engines of the command line, ready to be started.
pub(super) fn starts(
    args: &EngineArgs,
    top: Option<u16>,
    interrupt: &Interrupt,
) -> Result<Vec<Start>, BadInput> {
    let is_multipv = |(name, _): &(String, _)| name.eq_ignore_ascii_case("MultiPV");
    let top = top.map(|top| ("MultiPV".to_owned(), Some(top.to_string())));
    let shared = top
        .clone()
        .into_iter()
        .chain(args.options.options.iter().cloned());
    let shared: Vec<_> = shared.collect();
    let start = |text: &String| {
        let spec = input::engine(text, &shared)?;
        if top.is_some() && spec.options.iter().filter(|one| is_multipv(one)).count() > 1 {
            let message = "--top sets the option MultiPV: leave it out of the options";
            return Err(BadInput(message.to_owned()));
        }
        Ok(Start {
            name: spec.given_name.unwrap_or_else(|| text.clone()),
            command: spec.command,
            options: spec.options,
            cancel: Cancel::from(interrupt.shared()),
        })
    };
    args.engine.iter().map(start).collect()
}

/// Node counts at other limits are not comparable.
fn warn_of_limits(baseline: Option<&Baseline>, results: &Baseline) {
    let settings =
        |one: &Baseline| format!("{}, {} searches of each position", one.limits, one.repeat);
    if let Some(then) = baseline.map(settings)
        && then != settings(results)
    {
        let now = settings(results);
        report(&format!(
            "warning: the baseline was made otherwise: {then}; now: {now}"
        ));
    }
}

/// Checks up front that outputs can be written and replace neither an input nor one another: a run
/// of hours must not fail at its end.
fn check_outputs(args: &RunArgs) -> Result<(), BadInput> {
    let ResultArgs {
        report,
        write_epd,
        save,
    } = &args.output;
    let mut outputs = report.paths();
    outputs.push(write_epd.as_deref());
    if write_epd.is_some() && args.engines.engine.len() != 1 {
        let message = "--write-epd is for one engine: records have no place for the results of two";
        return Err(BadInput(message.to_owned()));
    }
    let mut inputs = args.suites.clone();
    inputs.extend(args.scores.rating_file());
    // Only --save may replace the baseline: with newer results.
    if let Some(baseline) = &args.policy.baseline {
        output::refuse_to_replace(&outputs, std::slice::from_ref(baseline))?;
    }
    outputs.push(save.as_deref());
    // The journal is opened before the work.
    output::check_writable(&outputs)?;
    outputs.push(args.resume.as_deref());
    output::refuse_to_replace(&outputs, &inputs)?;
    match report.summary() {
        Some(summary) => output::check_appendable(&summary),
        None => Ok(()),
    }
}

impl EngineArgs {
    /// Processes of an engine at once: as many as there are cores for its threads.
    pub(super) fn concurrency(&self) -> usize {
        let is_threads = |(name, _): &&(String, _)| name.eq_ignore_ascii_case("Threads");
        let threads = self.options.options.iter().rfind(is_threads);
        let threads = threads.and_then(|(_, value)| value.as_ref()?.parse().ok());
        self.concurrency.or_cores(threads.unwrap_or(1))
    }
}
