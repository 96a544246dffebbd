//! Compares unique positions with published counts, with perft, and with a reference implementation
//! that identifies positions by their FEN and makes moves with the mailbox generator.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use super::{Frontier, NextPly, UniqueCounter, UniqueError};
use crate::notation::fen;
use crate::perft::{CountError, count};
use crate::rules::{Piece, PieceType, Position, Setup, Square, mailbox};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn position(text: &str) -> Position {
    fen::parse(text).expect("legal")
}

fn next(frontier: &Frontier, mebibytes: usize) -> NextPly {
    let counter = UniqueCounter::new(mebibytes);
    counter.next(frontier, |_, _| {}).expect("it fits")
}

fn after(position: &Position, plies: u32) -> Frontier {
    (0..plies).fold(Frontier::new(position), |frontier, _| {
        next(&frontier, 256).frontier.expect("it fits")
    })
}

/// Source: <https://oeis.org/A083276>.
#[test]
fn start_position_has_the_published_counts() {
    let start = Position::startpos();
    let mut frontier = Frontier::new(&start);
    for (ply, positions) in (1..).zip([20, 400, 5_362, 72_078, 822_518]) {
        let ply_after = next(&frontier, 256);
        assert_eq!(ply_after.count.positions, positions, "ply {ply}");
        assert_eq!(Ok(ply_after.count.sequences), count(&start, ply));
        frontier = ply_after.frontier.expect("it fits");
        assert_eq!((frontier.ply(), frontier.len() as u64), (ply, positions));
    }
}

/// Keeps the en passant square only if the mailbox generator captures there.
fn same_but_for_idle_ep(mut setup: Setup) -> String {
    let taken = setup.ep_square.filter(|&target| {
        mailbox::legal_moves(&setup).into_iter().any(|m| {
            let moved = setup.piece_at(m.from()).map(|piece| piece.piece_type);
            m.to() == target && m.from().file() != target.file() && moved == Some(PieceType::Pawn)
        })
    });
    setup.ep_square = taken;
    setup.halfmove_clock = 0;
    setup.fullmove_number = 1;
    fen::write(&Position::from_setup(setup).expect("legal"))
}

fn reference(setups: &BTreeMap<String, u64>) -> BTreeMap<String, u64> {
    let mut after = BTreeMap::new();
    for (text, sequences) in setups {
        let setup = position(text).to_setup();
        for m in mailbox::legal_moves(&setup) {
            *after
                .entry(same_but_for_idle_ep(mailbox::play(&setup, m)))
                .or_insert(0) += sequences;
        }
    }
    after
}

/// The source above names the only pair of the sixth ply that an en passant square without a legal
/// capture would distinguish.
#[test]
fn an_illegal_capture_en_passant_keeps_nothing_apart() {
    let one = position("rnb1kbnr/pppp1p1p/5q2/4pPp1/8/8/PPPPPKPP/RNBQ1BNR w kq g6 0 4");
    let other = position("rnb1kbnr/pppp1p1p/5q2/4pPp1/8/8/PPPPPKPP/RNBQ1BNR w kq - 1 4");
    assert_eq!(one.ep_square(), Some(Square::G6));
    assert!(Frontier::new(&one) == Frontier::new(&other));
}

#[test]
fn agrees_with_a_reference_that_compares_fens() {
    let rows = [
        (KIWIPETE, 3),
        // Chess960: castling rooks beside others, and a king that castles without moving.
        (
            "1rr1k1r1/1ppppppp/8/8/8/8/1PPPPPPP/1RR1K1R1 w GBgb - 0 1",
            3,
        ),
        ("2r1k2r/8/8/8/8/8/8/1R3KR1 w GBhc - 0 1", 3),
        // Pawns that pass each other, one of them pinned along the rank.
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4),
        ("8/1p1p4/8/K1P4r/8/8/8/7k b - - 0 1", 3),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 3),
        // An en passant square to begin with, and one where no capture is possible.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", 2),
        ("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", 2),
    ];
    for (text, plies) in rows {
        let start = position(text);
        let mut frontier = Frontier::new(&start);
        let mut expected = BTreeMap::from([(same_but_for_idle_ep(start.to_setup()), 1)]);
        for ply in 1..=plies {
            let ply_after = next(&frontier, 64);
            expected = reference(&expected);
            frontier = ply_after.frontier.expect("it fits");
            let counted = frontier.positions();
            let counted: BTreeMap<_, _> = counted.map(|(p, n)| (fen::write(&p), n)).collect();
            assert_eq!(counted, expected, "{text}, ply {ply}");
            assert_eq!(ply_after.count.positions, expected.len() as u64);
            assert_eq!(Ok(ply_after.count.sequences), count(&start, ply), "{text}");
        }
    }
}

