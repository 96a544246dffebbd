//! Positions from random games.

use chess::rules::{Bitboard, Color, Move, Piece, PieceType, Position, Setup};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::chance;
use super::files::without_clocks;

/// The longest game, in plies.
const MAX_PLIES: u32 = 200;

/// A position somewhere in a random game.
pub(super) fn position(rng: &mut ChaCha8Rng, chess960: bool) -> Position {
    let mut position = start(rng, chess960);
    for _ in 0..rng.random_range(0..MAX_PLIES) {
        let Some(m) = random_move(rng, &position) else {
            break;
        };
        position = position.play_unchecked(m);
    }
    without_clocks(&position)
}

/// A random legal move; every other time a rare one, if there is any.
fn random_move(rng: &mut ChaCha8Rng, position: &Position) -> Option<Move> {
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

/// The start position, or a Chess960 position with a separate arrangement for each side.
fn start(rng: &mut ChaCha8Rng, chess960: bool) -> Position {
    if !chess960 {
        return Position::startpos();
    }
    let mut setup = Setup::empty();
    for (color, back, pawns) in [(Color::White, 0, 8), (Color::Black, 56, 48)] {
        for (file, kind) in back_rank(rng).into_iter().enumerate() {
            setup.board[back + file] = Some(Piece::new(color, kind));
            setup.board[pawns + file] = Some(Piece::new(color, PieceType::Pawn));
            if kind == PieceType::Rook {
                setup.castling_rooks |= Bitboard(1 << (back + file));
            }
        }
    }
    Position::from_setup(setup).expect("an arrangement of Chess960 is legal")
}

/// A back rank of Chess960 (FIDE guidelines II.2): bishops on both colours, the king between the
/// rooks.
fn back_rank(rng: &mut ChaCha8Rng) -> [PieceType; 8] {
    let mut rank = [None; 8];
    rank[2 * rng.random_range(0..4_usize)] = Some(PieceType::Bishop);
    rank[2 * rng.random_range(0..4_usize) + 1] = Some(PieceType::Bishop);
    let mut free: Vec<usize> = (0..8).filter(|&file| rank[file].is_none()).collect();
    for kind in [PieceType::Queen, PieceType::Knight, PieceType::Knight] {
        let index = rng.random_range(0..free.len());
        rank[free.remove(index)] = Some(kind);
    }
    for (file, kind) in free
        .into_iter()
        .zip([PieceType::Rook, PieceType::King, PieceType::Rook])
    {
        rank[file] = Some(kind);
    }
    rank.map(|kind| kind.expect("all eight files are filled"))
}
