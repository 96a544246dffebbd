//! The evaluation of profile `ChessBin`: against its twin on 64 squares, its symmetry, and values
//! reckoned by hand.
//!
//! `TOUCHSTONE_POSITIONS` sets how many positions of random games are tried, 100,000 when it is
//! not set.

#![expect(clippy::print_stdout, reason = "a failing test shows its seed")]

mod chessbin;
mod common;

use common::{random_start, wanted_positions};
use engine::eval::{ChessBin, Evaluation, LIMIT, Phase, Phased, Row, Trace};
use engine::notation::fen;
use engine::rules::{Color, Position};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SEED: u64 = 20_261_121;

/// Plays random games until `count` positions have been visited; every other game is Chess960.
fn visit(count: u64, seed: u64, mut check: impl FnMut(&Position)) {
    println!("seed {seed}, {count} positions");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut visited, mut games) = (0, 0_u64);
    while visited < count {
        let mut position = random_start(&mut rng, games % 2 == 1);
        games += 1;
        for _ in 0..rng.random_range(1..=300) {
            check(&position);
            visited += 1;
            let Some(&m) = position.legal_moves().choose(&mut rng) else {
                break;
            };
            position = position.play_unchecked(m);
        }
    }
}

fn position(text: &str) -> Position {
    fen::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn row(trace: &Trace, name: &str) -> Row {
    *trace
        .rows()
        .iter()
        .find(|row| row.name == name)
        .unwrap_or_else(|| panic!("no row {name}"))
}

#[test]
fn the_twin_on_64_squares_agrees() {
    let mut phases = [0; Phase::COUNT];
    let mut checks = 0;
    visit(wanted_positions(100_000), SEED, |position| {
        let expected = chessbin::evaluate(&position.to_setup());
        let text = fen::write(position);
        assert_eq!(ChessBin.evaluate(position), expected, "{text}");
        phases[ChessBin.trace(position).phase().index()] += 1;
        checks += u32::from(position.is_check());
    });
    // Both phases and checks were among them.
    assert!(
        phases.iter().all(|&count| count > 100) && checks > 100,
        "{phases:?}, {checks}"
    );
}

#[test]
fn the_mirrored_position_has_the_same_value() {
    visit(wanted_positions(100_000), SEED + 1, |position| {
        let mirror = Position::from_setup(position.to_setup().mirrored()).expect("legal too");
        assert_eq!(
            ChessBin.evaluate(position),
            ChessBin.evaluate(&mirror),
            "{}",
            fen::write(position)
        );
    });
}

#[test]
fn the_rows_of_a_trace_add_up_to_the_value() {
    visit(wanted_positions(100_000) / 2, SEED + 2, |position| {
        let trace = ChessBin.trace(position);
        let text = fen::write(position);
        let value = ChessBin.evaluate(position);
        assert_eq!(trace.value(), value, "{text}");
        assert_eq!(trace.side_to_move(), position.side_to_move(), "{text}");
        let white = trace
            .rows()
            .iter()
            .map(|row| row.balance().of(trace.phase()));
        let sign = if position.side_to_move() == Color::White {
            1
        } else {
            -1
        };
        assert_eq!(white.sum::<i32>() * sign, value, "{text}");
        assert!(value.abs() < LIMIT, "{text}");
    });
}

#[test]
fn clocks_and_an_en_passant_square_of_no_use_change_nothing() {
    let same = [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 90 77",
    ];
    let values = same.map(|text| ChessBin.evaluate(&position(text)));
    assert_eq!(values, [values[0]; 3]);
}

#[test]
fn king_and_pawn_by_hand() {
    let white = 100 - 25 // the pawn, on e2
        - 30             // the king, on e1 in the end game
        + 2 + 4          // moves: e3 e4; d1 d2 f1 f2
        + 1              // the king defends the pawn
        - 20             // isolated on the e-file
        + 10             // passed
        + 10; // to move
    let black = -30 + 5; // the king, on e8; d8 d7 e7 f7 f8
    let value = ChessBin.evaluate(&position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
    assert_eq!(value, white - black);
    assert_eq!(value, 77);
}

#[test]
fn a_check_by_hand() {
    let white = 100 + 500 // pawn d2, rook h1
        - 25 - 30         // d2, e1 in the end game
        + 2 + 9 + 3       // d3 d4; g1 f1 and the h-file; d1 f1 f2, for e2 is attacked
        + 1 + 2           // the king defends the pawn, the rook the king
        - 2               // the rook on e4 attacks the king, which is defended by as much
        - 20 + 10         // isolated, passed
        - 85
        + 10; // in check, to move
    let black = 500 - 30  // rook e4; e8
        + 12 + 5          // e5 e6 e7 e3 e2, the fourth rank; d8 d7 e7 f7 f8
        + 2; // the rook defends the king
    let value = ChessBin.evaluate(&position("4k3/8/8/8/4r3/8/3P4/4K2R w K - 0 1"));
    assert_eq!(value, white - black);
    assert_eq!(value, -14);
}

#[test]
fn the_opening_by_hand() {
    // After 1 e4, Black to move.
    let text = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let both = 8 * 100 + 2 * 320 + 2 * 325 + 2 * 500 + 975 // material
        - 2 * 15   // pawns on a and h
        + 10; // two bishops
    // a2 b2 c2 d2, f2 g2 h2; b1 g1; c1 f1; e1
    let at_home = 5 + 10 + 10 - 25 + 10 + 10 + 5 - 40 - 40 - 40 - 40;
    let white = both + at_home + 25 // and e4
        + 14 + 2 + 3  // seven pawns with two steps each but d2, e4 with one more: d3 d4, e5
        + 0;
    let _ = white;
    let trace = ChessBin.trace(&position(text));
    println!("{trace}");
}
