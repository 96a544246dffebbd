//! `epd run`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kit::options::{EngineArgs, LimitArgs, OutputArgs};
use kit::output::{remark, to_stderr};
use kit::report::Format;
use kit::{BadInput, Exit, Interrupt, Progress, output};
#[cfg(feature = "fleet")]
use queue::lab::LabArgs;

use super::input::{self, PuzzleArgs, ScoreArgs};
use super::journal::{JournalFile, engine_text};
#[cfg(feature = "fleet")]
use super::lab::{LabKind, LabSearches};
use crate::bench::{BenchBy, BenchJob, bench};
use crate::report::{RunFormats, SuiteRunReport};
use crate::run::baseline::{
    Baseline, BaselineComparison, compare, not_repeatable, searched_otherwise,
};
use crate::run::driver::{EngineRun, SearchRules, TestedEngine};
use crate::run::journal::{EngineJournal, Header, SCHEMA, SuiteText};
use crate::run::ledger::Trial;
use crate::run::plan::{PositionLimits, RunCase, RunPlan};
use crate::run::score::EarlyStop;
use crate::run::verdict::{FailOn, FailPolicy, MinSolved, judge};

/// Time per search if no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);
/// Searches of each position in a baseline of searches that do not come out the same each time.
const REPEATS: usize = 5;
/// How many positions are asked twice, to see whether they do.
const ASKED_TWICE: usize = 8;
/// Ratio of nodes from which a solution counts as slower.
const SLOWER: f64 = 2.0;
/// How long a bench may take: most take a few seconds, twenty times as long on a busy machine.
const BENCH_TIMEOUT: Duration = Duration::from_mins(5);

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
    #[cfg_attr(feature = "fleet", arg(conflicts_with = "lab"))]
    resume: Option<PathBuf>,

    #[command(flatten)]
    engines: EngineArgs,

    /// Searches per position; most must solve it
    ///
    /// Number of searches per position; solved if more than half of them solve it [default: as many as
    /// the baseline has; 5 to save what does not come out the same each time; else 1].
    #[arg(hide_short_help = true, long, value_name = "N", help_heading = "Engines", value_parser = clap::value_parser!(u16).range(1..=1000))]
    repeat: Option<u16>,

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
    lab: LabArgs,
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
    pub(super) fn set_known(self, plan: &mut RunPlan) {
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
    report: OutputArgs<RunFormats>,

    /// Save the results as a baseline for later runs
    ///
    /// With them the node count of the engine's `bench`, if it has one.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Replace the baseline by the results of this run
    ///
    /// Also if they are worse: what is compared with from now on is a decision, and is made by hand. Nothing
    /// is written if an engine failed.
    #[arg(hide_short_help = true, long, requires = "baseline")]
    update_baseline: bool,
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
    #[cfg(feature = "fleet")]
    fn is_of_this_machine(&self) -> bool {
        self.lab.lab.is_none()
    }

    #[cfg(not(feature = "fleet"))]
    #[expect(clippy::unused_self, reason = "with a lab, its options say")]
    fn is_of_this_machine(&self) -> bool {
        true
    }
}

impl SearchArgs {
    fn limits(&self) -> PositionLimits {
        let mut given = PositionLimits::from(self.limits);
        if given.is_empty() && self.mate.mate.is_none() {
            given.time = Some(DEFAULT_TIME);
        }
        given.mate = self.mate.mate.filter(|&moves| moves > 0);
        given
    }
}

