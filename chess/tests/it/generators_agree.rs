//! The two generators, the keys and the notations on positions of random games.

use chess::notation::{fen, move_list, san, uci_move};
use chess::rules::{CastlingMode, Move, Position, mailbox};
use testkit::scale;

use crate::walk::{conceivable_moves, sorted, visit};

const SEED: u64 = 20_261_120;

#[test]
fn both_generators_agree_move_by_move() {
    let mut visited = 0;
    visit(scale(20_000, 200_000), SEED, |position| {
        let setup = position.to_setup();
        let bitboards = sorted(position.legal_moves());
        let oracle = sorted(mailbox::legal_moves(&setup));
        assert_eq!(bitboards, oracle, "{position}");
        let count = position.legal_move_count() as usize;
        assert_eq!(count, oracle.len(), "{position}");
        let in_check = mailbox::in_check(&setup, setup.side_to_move);
        assert_eq!(position.is_check(), in_check, "{position}");
        visited += 1;
        if let Some(&m) = bitboards.iter().cycle().nth(visited % 64) {
            let next = position.play_unchecked(m).to_setup();
            assert_eq!(next, mailbox::play(&setup, m), "{m} in {position}");
        }
    });
}

#[test]
fn keys_follow_the_moves() {
    visit(scale(20_000, 200_000), SEED + 1, |position| {
        assert_eq!(position.key(), position.key_from_scratch(), "{position}");
    });
}

#[test]
fn every_position_is_valid_and_its_fen_round_trips() {
    visit(scale(5_000, 50_000), SEED + 2, |position| {
        let read = fen::parse(&fen::write(position));
        assert_eq!(read.as_ref(), Ok(position), "{position}");
        let checked = Position::from_setup(position.to_setup());
        assert_eq!(checked.as_ref(), Ok(position), "{position}");
    });
}

#[test]
fn moves_round_trip_in_every_notation() {
    visit(scale(500, 5_000), SEED + 3, |position| {
        let moves = position.legal_moves();
        for &m in &moves {
            let text = san::write(m, position);
            assert_eq!(san::parse(&text, position), Ok(m), "{text} in {position}");
            let text = uci_move::write(m, position, CastlingMode::Chess960);
            let read = uci_move::parse(&text, position, CastlingMode::Chess960);
            assert_eq!(read, Ok(m), "{text} in {position}");
        }
        let read = move_list::parse(&move_list::write(&moves, position), position);
        assert_eq!(read.as_deref(), Ok(&moves[..]), "{position}");
    });
}

#[test]
fn is_legal_agrees_with_the_list_for_every_conceivable_move() {
    visit(scale(10, 100), SEED + 4, |position| {
        let moves = position.legal_moves();
        for m in conceivable_moves() {
            let is_listed = moves.contains(&m);
            assert_eq!(position.is_legal(m), is_listed, "{m} in {position}");
        }
    });
}

#[test]
fn the_mirrored_position_has_the_mirrored_moves() {
    visit(scale(2_000, 20_000), SEED + 5, |position| {
        let mirror = Position::from_setup(position.to_setup().mirrored()).expect("legal too");
        let mirrored = position.legal_moves().into_iter().map(|m| {
            let (from, to) = (m.from().flip_rank(), m.to().flip_rank());
            match m.promotion() {
                Some(kind) => Move::new_promotion(from, to, kind),
                None => Move::new(from, to),
            }
        });
        let found = sorted(mirror.legal_moves());
        assert_eq!(found, sorted(mirrored), "{position}");
    });
}
