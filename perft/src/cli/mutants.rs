//! `perft mutants`.

use std::path::PathBuf;
use std::time::Instant;

use chess::perft::{CountError, Counter};
use epd::suites;
use kit::report::{Format, Formats as _, TableFormats};
use kit::{BadInput, Exit, Interrupt, Progress, output};

use super::{CommandContext, plan_whole, print_line};
use crate::report::MutantsReport;
use crate::suite::check::plan::{CheckPlan, CountFilter, plan};
use crate::suite::mutants::Mutation;
use crate::suite::mutants::detect::{Course, Judged};

/// Judge perft suites: which broken move generators do they catch?
///
/// Each mutant is a generator with one rule broken. A suite catches it when one of its counts
/// differs. All counts at depth 1 are made first, then those at depth 2, and so on; `nodes` is the
/// number of leaf nodes a correct generator counts until the mutant is caught.
///
/// Examples: `perft mutants`, `perft mutants edge --depth 2`,
/// `perft mutants my.epd --max-nodes 1000000 --format json`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 all mutants are caught, 1 some escape, 2 invalid usage or \
                        input, 4 nothing was selected, 130 interrupted."
)]
pub(super) struct MutantsArgs {
    /// EPD files or built-in suites [default: all]
    ///
    /// EPD files, or names of built-in suites: quick, full, standard, chess960, edge, thesis
    /// [default: all of these].
    #[arg(value_name = "SUITE")]
    suites: Vec<PathBuf>,

    /// Skip counts deeper than this many plies
    #[arg(long, value_name = "PLIES")]
    depth: Option<u32>,

    /// Skip counts of more than this many leaf nodes
    #[arg(long, value_name = "NODES", default_value_t = 10_000)]
    max_nodes: u64,

    /// Use only records with this tag
    ///
    /// May be given several times.
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,

    /// How to print the report
    #[arg(long, value_parser = Format::parser(TableFormats::ALL), default_value = "human")]
    format: Format,
}

pub(super) fn mutants(args: &MutantsArgs, session: &CommandContext) -> anyhow::Result<Exit> {
    let interrupt = &session.interrupt;
    let filter = CountFilter {
        depth: args.depth,
        max_nodes: Some(args.max_nodes),
        tags: args.tag.clone(),
    };
    let plan = plan_whole(&args.suites, &filter)?;
    if plan.is_empty() {
        print_line(&plan.why_nothing());
        return Ok(Exit::Nothing);
    }
    let classics = classics(&filter);
    let pool = session.threads.pool()?;
    let pairs = (plan.suites.len() + classics.suites.len()) * Mutation::COUNT;
    let progress = session.progress(pairs as u64, "mutants", true);
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
    output::to_stdout(report.write(args.format)?)?;
    Ok(if report.suites.caught(None) == Mutation::COUNT {
        Exit::Agreed
    } else {
        Exit::Differs
    })
}

/// The six classic positions, whatever the tags.
fn classics(filter: &CountFilter) -> CheckPlan {
    const NAMES: [&str; 6] = [
        "standard.startpos",
        "standard.kiwipete",
        "standard.position-3",
        "standard.position-4",
        "standard.position-5",
        "standard.position-6",
    ];
    let standard = suites::find("standard").expect("the standard suite is built in");
    let mut suite = standard.parse();
    let is_classic = |id: &str| NAMES.contains(&id);
    suite
        .entries
        .retain(|entry| entry.record.id().is_some_and(is_classic));
    "six classics".clone_into(&mut suite.name);
    let filter = CountFilter {
        tags: Vec::new(),
        ..filter.clone()
    };
    plan(vec![suite], &filter)
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
fn judge(plan: &CheckPlan, interrupt: &Interrupt, progress: &Progress) -> anyhow::Result<Judged> {
    let course = Course::new(plan);
    let counter = Counter::new().cancel(interrupt.flag());
    let mut times = Vec::new();
    for (index, suite) in plan.suites.iter().enumerate() {
        let start = Instant::now();
        // A wrong count would catch every generator.
        for count in plan.counts().filter(|count| count.record.suite() == index) {
            let found = match counter.count_parallel(&count.record.position(), count.depth) {
                Ok(counted) if counted == count.expected => continue,
                Ok(counted) => format!("we count {counted}"),
                Err(error @ CountError::Cancelled) => return Err(error.into()),
                Err(error) => error.to_string(),
            };
            let (name, line, depth, expected) = (
                &suite.name,
                count.record.line(),
                count.depth,
                count.expected,
            );
            return Err(BadInput(format!(
                "{name}:{line}: depth {depth}: the suite has {expected}, but {found}"
            ))
            .into());
        }
        times.push(start.elapsed());
    }
    Ok(Judged {
        names: plan.suites.iter().map(|suite| suite.name.clone()).collect(),
        catches: course.judge(&Mutation::ALL, interrupt.flag(), || progress.advance(1)),
        course,
        times,
    })
}
