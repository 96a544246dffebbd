//! The two generators, the keys and the notations on positions of random games.
//!
//! `TOUCHSTONE_POSITIONS` sets how many positions are tried, 200,000 when it is not set; a long
//! run is `TOUCHSTONE_POSITIONS=20000000 cargo test --release -p touchstone-chess generators_agree`.

#![expect(clippy::print_stdout, reason = "a failing test shows its seed")]

use chess::notation::{fen, move_list, san, uci_move};
use chess::rules::{CastlingMode, Move, PieceType, Position, Square, mailbox};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use testkit::{random_start, wanted_positions};

const SEED: u64 = 20_261_120;

/// Plays random games until `count` positions have been visited; every other game is Chess960.
fn visit(count: u64, seed: u64, mut check: impl FnMut(&Position, &mut ChaCha8Rng)) {
    println!("seed {seed}, {count} positions");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut visited = 0;
    let mut games = 0_u64;
    while visited < count {
        let mut position = random_start(&mut rng, games % 2 == 1);
        games += 1;
        let length = rng.random_range(1..=200);
        for _ in 0..length {
            check(&position, &mut rng);
            visited += 1;
            let Some(&m) = position.legal_moves().choose(&mut rng) else {
                break;
            };
            position = position.play(m).expect("a generated move is legal");
        }
    }
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort_unstable();
    moves
}

#[test]
fn both_generators_agree_move_by_move() {
    visit(wanted_positions(200_000), SEED, |position, rng| {
        let setup = position.to_setup();
        let bitboards = sorted(position.legal_moves());
        let oracle = sorted(mailbox::legal_moves(&setup));
        let text = fen::write(position);
        assert_eq!(bitboards, oracle, "{text}");
        assert_eq!(position.legal_move_count() as usize, oracle.len(), "{text}");
        assert_eq!(
            position.is_check(),
            mailbox::in_check(&setup, setup.side_to_move),
            "{text}"
        );
        if let Some(&m) = bitboards.choose(rng) {
            let next = position.play_unchecked(m);
            assert_eq!(next.to_setup(), mailbox::play(&setup, m), "{m} in {text}");
        }
    });
}

#[test]
fn keys_follow_the_moves() {
    visit(wanted_positions(200_000), SEED + 1, |position, _| {
        assert_eq!(
            position.key(),
            position.key_from_scratch(),
            "{}",
            fen::write(position)
        );
    });
}

#[test]
fn every_position_is_valid_and_its_fen_round_trips() {
    visit(wanted_positions(200_000) / 4, SEED + 2, |position, _| {
        let text = fen::write(position);
        assert_eq!(fen::parse(&text).as_ref(), Ok(position), "{text}");
        assert_eq!(
            Position::from_setup(position.to_setup()).as_ref(),
            Ok(position),
            "{text}"
        );
    });
}

#[test]
fn moves_round_trip_in_every_notation() {
    visit(wanted_positions(200_000) / 40, SEED + 3, |position, _| {
        let text = fen::write(position);
        for m in position.legal_moves() {
            let written = san::write(m, position);
            assert_eq!(san::parse(&written, position), Ok(m), "{written} in {text}");
            let written = uci_move::write(m, position, CastlingMode::Chess960);
            let read = uci_move::parse(&written, position, CastlingMode::Chess960);
            assert_eq!(read, Ok(m), "{written} in {text}");
        }
        let moves = position.legal_moves();
        let list = move_list::write(&moves, position);
        assert_eq!(
            move_list::parse(&list, position).as_deref(),
            Ok(&moves[..]),
            "{text}"
        );
    });
}

#[test]
fn is_legal_agrees_with_the_list_for_every_conceivable_move() {
    visit(wanted_positions(200_000) / 2000, SEED + 4, |position, _| {
        let moves = position.legal_moves();
        for from in Square::ALL {
            for to in Square::ALL {
                let promotions = PieceType::ALL.map(|kind| Move::new_promotion(from, to, kind));
                for m in promotions.into_iter().chain([Move::new(from, to)]) {
                    let text = fen::write(position);
                    assert_eq!(position.is_legal(m), moves.contains(&m), "{m} in {text}");
                }
            }
        }
    });
}

#[test]
fn the_mirrored_position_has_the_mirrored_moves() {
    visit(wanted_positions(200_000) / 10, SEED + 5, |position, _| {
        let mirror = Position::from_setup(position.to_setup().mirrored()).expect("legal too");
        let expected = position
            .legal_moves()
            .into_iter()
            .map(|m| match m.promotion() {
                Some(kind) => Move::new_promotion(m.from().flip_rank(), m.to().flip_rank(), kind),
                None => Move::new(m.from().flip_rank(), m.to().flip_rank()),
            });
        assert_eq!(
            sorted(mirror.legal_moves()),
            sorted(expected),
            "{}",
            fen::write(position)
        );
    });
}
