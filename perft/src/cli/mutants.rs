//! `perft mutants`.

use std::path::PathBuf;
use std::time::Instant;

use chess::perft::{CountError, Counter};
use epd::suites;
use kit::{Exit, Interrupt, Progress, output};

use super::{BadInput, say_why_nothing};
use crate::check::{Filter, Plan, plan};
use crate::mutants::Mutation;
use crate::mutants::detect::Course;
use crate::mutants::report::{Format, Judged, MutantsReport};
use crate::run;

/// Judge perft suites: which broken move generators do they catch?
///
/// Each mutant is a generator with one rule broken. A suite catches it when one of its counts
/// differs. All counts at depth 1 are made first, then those at depth 2, and so on; `nodes` is the
/// number of leaf nodes a correct generator counts until the mutant is caught.
///
/// Examples: `perft mutants`, `perft mutants edge --depth 2`,
/// `perft mutants my.epd --max-nodes 1000000 --format json`.
///
/// Exit codes: 0 all mutants are caught, 1 some escape, 2 bad usage or input, 4 nothing was
/// selected.
#[derive(Debug, clap::Args)]
pub(super) struct MutantsArgs {
    /// EPD files, or names of built-in suites: quick, standard, chess960, edge, thesis [default:
    /// all of these]
    #[arg(value_name = "SUITE")]
    suites: Vec<PathBuf>,

    /// Skip counts deeper than this many plies
    #[arg(long, value_name = "PLIES")]
    depth: Option<u32>,

    /// Skip counts of more than this many leaf nodes
    #[arg(long, value_name = "NODES", default_value_t = 10_000)]
    max_nodes: u64,

    /// Use only records with this tag; may be given several times
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,

    /// How to print the report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,

    /// Threads to count on [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl MutantsArgs {
    fn filter(&self) -> Filter {
        Filter {
            depth: self.depth,
            max_nodes: Some(self.max_nodes),
            tags: self.tag.clone(),
        }
    }
}

pub(super) fn mutants(args: &MutantsArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let plan = plan(super::suites::read(&args.suites)?, &args.filter());
    refuse_broken_lines(&plan)?;
    if plan.units.is_empty() {
        say_why_nothing(&plan);
        return Ok(Exit::Nothing);
    }
    let classics = classics(&args.filter());
    let pool = run::pool(args.threads.map(usize::from))?;
    let pairs = (plan.suites.len() + classics.suites.len()) * Mutation::COUNT;
    let progress = Progress::new(pairs as u64, "trials", true);
    let judge = |plan| pool.install(|| judge(plan, interrupt, &progress));
    let judged = judge(&plan).and_then(|suites| {
        Ok(MutantsReport {
            suites,
            classics: judge(&classics)?,
        })
    });
    progress.finish();
    if interrupt.has_come() {
        return Ok(Exit::Interrupted);
    }
    let report = judged?;
    output::to_stdout(&report.write(args.format)?)?;
    Ok(if report.all_are_caught() {
        Exit::Agreed
    } else {
        Exit::Differs
    })
}

/// The six classic positions, whatever the tags.
fn classics(filter: &Filter) -> Plan {
    const NAMES: [&str; 6] = [
        "standard.startpos",
        "standard.kiwipete",
        "standard.position-3",
        "standard.position-4",
        "standard.position-5",
        "standard.position-6",
    ];
    let mut suite = suites::find("standard")
        .expect("the standard suite is built in")
        .parse();
    suite
        .entries
        .retain(|entry| entry.record.id().is_some_and(|id| NAMES.contains(&id)));
    "six classics".clone_into(&mut suite.name);
    let filter = Filter {
        tags: Vec::new(),
        ..filter.clone()
    };
    plan(vec![suite], &filter)
}

/// An unreadable line might have caught a mutant.
fn refuse_broken_lines(plan: &Plan) -> Result<(), BadInput> {
    for suite in &plan.suites {
        let mut diagnostics = suite.diagnostics.iter();
        if let Some(error) = diagnostics.find(|one| one.severity() == epd::Severity::Error) {
            return Err(BadInput(error.display(&suite.name).to_string()));
        }
    }
    Ok(())
}

/// Makes the correct counts of a plan, then those of every mutant, on the current pool.
#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
fn judge(plan: &Plan, interrupt: &Interrupt, progress: &Progress) -> anyhow::Result<Judged> {
    let course = Course::new(plan);
    let mut times = Vec::new();
    for suite in 0..plan.suites.len() {
        let start = Instant::now();
        refuse_wrong_counts(plan, suite, interrupt)?;
        times.push(start.elapsed());
    }
    let outcomes = course.judge(&Mutation::ALL, interrupt.flag(), || progress.advance(1));
    Ok(Judged {
        names: plan.suites.iter().map(|suite| suite.name.clone()).collect(),
        course,
        outcomes,
        times,
    })
}

/// A wrong count would catch every generator.
fn refuse_wrong_counts(plan: &Plan, suite: usize, interrupt: &Interrupt) -> anyhow::Result<()> {
    let counter = Counter::new().cancel(interrupt.flag());
    for unit in plan.units.iter().filter(|unit| unit.suite == suite) {
        let said = match counter.count_parallel(&unit.position, unit.depth) {
            Ok(counted) if counted == unit.expected => continue,
            Ok(counted) => format!("we count {counted}"),
            Err(error @ CountError::Cancelled) => return Err(error.into()),
            Err(error) => error.to_string(),
        };
        let (name, line) = (&plan.suites[suite].name, unit.line);
        let message = format!(
            "{name}:{line}: depth {}: the suite says {}, but {said}",
            unit.depth, unit.expected
        );
        return Err(BadInput(message).into());
    }
    Ok(())
}
