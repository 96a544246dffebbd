//! The signatures of a position itself: how long its lists are, how many pieces there are, its clock, and
//! whether it comes back.

use chess::rules::{Move, PieceType, Position};

use super::signature::state::{
    BARE_KINGS, CAPTURES, CAPTURES_FROM, CLOCK, CLOCK_FROM, MOVES, MOVES_FROM, ONE_BISHOP,
    ONE_KNIGHT,
};
use super::signature::{PIECES, REPETITION, STATE, Signature};

/// Calls `take` with the signatures of a position with this many legal moves and captures that show in a
/// count of this depth.
pub(super) fn each_signature(
    position: &Position,
    legal: usize,
    captures: usize,
    depth: u32,
    mut take: impl FnMut(Signature),
) {
    let us = position.side_to_move();
    for (whose, color) in [us, !us].into_iter().enumerate() {
        for piece in PieceType::ALL
            .into_iter()
            .filter(|&one| one != PieceType::King)
        {
            let number = position.pieces(color, piece).count() as usize;
            take(Signature::new(
                PIECES,
                &[us.index(), whose, piece.index(), number],
            ));
        }
    }
    let mut add = |state: usize| take(Signature::new(STATE, &[us.index(), state]));
    let class = |least: &[usize], number: usize| least.partition_point(|&one| one <= number) - 1;
    add(MOVES + class(&MOVES_FROM, legal));
    add(CAPTURES + class(&CAPTURES_FROM, captures));
    // A generator that takes the game for drawn lists no moves where there are some.
    if legal > 0 {
        add(CLOCK + class(&CLOCK_FROM, position.halfmove_clock() as usize));
        let others = position.occupied() & !position.by_type(PieceType::King);
        let is_one = |piece| others.count() == 1 && !(others & position.by_type(piece)).is_empty();
        if others.is_empty() {
            add(BARE_KINGS);
        } else if is_one(PieceType::Knight) {
            add(ONE_KNIGHT);
        } else if is_one(PieceType::Bishop) {
            add(ONE_BISHOP);
        }
    }
    if depth >= 5 && comes_back(position) {
        take(Signature::new(REPETITION, &[us.index(), 0]));
    }
}

/// Whether each side can move a piece there and back, so that the position repeats after four plies.
fn comes_back(position: &Position) -> bool {
    let back = |m: Move| Move::new(m.to(), m.from());
    position.legal_moves().into_iter().any(|ours| {
        let after = position.play_unchecked(ours);
        after.legal_moves().into_iter().any(|theirs| {
            let after = after.play_unchecked(theirs);
            if !after.is_legal(back(ours)) {
                return false;
            }
            let after = after.play_unchecked(back(ours));
            after.is_legal(back(theirs)) && {
                let last = after.play_unchecked(back(theirs));
                last.key() == position.key()
            }
        })
    })
}
