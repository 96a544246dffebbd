//! `epd run`.

mod args;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use kit::{BadInput, Exit, Interrupt, Progress, output};
use uci::{Cancel, CommandLine, SplitCommandError};

use super::suites;
use crate::baseline::{Baseline, Comparison, baseline, compare};
use crate::report::{Format, RunReport};
use crate::run::{Rules, Start, try_engine};
use crate::trial::case::{LimitRule, Plan, plan};
use crate::trial::ledger::Trial;
use crate::verdict::{Demands, FailOn, judge};
use args::OutputArgs;
pub(super) use args::RunArgs;

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
pub(super) fn run(args: &RunArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let demands = demands(args)?;
    let kept = kept(args)?;
    refuse_to_overwrite(args)?;
    check_outputs(args)?;
    let starts = starts(args, interrupt)?;
    let limits = args.limits.limits();
    let rule = LimitRule {
        given: limits,
        from_record: args.limits.limits_from_record,
    };
    let plan = plan(suites::read(&args.suites)?, rule);
    let began = Instant::now();
    let trials = hold(&starts, &plan, args, interrupt);
    let time = began.elapsed();
    let limits = say_limits(rule);
    let repeat = usize::from(args.engines.repeat);
    let results = baseline(&plan, &trials, limits.clone(), repeat);
    let comparisons = comparisons(kept.as_ref(), &results, args.demands.factor);
    let kept_name = args
        .demands
        .baseline
        .as_ref()
        .map(|path| path.display().to_string());
    let mut verdict = judge(&plan, &trials, &comparisons, &demands);
    if interrupt.has_come() {
        // The interrupt may have come before the first engine was started.
        verdict.exit = Exit::Interrupted;
    }
    let report = RunReport {
        plan: &plan,
        trials: &trials,
        limits: &limits,
        repeat,
        time,
        comparisons: &comparisons,
        baseline: kept_name
            .as_deref()
            .zip(kept.as_ref().map(|kept| kept.limits.as_str())),
        demands: &demands,
        verdict: &verdict,
    };
    write(args, &report)?;
    warn_of_limits(kept.as_ref(), &results);
    if verdict.exit == Exit::Nothing {
        say_why_nothing(&plan, &comparisons);
    }
    save(args, &results, verdict.exit)?;
    Ok(verdict.exit)
}

/// Writes the report to the requested destination, and the records.
fn write(args: &RunArgs, report: &RunReport<'_>) -> anyhow::Result<()> {
    let format = args.output.format;
    match &args.output.output {
        Some(path) => {
            // Print first: the results of a long run are not lost to a full disk.
            output::to_stdout(&report.write(Format::Human)?)?;
            output::to_file(path, &report.write(format)?)?;
        }
        None => output::to_stdout(&report.write(format)?)?,
    }
    if let (Format::Github, Some(summary)) = (format, &args.output.summary) {
        output::append(summary, &report.markdown())?;
    }
    if let (Some(path), [trial]) = (&args.output.write_epd, report.trials) {
        output::to_file(path, report.records(trial))?;
    }
    Ok(())
}

/// Saves the results of a complete run; half a run is not a baseline.
fn save(args: &RunArgs, results: &Baseline, exit: Exit) -> anyhow::Result<()> {
    let Some(path) = &args.output.save else {
        return Ok(());
    };
    let has_run = results
        .engines
        .iter()
        .all(|engine| !engine.positions.is_empty());
    if exit == Exit::Interrupted || results.engines.is_empty() || !has_run {
        say(&format!(
            "{} is not written: the run is not whole",
            path.display()
        ));
        return Ok(());
    }
    output::to_file(path, &results.to_text()?)
}

fn demands(args: &RunArgs) -> Result<Demands, BadInput> {
    let given = &args.demands;
    let has_baseline = given.baseline.is_some();
    if let Some(fail_on) = given.fail_on.iter().find(|one| one.needs_baseline())
        && !has_baseline
    {
        let name = fail_on.as_str();
        return Err(BadInput(format!("--fail-on {name} needs --baseline")));
    }
    let fail_on = if given.fail_on.is_empty() && has_baseline {
        vec![FailOn::NewlyFailed]
    } else {
        given.fail_on.clone()
    };
    Ok(Demands {
        fail_on,
        min_solved: given.min_solved,
        allow_unreadable: args.allow_unreadable,
    })
}

fn kept(args: &RunArgs) -> Result<Option<Baseline>, BadInput> {
    let Some(path) = &args.demands.baseline else {
        return Ok(None);
    };
    let name = path.display();
    let text = kit::read::text(path, kit::read::DATA)
        .map_err(|error| BadInput(format!("cannot read {name}: {error}")))?;
    let kept = Baseline::parse(&text)
        .map_err(|error| BadInput(format!("{name} is no baseline: {error}")))?;
    let (then, now) = (kept.engines.len(), args.engines.engine.len());
    if then != 1 && then != now {
        return Err(BadInput(format!(
            "{name} has results of {then} engines for the {now} of the command line, expected 1 or {now}"
        )));
    }
    Ok(Some(kept))
}

