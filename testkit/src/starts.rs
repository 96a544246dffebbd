//! First positions of random games.

use chess::rules::{Bitboard, Color, Piece, PieceType, Position, Setup};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// The start position, or one of Chess960 with an arrangement of its own for each side.
pub fn random_start(rng: &mut ChaCha8Rng, chess960: bool) -> Position {
    if !chess960 {
        return Position::startpos();
    }
    let mut setup = Setup::empty();
    for (color, back, pawns) in [(Color::White, 0, 8), (Color::Black, 56, 48)] {
        let rank = back_rank(rng);
        for (file, kind) in rank.into_iter().enumerate() {
            setup.board[back + file] = Some(Piece::new(color, kind));
            setup.board[pawns + file] = Some(Piece::new(color, PieceType::Pawn));
            if kind == PieceType::Rook {
                setup.castling_rooks |= Bitboard(1 << (back + file));
            }
        }
    }
    Position::from_setup(setup).expect("an arrangement of Chess960 is legal")
}

/// A back rank of Chess960: bishops on two colours, the king between the rooks.
fn back_rank(rng: &mut ChaCha8Rng) -> [PieceType; 8] {
    let mut rank = [None; 8];
    rank[2 * rng.random_range(0..4)] = Some(PieceType::Bishop);
    rank[2 * rng.random_range(0..4) + 1] = Some(PieceType::Bishop);
    let mut free: Vec<usize> = (0..8).filter(|&file| rank[file].is_none()).collect();
    free.shuffle(rng);
    for kind in [PieceType::Queen, PieceType::Knight, PieceType::Knight] {
        let file = free.pop().expect("six files are free");
        rank[file] = Some(kind);
    }
    free.sort_unstable();
    for (file, kind) in free
        .into_iter()
        .zip([PieceType::Rook, PieceType::King, PieceType::Rook])
    {
        rank[file] = Some(kind);
    }
    rank.map(|kind| kind.expect("all eight files are filled"))
}
