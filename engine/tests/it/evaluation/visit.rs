//! Positions of all sorts, visited by random games.

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::rules::{Color, Piece, PieceType, Position, Rank, Setup, Square};
use engine::eval::Evaluation;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use testkit::{random_start, scale};

/// The position of a FEN.
pub(crate) fn position(text: &str) -> Position {
    fen::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Plays random games until `count` positions have been visited. Of four games, one begins at the
/// start position, one at a position of Chess960, two where pieces have been scattered.
pub(crate) fn visit(count: u64, seed: u64, mut check: impl FnMut(&Position)) {
    println!("seed {seed}, {count} positions");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut visited, mut games) = (0, 0_u64);
    while visited < count {
        let (mut position, length) = match games % 4 {
            0 | 1 => (random_start(&mut rng, games % 2 == 1), 300),
            _ => (scattered(&mut rng), 20),
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

/// The mirrored position has the same value.
pub(crate) fn check_mirror(evaluation: &dyn Evaluation, seed: u64) {
    visit(scale(10_000, 100_000), seed, |position| {
        assert_eq!(
            evaluation.evaluate(position),
            evaluation.evaluate(&mirrored(position)),
            "{}",
            fen::write(position)
        );
    });
}

/// A legal position with pieces anywhere, few or many, promoted ones and castling rights too.
fn scattered(rng: &mut ChaCha8Rng) -> Position {
    loop {
        let mut setup = Setup::empty();
        let density = rng.random_range(0.05..0.9);
        for color in Color::ALL {
            for kind in army(density, rng) {
                let square = *Square::ALL.choose(rng).expect("there are squares");
                setup.board[square.index()] = Some(Piece::new(color, kind));
            }
            if rng.random_bool(0.5) {
                setup.side_to_move = color;
            }
            let rooks = setup.squares_of(Piece::new(color, PieceType::Rook));
            if rng.random_bool(0.5) {
                setup.castling_rooks |= rooks & Rank::R1.relative_to(color).bitboard();
            }
        }
        if let Ok(position) = Position::from_setup(setup) {
            return position;
        }
    }
}

/// A king, and each other piece of the start position with this probability; of the pawns, every
/// eighth has been promoted.
fn army(density: f64, rng: &mut ChaCha8Rng) -> Vec<PieceType> {
    use PieceType::{Bishop, King, Knight, Pawn, Queen, Rook};
    let mut army = vec![King];
    for kind in [Queen, Rook, Rook, Bishop, Bishop, Knight, Knight] {
        if rng.random_bool(density) {
            army.push(kind);
        }
    }
    for _ in 0..8 {
        if rng.random_bool(density) {
            let promoted = rng.random_bool(0.125);
            army.push(if promoted {
                *PieceType::PROMOTIONS.choose(rng).expect("four")
            } else {
                Pawn
            });
        }
    }
    army
}
