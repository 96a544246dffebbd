//! Positions from random games.

use chacha20::ChaCha8Rng;
use chess::rules::{CHESS960_POSITIONS, Move, PieceType, Position};
use rand::RngExt;
use rand::seq::IndexedRandom;

use super::chance;
use super::files::without_clocks;

/// The longest game, in plies.
const MAX_PLIES: u32 = 200;

/// A position somewhere in a random game.
pub(super) fn position(rng: &mut ChaCha8Rng, chess960: bool) -> Position {
    let mut position = if chess960 {
        // Double Chess960: a separate arrangement for each side.
        let [white, black] = [(); 2].map(|()| rng.random_range(0..CHESS960_POSITIONS));
        Position::chess960_start(white, black).expect("both are numbers of Chess960")
    } else {
        Position::startpos()
    };
    for _ in 0..rng.random_range(0..MAX_PLIES) {
        let Some(m) = random_move(rng, &position) else {
            break;
        };
        position = position.play_unchecked(m);
    }
    without_clocks(&position)
}

/// A random legal move; every other time a rare one, if there is any.
pub(crate) fn random_move(rng: &mut ChaCha8Rng, position: &Position) -> Option<Move> {
    let moves = position.legal_moves();
    if chance(rng, 1, 2) {
        // Castling, promotions, en passant and moves that make it possible.
        let is_rare = |m: &Move| {
            let is_pawn = position.by_type(PieceType::Pawn).contains(m.from());
            position.is_castling(*m)
                || m.promotion().is_some()
                || position.is_en_passant(*m)
                || is_pawn && m.from().index().abs_diff(m.to().index()) == 16
        };
        let rare: Vec<Move> = moves.iter().copied().filter(is_rare).collect();
        if let Some(&m) = rare.choose(rng) {
            return Some(m);
        }
    }
    moves.choose(rng).copied()
}
