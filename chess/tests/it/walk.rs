//! Positions of random games, on which two implementations are compared.

#![expect(clippy::print_stdout, reason = "a failing test shows its seed")]

use chacha20::ChaCha8Rng;
use chess::rules::{Move, PieceType, Position, Square};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use testkit::positions::wander;
use testkit::random_start;

/// Plays random games until `count` positions have been visited; every other game is Chess960.
pub(crate) fn visit(count: u64, seed: u64, check: impl FnMut(&Position)) {
    let any_move = |position: &Position, rng: &mut _| position.legal_moves().choose(rng).copied();
    visit_by(any_move, count, seed, check);
}

/// As [`visit`], with moves chosen by `choose`; a game ends where it chooses none.
pub(crate) fn visit_by(
    choose: impl Fn(&Position, &mut ChaCha8Rng) -> Option<Move>,
    count: u64,
    seed: u64,
    mut check: impl FnMut(&Position),
) {
    println!("seed {seed}, {count} positions");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut visited = 0;
    let mut is_chess960 = false;
    while visited < count {
        let mut position = random_start(&mut rng, is_chess960);
        is_chess960 = !is_chess960;
        for _ in 0..rng.random_range(1..=200) {
            check(&position);
            visited += 1;
            let Some(m) = choose(&position, &mut rng) else {
                break;
            };
            position = position.play(m).expect("a generated move is legal");
        }
    }
}

/// Positions that have nothing to do with each other, half of them Chess960, from every stage of a
/// game.
pub(crate) fn scattered(count: u64, seed: u64) -> impl Iterator<Item = Position> {
    println!("seed {seed}, {count} positions");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..count).map(move |index| {
        let start = random_start(&mut rng, index % 2 == 1);
        let plies = rng.random_range(0..160);
        wander(start, plies, &mut rng)
    })
}

/// Every move that the type can hold: 64 x 64 squares, no promotion or any of the six kinds.
pub(crate) fn conceivable_moves() -> impl Iterator<Item = Move> {
    let squares = || Square::ALL.into_iter();
    let pairs = squares().flat_map(move |from| squares().map(move |to| (from, to)));
    pairs.flat_map(|(from, to)| {
        let promotions = PieceType::ALL.map(|kind| Move::new_promotion(from, to, kind));
        promotions.into_iter().chain([Move::new(from, to)])
    })
}

pub(crate) fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort_unstable();
    moves
}
