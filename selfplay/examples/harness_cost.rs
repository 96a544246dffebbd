//! What the harness itself costs: plays games of an engine against itself at one node a move, and
//! says how much CPU time of ours each ply took.
//!
//! `harness_cost ENGINE [GAMES]`; Linux only, since it reads `/proc`.

use std::time::Instant;

use selfplay::game::{GameRules, Players, play};
use selfplay::model::{
    Adjudication, EngineCommand, EngineConfig, EngineIndex, Limits, Opening, PairNumber, Pairing,
};
use selfplay::player::{EngineTimeouts, Player};
use uci::Cancel;

#[expect(clippy::print_stdout, reason = "it is a program")]
#[expect(clippy::disallowed_methods, reason = "it measures time")]
fn main() {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().expect("harness_cost ENGINE [GAMES]");
    let games: u64 = arguments
        .next()
        .map_or(200, |text| text.parse().expect("a number"));
    let [mut white, mut black] = [0, 1].map(|index| player(index, &program));
    for one in [&mut white, &mut black] {
        one.verify(false).expect("the engine works");
    }
    let (cpu, start) = (cpu_time_us(), Instant::now());
    let plies: usize = (0..games).map(|_| one_game(&mut white, &mut black)).sum();
    let (cpu, elapsed) = (cpu_time_us() - cpu, start.elapsed());
    white.quit();
    black.quit();
    #[expect(clippy::cast_precision_loss, reason = "for people to read")]
    let per_ply = cpu / plies as f64;
    println!(
        "{games} games, {plies} plies, {:.3} s; {per_ply:.2} µs of CPU a ply; {:.1} games a second",
        elapsed.as_secs_f64(),
        f64::from(u32::try_from(games).expect("few")) / elapsed.as_secs_f64(),
    );
}

fn player(index: usize, program: &str) -> Player {
    let config = EngineConfig {
        name: format!("engine {index}"),
        command: EngineCommand {
            program: program.into(),
            ..EngineCommand::default()
        },
        limits: Limits {
            nodes: Some(1),
            ..Limits::default()
        },
        ..EngineConfig::default()
    };
    Player::new(
        EngineIndex(index),
        config,
        EngineTimeouts::default(),
        Cancel::new(),
    )
}

/// Plays one game, and gives its length.
fn one_game(white: &mut Player, black: &mut Player) -> usize {
    let pairing = Pairing {
        number: PairNumber(0),
        round: 0,
        first: white.index(),
        second: black.index(),
        opening: 0,
    };
    let opening = Opening::startpos();
    let adjudication = Adjudication::default();
    let rules = GameRules {
        adjudication: &adjudication,
        endgames: None,
    };
    let [plan, _] = pairing.games();
    let played = play(&plan, &opening, Players { white, black }, rules).expect("it can be played");
    assert_eq!(played.record.fault, None);
    played.record.moves.len()
}

/// The time this thread has had of a CPU, in microseconds.
#[expect(clippy::disallowed_methods, reason = "it measures time")]
fn cpu_time_us() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let first = text.split_whitespace().next().expect("three numbers");
    first.parse::<f64>().expect("a number") / 1000.0
}
