//! `perft coverage`.

use std::path::PathBuf;

use chess::perft::Counter;
use epd::Record;
use kit::output::to_stderr;
use kit::report::{CaseFormats, Format, Formats as _};
use kit::{Exit, output};

use super::{CommandContext, check_outputs, plan_whole};
use crate::report::coverage::{CoverageReport, MissedFault, SuiteCoverage};
use crate::suite::check::plan::CountFilter;
use crate::suite::faults::{self, FaultExample, FaultSet, Faulty, Scope};

/// Measure which faults of move generators perft suites catch, and which they miss
///
/// A fault is a condition and what happens where it holds: a legal move is not listed, an illegal one is, a
/// move leaves a castling right behind, and so on. A suite catches it if one of its counts differs when
/// it is made with the fault.
///
/// Examples: `perft coverage quick`, `perft coverage my.epd --fill missing.epd`.
#[derive(Debug, clap::Args)]
#[command(
    visible_alias = "mutants",
    after_help = "Exit codes: 0 every fault is caught, 1 some are missed, 2 invalid usage or \
                  input, 4 nothing was selected, 130 interrupted."
)]
pub(super) struct CoverageArgs {
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
    #[arg(long, value_name = "NODES", default_value_t = 20_000)]
    max_nodes: u64,

    /// Look for faults that need Chess960 too
    #[arg(long)]
    chess960: bool,

    /// Look for faults that only odd positions show
    ///
    /// Look for faults too that only positions show which strict libraries refuse.
    #[arg(hide_short_help = true, long)]
    edge: bool,

    /// Write a suite that catches what is missed
    ///
    /// Write a suite of positions that catch what is missed to this file.
    #[arg(long, value_name = "FILE")]
    fill: Option<PathBuf>,

    /// How to print the report
    #[arg(long, value_parser = Format::parser(CaseFormats::ALL), default_value = "human")]
    format: Format,
}

pub(super) fn coverage(args: &CoverageArgs, session: &CommandContext) -> anyhow::Result<Exit> {
    let interrupt = &session.interrupt;
    check_outputs(&[args.fill.as_deref()], &args.suites)?;
    let filter = CountFilter {
        depth: args.depth,
        max_nodes: Some(args.max_nodes),
        tags: Vec::new(),
    };
    let plan = plan_whole(&args.suites, &filter)?;
    if plan.is_empty() {
        to_stderr(&plan.why_nothing("--depth and --max-nodes"));
        return Ok(Exit::Nothing);
    }
    let nodes = |suite| {
        let counts = plan.counts().filter(|one| one.record.suite() == suite);
        counts.fold(0, |sum: u64, one| sum.saturating_add(one.expected))
    };
    let nodes: Vec<u64> = (0..plan.suites.len()).map(nodes).collect();
    let scope = match (args.edge, args.chess960) {
        (true, _) => Scope::Edge,
        (false, true) => Scope::Chess960,
        (false, false) => Scope::Standard,
    };
    let bank = faults::bank(scope);
    let pool = session.threads.pool()?;
    let progress = session.progress(plan.len() as u64, "counts", true);
    let sets =
        pool.install(|| faults::caught(&plan, bank, interrupt.flag(), || progress.advance(1)));
    progress.finish();
    if interrupt.has_come() {
        return Ok(Exit::Interrupted);
    }
    let mut caught = FaultSet::default();
    for set in &sets {
        caught.add(set);
    }
    let missed = bank.without(&caught);
    let suites = plan.suites.iter().zip(sets).zip(nodes);
    let report = CoverageReport {
        suites: suites
            .map(|((suite, caught), nodes)| SuiteCoverage {
                name: suite.name.clone(),
                positions: suite.positions,
                nodes,
                caught,
            })
            .collect(),
        bank,
        caught,
        missed: shown(&missed, scope)?,
    };
    if let Some(path) = &args.fill
        && !missed.is_empty()
    {
        output::to_file(path, filling(&missed, scope)?)?;
    }
    kit::report::print(&report, args.format)
}

/// Of so many missed faults the wrong counts are made, and of the first of each family, which the text names;
/// JSON lists the others without.
const COUNTED: usize = 2_000;

fn shown(missed: &FaultSet, scope: Scope) -> anyhow::Result<Vec<MissedFault>> {
    let mut all: Vec<MissedFault> = faults::examples(scope)
        .flat_map(|example| example.faults.iter().map(move |&fault| (example, fault)))
        .filter(|&(_, fault)| missed.contains(fault))
        .map(|(example, fault)| MissedFault {
            fault,
            position: example.position,
            depth: example.depth,
            counts: None,
        })
        .collect();
    all.sort_by_key(|one| one.fault);
    let mut family = "";
    for (index, one) in all.iter_mut().enumerate() {
        let name = one.fault.family_name();
        if index < COUNTED || name != family {
            let mut faulty = Faulty::with(one.fault);
            for depth in 1..=one.depth {
                let right = Counter::new().count(&one.position, depth)?;
                let wrong = faulty.perft(&one.position, depth);
                if right != wrong {
                    (one.depth, one.counts) = (depth, Some([right, wrong]));
                    break;
                }
            }
        }
        family = name;
    }
    Ok(all)
}

/// A suite of the examples of these faults.
fn filling(missed: &FaultSet, scope: Scope) -> anyhow::Result<String> {
    let counter = Counter::new();
    let mut text = String::new();
    let shows = |one: &&FaultExample| one.faults.iter().any(|fault| missed.contains(*fault));
    for (number, example) in (1..).zip(faults::examples(scope).filter(shows)) {
        let counts: Result<Vec<u64>, _> = (1..=example.depth)
            .map(|depth| counter.count(&example.position, depth))
            .collect();
        let id = format!("missing.{number}");
        text += Record::of_suite(example.position, Some(&id), &[], &counts?)?.text();
        text.push('\n');
    }
    Ok(text)
}
