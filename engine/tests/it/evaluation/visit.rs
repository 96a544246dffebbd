//! Positions of all sorts, visited by random games.

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::rules::Position;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use testkit::positions::thrown_position;
use testkit::random_start;

/// The position of a FEN.
pub(crate) fn position(text: &str) -> Position {
    fen::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Plays random games until `count` positions have been visited. Of four games, one begins at the
/// start position, one at a position of Chess960, two where pieces have been thrown onto it.
pub(crate) fn visit(count: u64, seed: u64, mut check: impl FnMut(&Position)) {
    println!("seed {seed}, {count} positions");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut visited, mut games) = (0, 0_u64);
    while visited < count {
        let (mut position, length) = match games % 4 {
            0 | 1 => (random_start(&mut rng, games % 2 == 1), 300),
            _ => (thrown_position(&mut rng), 20),
        };
        games += 1;
        for _ in 0..rng.random_range(1..=length) {
            check(&position);
            visited += 1;
            let Some(&m) = position.legal_moves().choose(&mut rng) else {
                break;
            };
            position = position.play_unchecked(m);
        }
    }
}

/// The same position with colours exchanged.
pub(crate) fn mirrored(position: &Position) -> Position {
    Position::from_setup(position.to_setup().mirrored()).expect("legal too")
}