fn comparisons<'a>(
    kept: Option<&'a Baseline>,
    results: &'a Baseline,
    factor: f64,
) -> Vec<Option<Comparison<'a>>> {
    let engines = results.engines.iter().enumerate();
    engines
        .map(|(index, now)| {
            let then = kept?.for_engine(index)?;
            Some(compare(then, now, factor))
        })
        .collect()
}

fn starts(args: &RunArgs, interrupt: &Interrupt) -> Result<Vec<Start>, BadInput> {
    let start = |text: &String| {
        // A path that contains blanks needs no quotes.
        let command = if Path::new(text).is_file() {
            Ok(CommandLine::new(text))
        } else {
            text.parse()
        };
        Ok(Start {
            name: text.clone(),
            command: command
                .map_err(|error: SplitCommandError| BadInput(format!("--engine: {error}")))?,
            options: args.engines.options(),
            cancel: Cancel::from(interrupt.shared()),
        })
    };
    args.engines.engine.iter().map(start).collect()
}

fn hold(starts: &[Start], plan: &Plan, args: &RunArgs, interrupt: &Interrupt) -> Vec<Trial> {
    if plan.cases.is_empty() {
        return Vec::new();
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let rules = Rules {
        jobs: args.engines.jobs(cores),
        repeat: usize::from(args.engines.repeat),
        timeout: args.limits.timeout,
        margin: args.limits.margin,
    };
    let progress = Progress::new(0, "searches", true);
    let trials = starts
        .iter()
        .take_while(|_| !interrupt.has_come())
        .map(|start| try_engine(start, &plan.cases, rules, &progress))
        .collect();
    progress.finish();
    trials
}

fn say_limits(rule: LimitRule) -> String {
    let first = if rule.from_record {
        "limits of the records, else "
    } else {
        ""
    };
    format!("{first}{}", rule.given)
}

/// Node counts at other limits are not comparable.
fn warn_of_limits(kept: Option<&Baseline>, results: &Baseline) {
    if let Some(kept) = kept
        && (&kept.limits, kept.repeat) != (&results.limits, results.repeat)
    {
        let words =
            |one: &Baseline| format!("{}, {} searches of each position", one.limits, one.repeat);
        let (then, now) = (words(kept), words(results));
        say(&format!(
            "warning: the baseline was made otherwise: {then}; now: {now}"
        ));
    }
}

fn say_why_nothing(plan: &Plan, comparisons: &[Option<Comparison<'_>>]) {
    let mut compared = comparisons.iter().flatten();
    say(if compared.any(|one| one.common == 0) {
        "error: the baseline has none of the positions that were run"
    } else if plan.cases.is_empty() {
        "error: nothing was run: no record asks for anything by bm, am, dm, or points in c0 or in \
         c8 and c9"
    } else {
        "error: an engine was asked nothing"
    });
}

fn say(text: &str) {
    // Standard error may be closed; the exit code still carries the result.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Checks up front that outputs can be written: a run of hours must not fail at its end.
fn check_outputs(args: &RunArgs) -> Result<(), BadInput> {
    let OutputArgs {
        format,
        output,
        summary,
        write_epd,
        save,
    } = &args.output;
    output::check_writable(&[output, write_epd, save].map(Option::as_deref))?;
    match summary {
        Some(summary) if *format == Format::Github => output::check_appendable(summary),
        _ => Ok(()),
    }
}

/// Rejects outputs that would overwrite an input or one another.
fn refuse_to_overwrite(args: &RunArgs) -> Result<(), BadInput> {
    let outputs = [
        &args.output.output,
        &args.output.write_epd,
        &args.output.save,
    ];
    if args.output.write_epd.is_some() && args.engines.engine.len() != 1 {
        let message = "--write-epd is for one engine, its findings cannot be told from another's";
        return Err(BadInput(message.to_owned()));
    }
    let same = |left: &PathBuf, right: &PathBuf| {
        left == right
            || matches!((left.canonicalize(), right.canonicalize()), (Ok(left), Ok(right)) if left == right)
    };
    for output in outputs.into_iter().flatten() {
        if let Some(suite) = args.suites.iter().find(|suite| same(suite, output)) {
            let message = format!("{} would replace the suite", suite.display());
            return Err(BadInput(message));
        }
    }
    let given: Vec<&PathBuf> = outputs.into_iter().flatten().collect();
    for (index, output) in given.iter().enumerate() {
        if given[..index].iter().any(|earlier| same(earlier, output)) {
            let message = format!("{} is to be written twice", output.display());
            return Err(BadInput(message));
        }
    }
    Ok(())
}