#[test]
fn the_end_of_the_game_ends_the_ply() {
    let mated = position("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
    let frontier = next(&Frontier::new(&mated), 1).frontier.expect("it fits");
    assert!(frontier.is_empty());
    assert!(next(&frontier, 1).frontier.expect("it fits").is_empty());
}

#[test]
fn a_check_that_no_move_can_give_may_be_gone_on_from() {
    // Three checkers: the king must move, and every count is defined.
    let mut setup = position("4k3/8/8/8/8/8/8/3K4 w - - 0 1").to_setup();
    for (square, letter) in [(Square::C3, 'n'), (Square::E3, 'n'), (Square::D5, 'r')] {
        setup.board[square.index()] = Piece::from_char(letter);
    }
    let error = Position::from_setup(setup).expect_err("three checks");
    let start = error.ignore_impossible_check().expect("nothing else");
    let ply_after = next(&Frontier::new(&start), 1);
    assert_eq!(Ok(ply_after.count.sequences), count(&start, 1));
}

#[test]
fn frontier_s_counts_add_up_to_perft() {
    for text in [
        KIWIPETE,
        "1rr1k1r1/1ppppppp/8/8/8/8/1PPPPPPP/1RR1K1R1 w GBgb - 0 1",
    ] {
        let start = position(text);
        let sum: u64 = after(&start, 2)
            .positions()
            .map(|(position, sequences)| sequences * count(&position, 2).expect("it fits"))
            .sum();
        assert_eq!(count(&start, 4), Ok(sum), "{text}");
    }
}

#[test]
fn little_memory_makes_passes_with_the_same_result() {
    let frontier = after(&Position::startpos(), 3);
    let whole = next(&frontier, 256);
    let passes = next(&frontier, 1);
    assert_eq!(passes.count, whole.count);
    // 72,078 and 5,362 positions of 32 bytes, and one and a half times as much to work in.
    let error = passes
        .frontier
        .expect_err("72,078 positions are over 1 MiB");
    assert_eq!(
        error.to_string(),
        "ply 5 cannot be counted in 1 MiB of memory, it takes about 6 MiB"
    );
    assert!(next(&frontier, 8).frontier == whole.frontier);
}

#[test]
fn too_little_memory_is_an_error_that_says_how_much_is_needed() {
    let frontier = after(&Position::startpos(), 4);
    let error = UniqueCounter::new(1).next(&frontier, |_, _| {});
    let Err(UniqueError::Memory { ply, needed, given }) = error else {
        panic!("72,078 positions do not fit 1 MiB");
    };
    assert_eq!((ply, given), (5, 1));
    assert!((6..12).contains(&needed), "{needed} MiB");
    let ply_after = next(&frontier, 40);
    assert_eq!(ply_after.count.positions, 822_518);
    assert!(ply_after.frontier.is_err(), "it took passes");
}

#[test]
fn threads_make_no_difference() {
    let frontier = after(&position(KIWIPETE), 2);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads start").install(|| next(&frontier, 8))
    };
    assert!(on(1) == on(3));
}

#[test]
fn progress_ends_with_the_last_position() {
    let frontier = after(&Position::startpos(), 3);
    for mebibytes in [1, 64] {
        let last = Cell::new((0, 0));
        let counter = UniqueCounter::new(mebibytes);
        let counted = counter.next(&frontier, |done, total| last.set((done, total)));
        assert!(counted.is_ok());
        assert_eq!(last.get(), (5_362, 5_362), "{mebibytes} MiB");
    }
}

#[test]
fn stops_when_cancelled() {
    let cancelled = AtomicBool::new(true);
    let counter = UniqueCounter::new(1).cancel(&cancelled);
    let frontier = Frontier::new(&Position::startpos());
    let error = counter.next(&frontier, |_, _| {});
    assert_eq!(error, Err(UniqueError::Count(CountError::Cancelled)));
}

#[test]
fn sequences_that_do_not_fit_are_an_error() {
    let mut frontier = after(&Position::startpos(), 1);
    for part in &mut frontier.parts {
        for entry in part {
            entry.sequences = u64::MAX / 100;
        }
    }
    let error = UniqueCounter::new(1).next(&frontier, |_, _| {});
    assert_eq!(error, Err(UniqueError::Count(CountError::Overflow)));
}
