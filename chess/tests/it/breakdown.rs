//! Published breakdowns by kind of move.
//!
//! Source: <https://www.chessprogramming.org/Perft_Results>. Columns: nodes, captures, en passant,
//! castles, promotions, checks, discovered checks, double checks, mates.

use std::sync::atomic::AtomicBool;

use chess::notation::fen;
use chess::perft::{breakdown, breakdown_parallel};

#[test]
fn breakdowns_are_the_published_ones() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let position_3 = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    for (text, depth, expected) in rows![
        start, 3 => [8_902, 34, 0, 0, 0, 12, 0, 0, 0];
        start, 4 => [197_281, 1_576, 0, 0, 0, 469, 0, 0, 8];
        start, 5 => [4_865_609, 82_719, 258, 0, 0, 27_351, 6, 0, 347];
        kiwipete, 1 => [48, 8, 0, 2, 0, 0, 0, 0, 0];
        kiwipete, 2 => [2_039, 351, 1, 91, 0, 3, 0, 0, 0];
        kiwipete, 3 => [97_862, 17_102, 45, 3_162, 0, 993, 0, 0, 1];
        kiwipete, 4 => [4_085_603, 757_163, 1_929, 128_013, 15_172, 25_523, 42, 6, 43];
        position_3, 4 => [43_238, 3_348, 123, 0, 0, 1_680, 106, 0, 17];
        position_3, 5 => [674_624, 52_051, 1_165, 0, 0, 52_950, 1_292, 3, 0];
    ] {
        let position = fen::parse(text).expect("legal");
        let never = AtomicBool::new(false);
        let counted = breakdown(&position, depth, &never).expect("not cancelled");
        assert_eq!(counted.columns()[..9], expected, "{text}, depth {depth}");
        assert_eq!(breakdown_parallel(&position, depth, &never), Ok(counted));
    }
}

#[test]
fn stalemates_and_depth_zero() {
    let position = fen::parse("7k/8/6Q1/8/8/8/8/K7 w - - 0 1").expect("legal");
    let never = AtomicBool::new(false);
    let one = breakdown(&position, 1, &never).expect("not cancelled");
    assert_eq!(one.nodes, u64::from(position.legal_move_count()));
    assert!(one.stalemates > 0);
    assert_eq!(breakdown(&position, 0, &never).map(|b| b.nodes), Ok(1));
}