/// The whole of `epd run`: what is read, then searched, then judged, then written. The functions below stand in
/// the order in which this one calls them.
#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
pub(super) fn run(args: &RunArgs, interrupt: &Interrupt, is_quiet: bool) -> anyhow::Result<Exit> {
    // A run may take hours: what can be wrong with it is looked for before the first search.
    check_policy(args)?;
    let baseline = args.policy.baseline.as_ref();
    let baseline = baseline.map(|path| input::baseline(path, args.engines.engines.len()));
    let baseline = baseline.transpose()?;
    let scores = args.scores.request()?;
    check_outputs(args)?;
    let engines = input::engines(&args.engines, args.top, interrupt)?;
    let asked = args.search.limits();
    let mut plan = args.puzzles.plan(&args.suites, asked, is_quiet)?;
    args.search.mate.set_known(&mut plan);
    if let Some(top) = args.top {
        plan.set_lines(usize::from(top));
    }
    let mut rules = SearchRules {
        concurrency: args.engines.processes(),
        repeat: 1,
        timeout: args.search.timeout,
        margin: args.search.margin,
        early_stop: args.search.early_stop,
    };
    let limits = describe_limits(asked, args);
    if let (Some(baseline), Some(path)) = (&baseline, &args.policy.baseline) {
        check_settings(baseline, path, &limits, &engines)?;
    }
    // How often each position is searched: a single search proves little where chance decides.
    let reasons = reasons(args, &plan, &engines, rules)?;
    rules.repeat = repeat(args, baseline.as_ref(), &reasons, is_quiet);
    // The searches, by a lab or by this machine.
    let mut journal = open_journal(args, &plan, &engines, rules, &limits)?;
    let began = Instant::now();
    let mut search = || -> anyhow::Result<Option<Vec<Trial>>> {
        #[cfg(feature = "fleet")]
        if let Some(url) = &args.lab.lab {
            let run = LabSearches {
                args: &args.lab,
                url,
                kind: LabKind::Run,
                cases: &plan.cases,
                limits: asked,
                rules,
                interrupt,
                is_quiet,
            };
            return run.run(&engines);
        }
        run_engines(&plan, &engines, rules, &mut journal, is_quiet).map(Some)
    };
    let Some(trials) = search()? else {
        // A lab was given the searches, and nobody waits for them.
        return Ok(if interrupt.has_come() {
            Exit::Interrupted
        } else {
            Exit::Agreed
        });
    };
    // The verdict: the results beside those of the baseline.
    let earlier = trials.iter().map(|trial| trial.earlier).sum::<Duration>();
    let time = earlier + began.elapsed();
    let known: Vec<_> = engines.iter().zip(reasons).collect();
    let results = Baseline::of_run(&plan, &trials, &known, limits.clone(), rules.repeat);
    let comparisons = comparisons(baseline.as_ref(), &results);
    let policy = policy(args, &comparisons);
    let mut verdict = judge(&plan, &trials, &comparisons, &policy);
    if interrupt.has_come() {
        // The interrupt may have come before the first engine was started.
        verdict.exit = Exit::Interrupted;
    }
    // All outputs. The report comes first: a disk that is full then loses the baseline, not the results.
    let baseline_name = args.policy.baseline.as_ref();
    let baseline_name = baseline_name.map(|path| path.display().to_string());
    let baseline_limits = baseline.as_ref().map(|baseline| baseline.limits.as_str());
    let nothing = (verdict.exit == Exit::Nothing).then(|| why_nothing(args, &plan, &comparisons));
    args.output.report.report(&SuiteRunReport {
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
        nothing,
        scores: &scores,
    })?;
    warn_of_chance(&policy, baseline.as_ref(), &comparisons);
    if let Some(why) = nothing {
        to_stderr(&format!("error: {why}"));
    }
    save(args, results, &engines, verdict.exit, is_quiet)?;
    if verdict.exit == Exit::Interrupted && args.is_of_this_machine() {
        let searches = plan.cases.len() * rules.repeat * engines.len();
        let hint = journal.map_or_else(
            || "nothing is kept; with --resume FILE, the same command would resume".to_owned(),
            |journal| journal.how_to_resume(searches),
        );
        remark(is_quiet, &hint);
    }
    Ok(verdict.exit)
}

fn check_policy(args: &RunArgs) -> Result<(), BadInput> {
    let mut fail_on = args.policy.fail_on.iter();
    match fail_on.find(|rule| rule.needs_baseline()) {
        Some(rule) if args.policy.baseline.is_none() => {
            let name = rule.as_str();
            Err(BadInput(format!("--fail-on {name} needs --baseline")))
        }
        _ => Ok(()),
    }
}

