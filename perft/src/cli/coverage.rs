//! `perft coverage`.

use std::path::PathBuf;

use chess::perft::Counter;
use chess::rules::{CastlingMode, Position};
use epd::Record;
use kit::report::{Format, Formats as _, TextFormats};
use kit::{Exit, output};

use super::{CommandContext, check_outputs, plan_whole, print_line};
use crate::report::coverage::{CoverageReport, SuiteCoverage};
use crate::suite::check::plan::CountFilter;
use crate::suite::coverage::{self, SignatureSet, faults};

/// Measure which kinds of moves perft suites look at, and which they miss.
///
/// A signature is a kind of move under conditions that a generator may get wrong: what moves and what
/// it takes, in which check, along or off which pin, why it is illegal, which check it gives, which
/// castling rights it ends. A suite reaches it when one of its counts has such a move deep enough for a
/// fault to show.
///
/// Examples: `perft coverage quick`, `perft coverage my.epd --fill missing.epd`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 every possible signature is reached, 1 some are missing, 2 invalid usage or \
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
    #[arg(long, value_name = "NODES", default_value_t = 100_000)]
    max_nodes: u64,

    /// Use only records with this tag
    ///
    /// May be given several times.
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,

    /// Look at signatures of Chess960 too
    ///
    /// Look at the signatures of Chess960 too: castling from every file.
    #[arg(long)]
    chess960: bool,

    /// Also simulate wrong generators, and so many pairs
    ///
    /// Also simulate generators that are wrong at one signature each, for every signature, and this
    /// many that are wrong at two, chosen at random.
    #[arg(hide_short_help = true, long, value_name = "PAIRS")]
    faults: Option<usize>,

    /// Write a suite of what is missing to this file
    ///
    /// Write a suite of positions that show what is missing to this file.
    #[arg(long, value_name = "FILE")]
    fill: Option<PathBuf>,

    /// How to print the report
    #[arg(long, value_parser = Format::parser(TextFormats::ALL), default_value = "human")]
    format: Format,
}

/// Random seed of the pairs of --faults.
const SEED: u64 = 64;
/// Number of missing signatures in the text; JSON lists all.
const SHOWN: usize = 10;

pub(super) fn coverage(args: &CoverageArgs, session: &CommandContext) -> anyhow::Result<Exit> {
    let interrupt = &session.interrupt;
    check_outputs(&[args.fill.as_deref()], &args.suites)?;
    let filter = CountFilter {
        depth: args.depth,
        max_nodes: Some(args.max_nodes),
        tags: args.tag.clone(),
    };
    let mut plan = plan_whole(&args.suites, &filter)?;
    if plan.is_empty() {
        print_line(&plan.why_nothing());
        return Ok(Exit::Nothing);
    }
    let nodes = |suite| {
        let counts = plan.counts().filter(|one| one.record.suite() == suite);
        counts.fold(0, |sum: u64, one| sum.saturating_add(one.expected))
    };
    let nodes: Vec<u64> = (0..plan.suites.len()).map(nodes).collect();
    let possible = coverage::possible(if args.chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    });
    let pool = session.threads.pool()?;
    let faults = args.faults.map(|pairs| {
        let faults = [
            faults::single(possible),
            faults::pairs(possible, pairs, SEED),
        ];
        let number: usize = faults.iter().map(Vec::len).sum();
        let progress = session.progress(number as u64, "faults", true);
        let caught = pool.install(|| {
            let course = faults::Course::new(&plan);
            faults.map(|all| course.judge(all, interrupt.flag(), || progress.advance(1)))
        });
        progress.finish();
        caught
    });
    plan.keep_deepest();
    let progress = session.progress(plan.len() as u64, "positions", true);
    let sets = pool
        .install(|| coverage::measure(&plan, possible, interrupt.flag(), || progress.advance(1)));
    progress.finish();
    if interrupt.has_come() {
        return Ok(Exit::Interrupted);
    }
    let reached = sets.iter().cloned();
    let reached = reached.fold(SignatureSet::default(), SignatureSet::union);
    let missing = possible.clone().without(&reached);
    let suites = plan.suites.iter().zip(sets).zip(nodes);
    let report = CoverageReport {
        suites: suites
            .map(|((suite, reached), nodes)| SuiteCoverage {
                name: suite.name.clone(),
                positions: suite.positions,
                nodes,
                reached,
            })
            .collect(),
        possible,
        missing: coverage::examples(&missing),
        reached,
        faults,
        most_shown: SHOWN,
    };
    if let Some(path) = &args.fill
        && !missing.is_empty()
    {
        output::to_file(path, suite_of(&coverage::filling(&missing))?)?;
    }
    output::to_stdout(report.write(args.format)?)?;
    Ok(if missing.is_empty() && report.has_caught_all() {
        Exit::Agreed
    } else {
        Exit::Differs
    })
}

/// A suite of positions with their counts up to a depth each.
fn suite_of(positions: &[(Position, u32)]) -> anyhow::Result<String> {
    let counter = Counter::new();
    let mut text = String::new();
    for (number, &(position, depth)) in (1..).zip(positions) {
        let counts: Result<Vec<u64>, _> = (1..=depth)
            .map(|depth| counter.count(&position, depth))
            .collect();
        let id = format!("missing.{number}");
        text += Record::of_suite(position, Some(&id), &[], &counts?)?.text();
        text.push('\n');
    }
    Ok(text)
}
