//! `selfplay simulate`.

use std::num::NonZeroU64;

use anyhow::Context as _;
use kit::{Exit, Interrupt, Progress, output};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::Format;
use super::model::FutureArgs;
use crate::report::simulate::SimulateReport;
use crate::stats::simulate::{Simulation, Tally};

/// Measure how often a sequential test is wrong, and how long it takes, by playing it with dice
///
/// Without --elo the true differences are elo0, where passing is a type I error, and elo1, where
/// failing to pass is a type II error. The same seed gives the same numbers on every machine and
/// with any number of threads.
///
/// Examples: `selfplay simulate --elo0 0 --elo1 5`,
/// `selfplay simulate --elo0 0 --elo1 5 --elo 0,2.5,5 --no-correction --batch 8`.
#[derive(Debug, clap::Args)]
pub(super) struct SimulateArgs {
    #[command(flatten)]
    future: FutureArgs,

    /// Number of tests to simulate at each true difference
    #[arg(long, value_name = "N", default_value_t = 10_000,
          value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    tests: u64,

    /// Evaluate a test after every this many pairs
    #[arg(long, value_name = "PAIRS", default_value = "1")]
    batch: NonZeroU64,

    /// Abandon a test after this many games
    #[arg(long, value_name = "GAMES", default_value_t = 10_000_000,
          value_parser = clap::value_parser!(u64).range(2..=1_000_000_000))]
    max_games: u64,

    /// Use Wald's uncorrected bounds, which ignore overshoot
    #[arg(long)]
    no_correction: bool,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Number of threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(args: &SimulateArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let design = args.future.design()?;
    let model = args.future.pairs()?;
    let elos = args.future.elos(&[0.0, 1.0])?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .build()
        .context("cannot start threads")?;
    let progress = Progress::new(args.tests * elos.len() as u64, "tests", true);
    let mut tallies = Vec::new();
    for elo in elos {
        let pairs = model
            .at_elo(elo, design.hypotheses().model)
            .map_err(super::bad)?;
        let simulation = Simulation {
            design,
            pairs,
            batch: args.batch,
            max_pairs: args.max_games / 2,
            correction: !args.no_correction,
            seed: args.seed,
        };
        let Some(tally) = play(&simulation, args.tests, &pool, interrupt, &progress) else {
            return Ok(Exit::Interrupted);
        };
        tallies.push((elo, tally));
    }
    progress.finish();
    let report = SimulateReport {
        design,
        seed: args.seed,
        batch: args.batch.get(),
        correction: !args.no_correction,
        tallies,
    };
    output::to_stdout(match args.format {
        Format::Human => report.human(),
        Format::Json => report.json(),
    })?;
    Ok(Exit::Agreed)
}

/// Runs the simulation; `None` if it was cancelled.
fn play(
    simulation: &Simulation,
    tests: u64,
    pool: &rayon::ThreadPool,
    interrupt: &Interrupt,
    progress: &Progress,
) -> Option<Tally> {
    let run = |index| {
        if interrupt.has_come() {
            return None;
        }
        let run = simulation.run(index);
        progress.advance(1);
        Some(run)
    };
    let runs: Option<Vec<_>> = pool.install(|| (0..tests).into_par_iter().map(run).collect());
    Tally::of(&runs?)
}