/// Checks up front that outputs can be written and replace neither an input nor one another: a run
/// of hours must not fail at its end.
fn check_outputs(args: &RunArgs) -> Result<(), BadInput> {
    let ResultArgs { report, save, .. } = &args.output;
    let mut outputs = report.paths();
    if report.has(Format::Epd) && args.engines.engines.len() != 1 {
        let message = "EPD is for one engine: records have no place for the results of two";
        return Err(BadInput(message.to_owned()));
    }
    let mut inputs = args.suites.clone();
    inputs.extend(args.scores.rating_file());
    outputs.push(save.as_deref());
    // Only --update-baseline replaces it: a worse result must not become what is compared with unasked.
    if let Some(baseline) = &args.policy.baseline {
        output::refuse_to_replace(&outputs, std::slice::from_ref(baseline)).map_err(|error| {
            BadInput(format!("{error}; --update-baseline replaces the baseline"))
        })?;
        if args.output.update_baseline {
            output::check_writable(&[Some(baseline)])?;
        }
    }
    // The journal is opened before the work.
    let journal = args.resume.as_deref();
    output::refuse_to_replace(&[journal], &inputs)?;
    inputs.extend(journal.map(Path::to_owned));
    report.check(&[save.as_deref()], &inputs)
}

/// All that decides how long is searched and what counts, in words: results under other limits are
/// not comparable.
fn describe_limits(limits: PositionLimits, args: &RunArgs) -> String {
    let mate = args.search.mate;
    let mut parts = vec![mate.describe(&limits.to_string(), limits.is_empty())];
    parts.extend(args.search.early_stop.describe());
    parts.extend(args.top.map(|top| format!("top {top}")));
    parts.join(", ")
}

/// Results at other limits, or by other numbers of threads, are not comparable: an error. Of other options
/// that differ, which may be what is tested, there is a warning.
fn check_settings(
    baseline: &Baseline,
    path: &Path,
    limits: &str,
    engines: &[TestedEngine],
) -> Result<(), BadInput> {
    let name = path.display();
    let fault = |then: &str, now: &str| {
        BadInput(format!(
            "{name} was made with {then}, this run is with {now}: they cannot be compared; --save makes another \
             baseline"
        ))
    };
    if baseline.limits != limits {
        return Err(fault(&baseline.limits, limits));
    }
    for (index, engine) in engines.iter().enumerate() {
        let start = &engine.start;
        let Some(then) = baseline.for_engine(index) else {
            continue;
        };
        let threads =
            |options: &[(String, Option<String>)]| kit::options::threads(options).unwrap_or(1);
        let (of_then, of_now) = (threads(&then.options), threads(&start.options));
        if of_then != of_now {
            return Err(fault(
                &format!("Threads={of_then}"),
                &format!("Threads={of_now}"),
            ));
        }
        if then.options != start.options {
            let (then, now) = (in_words(&then.options), in_words(&start.options));
            to_stderr(&format!(
                "warning: {name} was made with {then}, this run is with {now}"
            ));
        }
    }
    Ok(())
}

fn in_words(options: &[(String, Option<String>)]) -> String {
    let words = options.iter().map(|(name, value)| match value {
        Some(value) => format!("{name}={value}"),
        None => name.clone(),
    });
    let words: Vec<String> = words.collect();
    if words.is_empty() {
        "no options".to_owned()
    } else {
        words.join(" ")
    }
}

