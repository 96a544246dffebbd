//! Moves back to an earlier position, against what the moves themselves change.

use chacha20::ChaCha8Rng;
use chess::rules::{PieceType, Position, attacks};
use rand::SeedableRng;
use testkit::positions::{thrown_position, wander};
use testkit::random_start;

/// Whether the key has an en passant square, which the next move takes away.
fn has_ep_capture(position: &Position) -> bool {
    let us = position.side_to_move();
    let pawns = position.pieces(us, PieceType::Pawn);
    (position.ep_square()).is_some_and(|square| attacks::pawn(!us, square).intersects(pawns))
}

/// The position after a legal move is recognised by its key if the move is reversible.
#[test]
fn positions_after_reversible_moves_are_recognised() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut found = [0; 2];
    for number in 0..600_u32 {
        let position = match number % 3 {
            0 => wander(random_start(&mut rng, true), number / 10, &mut rng),
            1 => wander(Position::startpos(), number / 10, &mut rng),
            _ => thrown_position(&mut rng),
        };
        for m in &position.legal_moves() {
            let next = position.play_unchecked(*m);
            let kind = position.piece_type_at(m.from());
            let expected = kind != Some(PieceType::Pawn)
                && !position.is_capture(*m)
                && position.castling_rooks() == next.castling_rooks()
                && !has_ep_capture(&position);
            assert_eq!(
                position.can_return_to(next.key()),
                expected,
                "{number} {m:?}"
            );
            // The same move seen from the side that has made it.
            assert!(!next.can_return_to(position.key()), "{number} {m:?}");
            found[usize::from(expected)] += 1;
        }
        assert!(!position.can_return_to(position.key()));
    }
    assert!(found.iter().all(|&count| count > 1_000), "{found:?}");
}
