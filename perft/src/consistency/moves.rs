//! Random moves, rare ones before others.

use chacha20::ChaCha8Rng;
use chess::rules::{Move, PieceType, Position};
use rand::RngExt;
use rand::seq::IndexedRandom;

/// A random legal move; every other time one of a rare kind, if there is any. Random games would lose all
/// castling rights in a few moves: a move of a king or rook that ends one of its own is mostly replaced.
pub(super) fn random_move(rng: &mut ChaCha8Rng, position: &Position) -> Option<Move> {
    let moves = position.legal_moves();
    let (us, rooks) = (position.side_to_move(), position.castling_rooks());
    let is_castling = |m: &Move| position.is_castling(*m);
    let takes_right = |m: &Move| !is_castling(m) && rooks.contains(m.to());
    // Castling, promotions, en passant and moves that make it possible.
    let is_rare = |m: &Move| {
        let is_pawn = position.by_type(PieceType::Pawn).contains(m.from());
        is_castling(m)
            || m.promotion().is_some()
            || position.is_en_passant(*m)
            // A double step is two ranks of eight squares.
            || is_pawn && m.from().index().abs_diff(m.to().index()) == 16
    };
    let king = position.king(us);
    let has_right = !(rooks & position.by_color(us)).is_empty();
    let loses_right =
        |m: &Move| !is_castling(m) && (rooks.contains(m.from()) || has_right && m.from() == king);
    // The rarest come first: each kind is taken every other time, else the next is tried.
    let preferred: [&dyn Fn(&Move) -> bool; 3] = [&takes_right, &is_rare, &|m| !loses_right(m)];
    for is_preferred in preferred {
        let these: Vec<Move> = moves.iter().copied().filter(is_preferred).collect();
        if let Some(&m) = these.choose(rng).filter(|_| rng.random_range(0..2) == 0) {
            return Some(m);
        }
    }
    moves.choose(rng).copied()
}

#[cfg(test)]
mod tests {
    use chess::rules::Bitboard;
    use rand::SeedableRng as _;

    use super::*;

    /// As many games as `perft consistency` plays: generators that keep the right of a rook that was taken
    /// must have a chance to show it.
    #[test]
    fn rooks_are_taken_with_their_rights_on_all_corners() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut taken = Bitboard::EMPTY;
        for _ in 0..50 {
            let mut position = Position::startpos();
            for _ in 0..80 {
                let Some(m) = random_move(&mut rng, &position) else {
                    break;
                };
                if !position.is_castling(m) {
                    taken |= position.castling_rooks() & m.to().bitboard();
                }
                position = position.play_unchecked(m);
            }
        }
        assert_eq!(taken, Position::startpos().castling_rooks());
    }
}
