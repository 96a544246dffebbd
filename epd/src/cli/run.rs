//! `epd run`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use kit::options::{EngineArgs, LimitArgs, OutputArgs};
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
/// `epd run lichess_db_puzzle.csv --engine ./my-engine --nodes 100000 --sample 1000`,
/// `epd run wac.epd --engine ./my-engine --nodes 100000 --save base.json`,
/// `epd run wac.epd --engine ./my-engine --nodes 100000 --baseline base.json`.
#[derive(Debug, clap::Args)]
pub(super) struct RunArgs {
    /// EPD files, puzzle files, or built-in suites
    ///
    /// EPD files, files of puzzles, or names of built-in suites.
    #[arg(value_name = "SUITE", required = true)]
    suites: Vec<PathBuf>,

    /// Set from --skip-bad, an option of every command.
    #[arg(skip)]
    pub(super) skip_bad: bool,

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
    search: SearchArgs,

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
#[command(next_help_heading = "Limits (several may be given; the engine ends at the first)")]
struct SearchArgs {
    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    mate: MateArg,

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

/// A search for a mate, in runs and in counts of mates.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct MateArg {
    /// Search for a mate in N (go mate); 0: the known one
    ///
    /// Search for a mate in this many moves (`go mate`); 0 for the known mate of each record. An
    /// engine that does not find it may search on: give another limit as well. Without one, a number
    /// above 0 runs only mates in at most that many moves, in `epd mates`.
    #[arg(hide_short_help = true, long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(0..=255))]
    pub(super) mate: Option<u32>,
}

impl MateArg {
    /// Has the searches look for the known mates, if it is 0. Records without one have no such limit.
    pub(super) fn set_known(self, plan: &mut Plan) {
        if self.mate == Some(0) {
            for case in &mut plan.cases {
                case.limits.mate = case.goal.mate.map(|mate| mate.moves().get());
            }
        }
    }

    /// The limits in words.
    pub(super) fn describe(self, given: &str, is_only_limit: bool) -> String {
        match self.mate {
            Some(0) if is_only_limit => "mate of each record".to_owned(),
            Some(0) => format!("{given}, mate of each record"),
            _ => given.to_owned(),
        }
    }
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
struct ResultArgs {
    #[command(flatten)]
    report: OutputArgs<RunFormat>,

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
    let mut given = Limits::from(args.search.limits);
    if given.is_empty() && args.search.mate.mate.is_none() {
        given.time = Some(DEFAULT_TIME);
    }
    given.mate = args.search.mate.mate.filter(|&moves| moves > 0);
    let rule = LimitRule {
        given,
        from_record: args.search.limits_from_record,
    };
    let mut plan = args.puzzles.plan(&args.suites, rule)?;
    args.search.mate.set_known(&mut plan);
    if let Some(top) = args.top {
        plan.set_lines(usize::from(top));
    }
    let rules = SearchRules {
        concurrency: args.engines.processes(),
        repeat: usize::from(args.repeat),
        timeout: args.search.timeout,
        margin: args.search.margin,
        early_stop: args.search.early_stop,
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
    let mate = args.search.mate;
    let mut parts = vec![mate.describe(&rule.to_string(), rule.given.is_empty())];
    parts.extend(args.search.early_stop.describe());
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
    let (then, now) = (baseline.engines.len(), args.engines.engines.len());
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
    args.engines.iter().map(start).collect()
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
    let ResultArgs { report, save, .. } = &args.output;
    let mut outputs = report.paths();
    if report.has(&RunFormat::Epd) && args.engines.engines.len() != 1 {
        let message = "EPD is for one engine: records have no place for the results of two";
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
