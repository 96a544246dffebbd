//! What the search asks of the rules, against the rules themselves, on positions of random games.

use chess::rules::{Color, Move, PieceType, Setup, Square};
use testkit::scale;

use crate::walk::{sorted, visit};

const SEED: u64 = 20_261_122;

#[test]
fn captures_are_the_legal_moves_that_take_or_make_a_queen() {
    visit(scale(10_000, 100_000), SEED, |position| {
        let wanted = |m: &Move| match m.promotion() {
            Some(kind) => kind == PieceType::Queen,
            None => position.is_capture(*m),
        };
        let filtered = sorted(position.legal_moves().into_iter().filter(wanted));
        assert_eq!(sorted(position.legal_captures()), filtered, "{position}");
    });
}

#[test]
fn the_piece_on_a_square_is_the_one_whose_set_has_it() {
    visit(scale(10_000, 100_000), SEED + 1, |position| {
        for square in Square::ALL {
            let mut kinds = PieceType::ALL.into_iter();
            let found = kinds.find(|&kind| position.by_type(kind).contains(square));
            assert_eq!(
                position.piece_type_at(square),
                found,
                "{square} in {position}"
            );
        }
    });
}

#[test]
fn passing_keeps_the_board_and_the_key() {
    visit(scale(10_000, 100_000), SEED + 2, |position| {
        if position.is_check() {
            return;
        }
        let passed = position.play_null();
        let before = position.to_setup();
        let expected = Setup {
            side_to_move: !before.side_to_move,
            ep_square: None,
            halfmove_clock: before.halfmove_clock + 1,
            fullmove_number: before.fullmove_number
                + u32::from(before.side_to_move == Color::Black),
            ..before
        };
        assert_eq!(passed.to_setup(), expected, "{position}");
        assert_eq!(passed.key(), passed.key_from_scratch(), "{position}");
    });
}

#[test]
fn keys_after_plain_moves_are_predicted() {
    visit(scale(2_500, 25_000), SEED + 3, |position| {
        for &m in &position.legal_moves() {
            let next = position.play_unchecked(m);
            let exempt = position.is_castling(m)
                || position.is_en_passant(m)
                || next.castling_rooks() != position.castling_rooks()
                || next.ep_square().is_some();
            if !exempt {
                assert_eq!(position.key_after(m), next.key(), "{m} in {position}");
            }
        }
    });
}