/// Why the searches of each engine do not come out the same each time, as far as it is known before the
/// run. For a new baseline of single searches, some positions are asked twice.
fn reasons(
    args: &RunArgs,
    plan: &RunPlan,
    engines: &[TestedEngine],
    rules: SearchRules,
) -> anyhow::Result<Vec<Option<String>>> {
    let reasons = engines
        .iter()
        .map(|engine| not_repeatable(&plan.cases, &engine.start));
    let mut reasons: Vec<Option<String>> = reasons.collect();
    let is_new = args.output.save.is_some() && args.policy.baseline.is_none();
    let is_single = args.repeat.is_none_or(|repeat| repeat == 1);
    if !is_new || !is_single || !args.is_of_this_machine() {
        return Ok(reasons);
    }
    let step = plan.cases.len().div_ceil(ASKED_TWICE).max(1);
    let cases: Vec<RunCase> = plan.cases.iter().step_by(step).cloned().collect();
    let sample = RunPlan {
        suites: plan.suites.clone(),
        cases,
    };
    let rules = SearchRules { repeat: 2, ..rules };
    for (engine, reason) in engines.iter().zip(&mut reasons) {
        if reason.is_none() {
            let trials = run_engines(
                &sample,
                std::slice::from_ref(engine),
                rules,
                &mut None,
                true,
            )?;
            let mut trials = trials.iter();
            *reason = trials.find_map(|trial| searched_otherwise(trial, sample.cases.len()));
        }
    }
    Ok(reasons)
}

/// How often each position is searched.
fn repeat(
    args: &RunArgs,
    baseline: Option<&Baseline>,
    reasons: &[Option<String>],
    is_quiet: bool,
) -> usize {
    match (args.repeat, baseline, reasons.iter().flatten().next()) {
        (Some(repeat), ..) => usize::from(repeat),
        (None, Some(baseline), _) => baseline.repeat,
        (None, None, Some(reason)) if args.output.save.is_some() => {
            let text = format!(
                "note: searches do not come out the same each time ({reason}): each position is searched \
                 {REPEATS} times, and comparisons will count"
            );
            remark(is_quiet, &text);
            REPEATS
        }
        _ => 1,
    }
}

/// Opens the journal, if there is to be one.
fn open_journal(
    args: &RunArgs,
    plan: &RunPlan,
    engines: &[TestedEngine],
    rules: SearchRules,
    limits: &str,
) -> anyhow::Result<Option<JournalFile>> {
    let Some(path) = &args.resume else {
        return Ok(None);
    };
    let header = Header {
        schema: SCHEMA.to_owned(),
        suites: SuiteText::of_plan(plan),
        engines: engines.iter().map(engine_text).collect(),
        limits: limits.to_owned(),
        repeat: rules.repeat,
        rules: rules.describe(),
    };
    JournalFile::open(path, &header, plan).map(Some)
}

