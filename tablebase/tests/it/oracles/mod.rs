//! Judges outside this workspace of what is read in endgame tables, on positions of at most four
//! pieces: python-chess and shakmaty-syzygy.
//!
//! `scripts/test` installs python-chess into `.venv`, with the tables that its source package
//! carries, and switches on the feature `oracles`.

mod python_chess;
mod shakmaty;

use std::sync::{Arc, LazyLock};

use chacha20::ChaCha8Rng;
use chess::rules::{Color, Move, Piece, PieceType, Position, Setup};
use rand::RngExt;
use rand::seq::IndexedRandom;
use tablebase::Tablebase;

const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../.venv/syzygy");

/// The tables that all tests and threads share.
static TABLEBASE: LazyLock<Arc<Tablebase>> = LazyLock::new(|| {
    let tables = Tablebase::open(TABLES);
    Arc::new(tables.expect("scripts/test puts the tables into .venv"))
});

/// A legal position of two kings and at most two pieces.
fn random_position(rng: &mut ChaCha8Rng) -> Position {
    loop {
        let mut setup = Setup::empty();
        let pieces = if rng.random_range(0..8) == 0 {
            passing_pawns(rng)
        } else {
            random_pieces(rng)
        };
        for (piece, square) in pieces {
            setup.board[square] = Some(piece);
        }
        for color in Color::ALL {
            setup.board[rng.random_range(0..64)] = Some(Piece::new(color, PieceType::King));
        }
        setup.side_to_move = Color::ALL[rng.random_range(0..2)];
        setup.halfmove_clock = [0, 0, rng.random_range(0..=100)][rng.random_range(0..3)];
        if let Ok(position) = Position::from_setup(setup) {
            return position;
        }
    }
}

fn random_pieces(rng: &mut ChaCha8Rng) -> Vec<(Piece, usize)> {
    let count = rng.random_range(1..=2);
    let piece = |_| {
        let color = Color::ALL[rng.random_range(0..2)];
        let kind = PieceType::ALL[rng.random_range(0..5)];
        (Piece::new(color, kind), rng.random_range(0..64))
    };
    (0..count).map(piece).collect()
}

/// Two pawns on neighbouring files, of which one can pass the other by a double step.
fn passing_pawns(rng: &mut ChaCha8Rng) -> Vec<(Piece, usize)> {
    let pawn = |color| Piece::new(color, PieceType::Pawn);
    let (white, black) = [(8, 24), (32, 48)][rng.random_range(0..2)];
    let file = rng.random_range(0..7);
    let (left, right) = [(0, 1), (1, 0)][rng.random_range(0..2)];
    vec![
        (pawn(Color::White), white + file + left),
        (pawn(Color::Black), black + file + right),
    ]
}

/// A move for a random game; a pawn's double step often, for what is taken en passant.
fn random_move(position: &Position, rng: &mut ChaCha8Rng) -> Option<Move> {
    let moves = position.legal_moves();
    let is_double = |m: &&Move| position.play_unchecked(**m).legal_ep_square().is_some();
    let double = moves.iter().find(is_double).copied();
    double.or_else(|| moves.choose(rng).copied())
}

fn random_positions(rng: &mut ChaCha8Rng, count: u64) -> Vec<Position> {
    let mut positions = Vec::new();
    while (positions.len() as u64) < count {
        let mut position = random_position(rng);
        for _ in 0..4 {
            positions.push(position);
            let Some(m) = random_move(&position, rng) else {
                break;
            };
            position = position.play_unchecked(m);
        }
    }
    positions
}
