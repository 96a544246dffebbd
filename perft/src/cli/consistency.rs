//! `perft consistency`.

use std::path::PathBuf;
use std::time::Instant;

use chacha20::ChaCha8Rng;
use chess::rules::{CHESS960_POSITIONS, CastlingMode, Position, Setup};
use kit::options::{EngineOptionArgs, OutputArgs, TimeoutArgs};
use kit::output::to_stderr;
use kit::report::CaseFormats;
use kit::{BadInput, Exit};
use rand::{RngExt as _, SeedableRng as _};

use super::check::engine_start;
use super::{CommandContext, read_plan, reject_broken};
use crate::consistency::process::EngineProcess;
use crate::consistency::run::{ConsistencyPlan, check};
use crate::report::consistency::ConsistencyReport;
use crate::suite::check::plan::CountFilter;

/// Number of games from the start position.
const GAMES: usize = 50;
/// What makes engines print the position: Stockfish and its relatives, Ethereal.
const ASKS: [&str; 2] = ["d", "print"];
/// Beyond these clocks, positions of suites begin with `0 1`: engines need not count so far.
const LARGEST_CLOCKS: (u32, u32) = (99, 1000);

/// Check what an engine prints on `d` after every move of random games: FEN, checkers, hash key
///
/// Finds faults that perft cannot see: a hash key that a move leaves wrong, castling rights or an en
/// passant square missing from it, a FEN that does not denote the position, wrong checkers, a search
/// that changes the position. On `d`, or already on `position ...`, an engine prints the lines
/// `Fen: ...`, `Key: ...` and `Checkers: ...` as Stockfish does; what it does not print is not checked.
///
/// Examples: `perft consistency --engine ./my-engine`,
/// `perft consistency edge --engine ./my-engine --plies 4`,
/// `perft consistency --engine ./my-engine --chess960 --games 200 --seed 7`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 everything is consistent, 1 a fault was found, 2 invalid usage or input, \
                  3 the engine failed or does not answer, 4 nothing was selected, 130 interrupted."
)]
pub(super) struct ConsistencyArgs {
    /// EPD files or built-in suites to begin games with
    ///
    /// EPD files, or names of built-in suites, whose positions the games begin with [default: the
    /// start position].
    #[arg(value_name = "SUITE")]
    suites: Vec<PathBuf>,

    /// Engine to test: a command line, or KEY=VALUE words
    ///
    /// A command line, such as `./my-engine --some-flag`, or words such as `cmd=./my-engine name=New
    /// option.Hash=16`
    #[arg(long, value_name = "ENGINE")]
    engine: String,

    #[command(flatten)]
    options: EngineOptionArgs,

    /// Number of games [default: 50, or all positions]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: Option<u32>,

    /// Maximum number of plies in a game
    #[arg(long, value_name = "N", default_value_t = 80,
          value_parser = clap::value_parser!(u32).range(0..=1000))]
    plies: u32,

    /// Random seed of the games
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Play Chess960, with the option `UCI_Chess960`
    ///
    /// Play Chess960, with the option `UCI_Chess960`; without suites, from random start positions.
    #[arg(long)]
    chess960: bool,

    /// Line that makes the engine print its position
    ///
    /// By default `d`, or `print` if there is no answer; neither if only `position` is answered.
    #[arg(hide_short_help = true, long, value_name = "LINE")]
    ask: Option<String>,

    #[command(flatten)]
    timeout: TimeoutArgs,

    #[command(flatten)]
    output: OutputArgs<CaseFormats>,
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
pub(super) fn consistency(
    args: &ConsistencyArgs,
    session: &CommandContext,
) -> anyhow::Result<Exit> {
    args.output.check(&[], &args.suites)?;
    if let Some(ask) = &args.ask
        && (ask.trim().is_empty() || ask.contains(['\n', '\r']))
    {
        return Err(BadInput("--ask: expected one line".to_owned()).into());
    }
    let start = engine_start(&args.engine, &args.options, &session.interrupt)?;
    let plan = ConsistencyPlan {
        starts: starts(args)?,
        plies: args.plies as usize,
        seed: args.seed,
        mode: if args.chess960 {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        },
        asks: match &args.ask {
            Some(ask) => vec![ask.clone()],
            None => ASKS.map(str::to_owned).to_vec(),
        },
    };
    if plan.starts.is_empty() {
        to_stderr("error: no position to begin with: positions of Chess960 need --chess960");
        return Ok(Exit::Nothing);
    }
    let mut engine = EngineProcess::new(start, args.chess960, args.timeout.timeout);
    let progress = session.progress(0, "games", true);
    let began = Instant::now();
    let mut outcome = check(&mut engine, &args.engine, &plan, &progress);
    outcome.time = began.elapsed();
    outcome.name = engine.name().map(str::to_owned);
    drop(engine);
    progress.finish();
    args.output.report(&ConsistencyReport(&outcome))
}

/// The first position of each game.
fn starts(args: &ConsistencyArgs) -> anyhow::Result<Vec<Position>> {
    let games = args.games.map(|games| games as usize);
    if args.suites.is_empty() {
        let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
        let start = |_| {
            if !args.chess960 {
                return Position::startpos();
            }
            let number = rng.random_range(0..CHESS960_POSITIONS);
            Position::chess960_start(number, number).expect("it is a number of Chess960")
        };
        return Ok((0..games.unwrap_or(GAMES)).map(start).collect());
    }
    let mut positions = Vec::new();
    let plan = read_plan(&args.suites, &CountFilter::default(), |entry| {
        positions.push(with_small_clocks(entry.record.position()));
        Ok(())
    })?;
    reject_broken(&plan)?;
    positions.retain(|one| args.chess960 || one.castling_mode() == CastlingMode::Standard);
    let games = games.unwrap_or(positions.len());
    Ok(positions.iter().copied().cycle().take(games).collect())
}

fn with_small_clocks(position: &Position) -> Position {
    let (halfmoves, moves) = LARGEST_CLOCKS;
    let is_small = position.halfmove_clock() <= halfmoves && position.fullmove_number() <= moves;
    let setup = Setup {
        halfmove_clock: if is_small {
            position.halfmove_clock()
        } else {
            0
        },
        fullmove_number: if is_small {
            position.fullmove_number()
        } else {
            1
        },
        ..position.to_setup()
    };
    Position::from_setup(setup).unwrap_or(*position)
}