/// Runs the engines one after the other. Each is run even if another fails.
pub(super) fn run_engines(
    plan: &RunPlan,
    engines: &[TestedEngine],
    rules: SearchRules,
    journal: &mut Option<JournalFile>,
    is_quiet: bool,
) -> anyhow::Result<Vec<Trial>> {
    let progress = Progress::new(0, "searches", !is_quiet);
    let mut trials = Vec::new();
    for (index, engine) in engines.iter().enumerate() {
        if plan.cases.is_empty() || engine.start.cancel.is_set() {
            break;
        }
        let run = EngineRun {
            engine,
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

/// The results of each engine compared with the baseline, if there is one.
fn comparisons<'a>(
    baseline: Option<&'a Baseline>,
    results: &'a Baseline,
) -> Vec<Option<BaselineComparison<'a>>> {
    let engines = results.engines.iter().enumerate();
    let compared = engines.map(|(index, now)| {
        let then = baseline?.for_engine(index)?;
        // Of an engine that was not run, there is nothing to compare.
        if now.positions.is_empty() {
            return None;
        }
        Some(compare(then, now, SLOWER))
    });
    compared.collect()
}

/// What makes the run fail. Where chance may decide over a position, counts are compared.
fn policy(args: &RunArgs, comparisons: &[Option<BaselineComparison<'_>>]) -> FailPolicy {
    let mut fail_on = args.policy.fail_on.clone();
    if args.policy.baseline.is_some() && fail_on.is_empty() {
        let mut compared = comparisons.iter().flatten();
        let is_chance = compared.any(|one| one.not_repeatable.is_some());
        fail_on.push(if is_chance {
            FailOn::Worse
        } else {
            FailOn::NewlyFailed
        });
        fail_on.push(FailOn::Missing);
    }
    FailPolicy {
        fail_on,
        min_solved: args.policy.min_solved,
        allow_unreadable: args.skip_bad,
    }
}

/// What is asked for may alarm by chance, or never alarm.
fn warn_of_chance(
    policy: &FailPolicy,
    baseline: Option<&Baseline>,
    comparisons: &[Option<BaselineComparison<'_>>],
) {
    let mut compared = comparisons.iter().flatten();
    let Some(reason) = compared.find_map(|one| one.not_repeatable) else {
        return;
    };
    let single = [FailOn::NewlyFailed, FailOn::Slower].into_iter();
    for rule in single.filter(|rule| policy.fail_on.contains(rule)) {
        let name = rule.as_str();
        to_stderr(&format!(
            "warning: searches do not come out the same each time ({reason}): {name} alarms by chance; 'worse' \
             does not"
        ));
    }
    if baseline.is_some_and(|baseline| baseline.repeat == 1) {
        to_stderr(&format!(
            "warning: searches do not come out the same each time ({reason}), and the baseline has one of each \
             position: with --save --repeat {REPEATS}, smaller changes are found"
        ));
    }
}

/// Why nothing was run, or nothing could be compared.
fn why_nothing(
    args: &RunArgs,
    plan: &RunPlan,
    comparisons: &[Option<BaselineComparison<'_>>],
) -> &'static str {
    let mut compared = comparisons.iter().flatten();
    if compared.any(|one| one.common == 0) {
        "the baseline has none of the positions that were run"
    } else if plan.cases.is_empty() && args.puzzles.is_selective() {
        "no puzzle has such a rating and theme"
    } else if plan.cases.is_empty() {
        "no record asks for anything by bm, am, dm, or points in c0 or in c8 and c9"
    } else {
        "an engine was asked nothing"
    }
}

/// Saves the results of a complete run as a baseline.
fn save(
    args: &RunArgs,
    mut results: Baseline,
    tested: &[TestedEngine],
    exit: Exit,
    is_quiet: bool,
) -> anyhow::Result<()> {
    let ResultArgs { save, .. } = &args.output;
    let updated = { args.policy.baseline.as_ref() }.filter(|_| args.output.update_baseline);
    let mut engines = results.engines.iter();
    let has_run = engines.all(|engine| !engine.positions.is_empty());
    let is_complete = exit != Exit::Interrupted && !results.engines.is_empty() && has_run;
    let mut paths: Vec<&PathBuf> = save.iter().chain(updated).collect();
    if !is_complete {
        for path in paths {
            let text = format!("{} is not written: the run is not complete", path.display());
            remark(is_quiet, &text);
        }
        return Ok(());
    }
    if let Some(path) = updated.filter(|_| exit == Exit::Failed) {
        to_stderr(&format!(
            "{} is not replaced: the engine failed",
            path.display()
        ));
        paths.pop();
    }
    if !paths.is_empty() && args.is_of_this_machine() {
        for (engine, tested) in results.engines.iter_mut().zip(tested) {
            let name = &tested.name;
            remark(is_quiet, &format!("{name}: bench, for the baseline"));
            match bench_of(tested) {
                Ok(nodes) => engine.bench = Some(nodes),
                Err(why) => remark(
                    is_quiet,
                    &format!("{name}: no bench in the baseline: {why}"),
                ),
            }
        }
    }
    for path in paths {
        input::write(Some(path), results.to_text()?)?;
    }
    Ok(())
}

/// The nodes of an engine's bench, as an argument, which the engines that have one understand; others end, or
/// wait for input.
///
/// # Errors
///
/// The reason why there is none.
fn bench_of(TestedEngine { start, .. }: &TestedEngine) -> Result<u64, String> {
    let found = bench(&BenchJob {
        command: &start.command,
        words: &["bench".to_owned()],
        bench_by: BenchBy::Argument,
        may_be_unknown: true,
        timeout: BENCH_TIMEOUT,
        cancel: &start.cancel,
    });
    match (found.error, found.nodes) {
        (Some(error), _) => Err(error),
        (None, None) => Err("it prints no number of nodes".to_owned()),
        (None, Some(nodes)) => Ok(nodes),
    }
}
