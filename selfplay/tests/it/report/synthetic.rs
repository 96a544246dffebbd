//! Runs that were never played: configurations, and games drawn by a seed.

use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use chacha20::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};
use selfplay::config::{Contest, parse, resolve};
use selfplay::model::{
    EloModel, EngineId, EngineIndex, Fault, FaultKind, GamePlan, GameRecord, GameResult,
    MoveRecord, Opening, RunConfig, SprtConfig, Termination, TournamentFormat,
};
use selfplay::schedule::{Next, Schedule};

/// A match, or a round robin of more than two engines, of `rounds` pairs each, at 10+0.1.
pub(crate) fn config(names: &[&str], rounds: u64) -> RunConfig {
    let text = "rounds = 1\nopenings.file = 'none'\npin = false\nconcurrency = 4\nevent = 'Synthetic run'\n\
                site = 'nowhere'\n[each]\ntc = '10+0.1'\nmargin = '20ms'\n\
                option = { Hash = 16, Threads = 1 }\n[[engine]]\ncmd = 'a'\n[[engine]]\ncmd = 'b'\n";
    let draft = parse(text, "synthetic").expect("well formed");
    let mut config = resolve(draft, Contest::Match).expect("a match");
    let [engine, _] = &config.engines[..] else {
        unreachable!("there are two");
    };
    let named = |name: &&str| {
        let mut engine = engine.clone();
        (*name).clone_into(&mut engine.name);
        engine.command.program = format!("engines/{name}").into();
        engine
    };
    config.engines = names.iter().map(named).collect();
    config.rounds = rounds;
    if names.len() > 2 {
        config.format = TournamentFormat::RoundRobin;
    }
    config
}

/// A test of normalised Elo from 0 to 5.
pub(crate) const SPRT: SprtConfig = SprtConfig::new([0.0, 5.0], EloModel::Normalized);

/// What a game is like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Odds {
    /// The expected score of the engine that stands first in the configuration.
    pub(crate) score: f64,
    /// The part of games that are drawn.
    pub(crate) draws: f64,
    /// One in so many games ends by a fault of the engine that loses it; 0 for none.
    pub(crate) faults: u64,
}

impl Odds {
    pub(crate) const fn new(score: f64, draws: f64, faults: u64) -> Self {
        Self {
            score,
            draws,
            faults,
        }
    }
}

/// The games of a run to its end, in an order in which they might have ended.
pub(crate) fn games(config: &RunConfig, odds: Odds) -> impl Iterator<Item = GameRecord> {
    let mut schedule = Schedule::new(config).expect("a schedule");
    let mut chance = ChaCha8Rng::seed_from_u64(config.seed);
    let concurrency = config.concurrency;
    let mut started = Vec::new();
    std::iter::from_fn(move || {
        while started.len() < concurrency {
            match schedule.next() {
                Next::Game(plan) => started.push(plan),
                Next::Wait | Next::Done => break,
            }
        }
        if started.is_empty() {
            return None;
        }
        let plan = started.remove(chance.random_range(0..started.len()));
        let record = game(plan, odds, &mut chance);
        schedule
            .record(&plan, record.result)
            .expect("a game of the schedule");
        Some(record)
    })
}

fn game(plan: GamePlan, odds: Odds, chance: &mut ChaCha8Rng) -> GameRecord {
    let first_is_white = plan.white < plan.black;
    let luck: f64 = chance.random();
    let wins = odds.score - odds.draws / 2.0;
    let result = match (luck, first_is_white) {
        (luck, _) if luck >= wins && luck < wins + odds.draws => GameResult::Draw,
        (luck, first_is_white) if (luck < wins) == first_is_white => GameResult::WhiteWins,
        _ => GameResult::BlackWins,
    };
    let (termination, fault) = ending(plan, result, odds, chance);
    let plies = chance.random_range(30..180);
    GameRecord {
        plan,
        opening: Opening {
            label: format!("opening {}", plan.pairing.opening % 500),
            fen: format!(
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 {}",
                1 + plan.pairing.opening % 500
            ),
            moves: Vec::new(),
            chess960: false,
        },
        result,
        termination,
        fault,
        moves: moves(plies, chance),
        started_ms: 1_700_000_000_000 + plan.game * 5_000,
        duration_ms: 20_000,
        incidents: Vec::new(),
        machine: None,
        ids: [plan.white, plan.black].map(|engine| EngineId {
            name: Some(format!("Engine {}", engine.0)),
            author: (engine.0 == 0).then(|| "A. Author".to_owned()),
        }),
    }
}

fn ending(
    plan: GamePlan,
    result: GameResult,
    odds: Odds,
    chance: &mut ChaCha8Rng,
) -> (Termination, Option<Fault>) {
    let engine = match result {
        GameResult::Draw => return (Termination::Threefold, None),
        GameResult::WhiteWins => plan.black,
        GameResult::BlackWins => plan.white,
    };
    if odds.faults == 0 || !chance.random_range(0..odds.faults).eq(&0) {
        return (Termination::Checkmate, None);
    }
    (Termination::Fault, Some(fault(engine, plan.game)))
}

/// A crash or a loss on time, with its transcript.
pub(crate) fn fault(engine: EngineIndex, game: u64) -> Fault {
    let (kind, detail) = if game.is_multiple_of(3) {
        (FaultKind::TimeForfeit, "the clock was overstepped by 31 ms")
    } else {
        (FaultKind::Crash, "the process was ended by signal 11")
    };
    Fault {
        engine,
        kind,
        detail: detail.to_owned(),
        transcript: Some(format!("failures/game-{:06}.txt", game + 1)),
    }
}

fn moves(plies: usize, chance: &mut ChaCha8Rng) -> Vec<MoveRecord> {
    let mut left = [10_000_000_u64; 2];
    let one = |ply: usize| {
        let clock = &mut left[ply % 2];
        let elapsed_us = (*clock / 25).max(20_000) + chance.random_range(0..20_000);
        *clock = clock.saturating_sub(elapsed_us) + 100_000;
        MoveRecord {
            uci: ["e2e4", "e7e5"][ply % 2].to_owned(),
            score: Some("cp 12".to_owned()),
            depth: Some(chance.random_range(12..18)),
            seldepth: Some(24),
            nodes: Some(elapsed_us * 2),
            elapsed_us,
            clock_ms: i64::try_from(*clock / 1000).ok(),
            ..MoveRecord::default()
        }
    };
    (0..plies).map(one).collect()
}

/// Writes a run directory.
#[expect(
    clippy::disallowed_methods,
    reason = "a run directory is made of files"
)]
pub(crate) fn write(
    directory: &Path,
    config: &RunConfig,
    games: impl IntoIterator<Item = GameRecord>,
) {
    fs::create_dir_all(directory).expect("a folder");
    let stored = serde_json::json!({ "config": config, "version": "0" });
    fs::write(directory.join("config.json"), stored.to_string()).expect("written");
    let file = fs::File::create(directory.join("ledger.jsonl")).expect("a file");
    let mut ledger = BufWriter::new(file);
    for game in games {
        serde_json::to_writer(&mut ledger, &game).expect("written");
        ledger.write_all(b"\n").expect("written");
    }
    ledger.flush().expect("written");
}
