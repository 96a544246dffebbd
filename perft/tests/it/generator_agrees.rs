//! The generator without faults, the mailbox generator and the engine's agree.

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::rules::{Move, Position, mailbox};
use epd::suites;
use perft::faults::Faulty;
use rand::{RngExt, SeedableRng};
use testkit::{random_start, scale};

#[test]
fn on_the_built_in_suites() {
    let most_nodes = scale(4_000, 200_000);
    let mut sound = Faulty::sound();
    for suite in suites::ALL {
        for entry in suite.parse().entries {
            for (depth, count) in entry.record.perft_counts() {
                if count <= most_nodes {
                    let place = format!("{}.epd:{}, depth {depth}", suite.name, entry.line);
                    let counted = sound.perft(entry.record.position(), depth);
                    assert_eq!(counted, count, "{place}");
                    let setup = entry.record.position().to_setup();
                    assert_eq!(mailbox::perft(&setup, depth), count, "{place}");
                }
            }
        }
    }
}

#[test]
fn on_random_games_of_standard_chess() {
    on_random_games(false);
}

#[test]
fn on_random_games_of_chess960() {
    on_random_games(true);
}

/// The moves, one by one, with the counts below them; from the FEN, and after the moves that led
/// there.
fn on_random_games(chess960: bool) {
    let mut rng = ChaCha8Rng::seed_from_u64(960);
    let (mut by_fen, mut by_moves) = (Faulty::sound(), Faulty::sound());
    let mut left = scale(300, 3_000);
    while left > 0 {
        let mut position = random_start(&mut rng, chess960);
        by_moves.set(&position);
        for _ in 0..200 {
            let expected = divide(&position);
            let fen = fen::write(&position);
            by_fen.set(&position);
            assert_eq!(sorted(by_fen.divide_here(2)), expected, "{fen}");
            assert_eq!(sorted(by_moves.divide_here(2)), expected, "{fen}, by moves");
            if expected.is_empty() || left == 0 {
                break;
            }
            let (m, _) = expected[rng.random_range(0..expected.len())];
            by_moves.play(&[m]);
            position = position.play_unchecked(m);
            left -= 1;
        }
    }
}

fn divide(position: &Position) -> Vec<(Move, u64)> {
    let moves = position.legal_moves().into_iter();
    sorted(
        moves
            .map(|m| (m, position.play_unchecked(m).legal_moves().len() as u64))
            .collect(),
    )
}

fn sorted(mut rows: Vec<(Move, u64)>) -> Vec<(Move, u64)> {
    rows.sort_unstable();
    rows
}
