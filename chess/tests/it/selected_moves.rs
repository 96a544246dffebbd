//! What the search asks of the rules, against the rules themselves, on positions of random games.
//!
//! `TOUCHSTONE_POSITIONS` sets how many positions are tried, 100,000 when it is not set.

#![expect(clippy::print_stdout, reason = "a failing test shows its seed")]

use chess::notation::fen;
use chess::rules::{Color, Move, PieceType, Position, Setup, Square, mailbox};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use testkit::{random_start, wanted_positions};

const SEED: u64 = 20_261_122;

/// Plays random games until `count` positions have been visited; every other game is Chess960.
fn visit(count: u64, seed: u64, mut check: impl FnMut(&Position, &str)) {
    println!("seed {seed}, {count} positions");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut visited = 0;
    let mut games = 0_u64;
    while visited < count {
        let mut position = random_start(&mut rng, games % 2 == 1);
        games += 1;
        for _ in 0..rng.random_range(1..=200) {
            check(&position, &fen::write(&position));
            visited += 1;
            let Some(&m) = position.legal_moves().choose(&mut rng) else {
                break;
            };
            position = position.play_unchecked(m);
        }
    }
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort_unstable();
    moves
}

#[test]
fn captures_are_the_legal_moves_that_take_or_make_a_queen() {
    visit(wanted_positions(100_000), SEED, |position, text| {
        let wanted = |m: &Move| match m.promotion() {
            Some(kind) => kind == PieceType::Queen,
            None => position.is_capture(*m),
        };
        let filtered = position.legal_moves().into_iter().filter(wanted);
        assert_eq!(
            sorted(position.legal_captures()),
            sorted(filtered),
            "{text}"
        );
    });
}

#[test]
fn pieces_and_checks_are_those_of_the_oracle() {
    visit(wanted_positions(100_000), SEED + 1, |position, text| {
        let setup = position.to_setup();
        let in_check = mailbox::in_check(&setup, setup.side_to_move);
        assert_eq!(position.is_check(), in_check, "{text}");
        for square in Square::ALL {
            let found = PieceType::ALL
                .into_iter()
                .find(|&kind| position.by_type(kind).contains(square));
            assert_eq!(position.piece_type_at(square), found, "{square} in {text}");
        }
    });
}

#[test]
fn passing_keeps_the_board_and_the_key() {
    visit(wanted_positions(100_000), SEED + 2, |position, text| {
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
        assert_eq!(passed.to_setup(), expected, "{text}");
        assert_eq!(passed.key(), passed.key_from_scratch(), "{text}");
    });
}

#[test]
fn keys_after_plain_moves_are_predicted() {
    visit(wanted_positions(100_000) / 4, SEED + 3, |position, text| {
        for &m in &position.legal_moves() {
            let next = position.play_unchecked(m);
            let exempt = position.is_castling(m)
                || position.is_en_passant(m)
                || next.castling_rooks() != position.castling_rooks()
                || next.ep_square().is_some();
            if !exempt {
                assert_eq!(position.key_after(m), next.key(), "{m} in {text}");
            }
        }
    });
}
