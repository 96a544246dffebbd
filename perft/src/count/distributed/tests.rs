//! Distributed counts equal those of a single process.

use std::collections::HashMap;

use fleet::InProcess;

use super::*;
use crate::count::Ended;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn are_those_of_the_engine() {
    let rows = [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            4,
        ),
        (KIWIPETE, 3),
        // Promotions, castling, en passant, Chess960 rooks that castle from unusual squares.
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 4),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            3,
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4),
        (
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            3,
        ),
        ("rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1", 3),
        // Checkmate, stalemate, and one move to mate.
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", 3),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 4),
    ];
    let cuts = [crate::shared::CUT, Cut::Ply(1), Cut::Ply(9)];
    for (text, deepest) in rows {
        let position = position(text);
        let broker = InProcess::new();
        for depth in 0..=deepest {
            for way in cuts {
                let units = cut(&position, depth, way);
                put(&broker, &units, 3);
                let followed = with_workers(&broker, &units, &["a", "b"]);
                let expected = chess::perft::count(&position, depth).expect("it fits");
                assert_eq!(followed.ended, Ended::Complete, "{text}, {depth}, {way:?}");
                let nodes = units.sum(&followed.tally.counts);
                assert_eq!(nodes, u128::from(expected), "{text}, {depth}, {way:?}");
            }
        }
    }
}

#[test]
fn go_beyond_64_bits() {
    let kings = position("8/8/8/4k3/8/8/8/4K3 w - - 0 1");
    let depth = 26;
    let units = cut(&kings, depth, Cut::Ply(5));
    let broker = InProcess::new();
    put(&broker, &units, 0);
    let followed = with_workers(&broker, &units, &["a", "b"]);
    assert_eq!(followed.ended, Ended::Complete);
    let nodes = units.sum(&followed.tally.counts);
    assert!(nodes > u128::from(u64::MAX));
    assert_eq!(nodes, reference(&kings, depth, &mut HashMap::new()));
}

#[test]
fn one_unit_beyond_64_bits_stops_the_job() {
    let kings = position("8/8/8/4k3/8/8/8/4K3 w - - 0 1");
    let units = cut(&kings, 60, Cut::Ply(0));
    let broker = InProcess::new();
    put(&broker, &units, 0);
    let home = Interrupt::default();
    let pace = Pace {
        idle_exit: Some(Duration::ZERO),
        ..PACE
    };
    work(&broker, "a", pace, &home).0.expect("it works");
    let reason = "unit 0: the count does not fit 64 bits; cut the tree at a later ply";
    for _ in 0..2 {
        let error = try_to_follow(&broker, &units, &home).expect_err("it does not fit");
        assert_eq!(error.to_string(), reason);
    }
    let stand = broker.progress(&job_of(&units)).expect("a job");
    assert_eq!(stand.stopped.as_deref(), Some(reason));
}

#[test]
fn every_unit_is_compared_where_it_is_asked_for() {
    let units = cut(&position(KIWIPETE), 3, Cut::Ply(2));
    let broker = InProcess::new();
    put(&broker, &units, 1);
    // No unit may be counted twice.
    let alone = with_workers(&broker, &units, &["a"]);
    assert_eq!((alone.ended, alone.compared), (Ended::Complete, 0));
    assert_eq!(alone.to_compare, units.list.len() as u64);
    let (home, pace) = (Interrupt::default(), PACE);
    let pace = Pace {
        idle_exit: Some(Duration::ZERO),
        ..pace
    };
    work(&broker, "b", pace, &home).0.expect("it works");
    let both = follow(&broker, &units, &home);
    assert_eq!(
        (both.ended, both.compared),
        (Ended::Complete, alone.to_compare)
    );
    assert_eq!(units.sum(&both.tally.counts), 97_862);
}

#[test]
fn go_on_after_the_one_who_gave_the_job_has_died() {
    let units = cut(&position(KIWIPETE), 3, Cut::Ply(2));
    let broker = InProcess::new();
    assert_eq!(put(&broker, &units, 2), Put::New);
    let dying = Interrupt::default();
    dying.flag().store(true, Ordering::Relaxed);
    let followed = follow(&broker, &units, &dying);
    assert_eq!(
        (followed.ended, followed.tally.done()),
        (Ended::Interrupted, 0)
    );
    // The workers run without it.
    let home = Interrupt::default();
    let pace = Pace {
        idle_exit: Some(Duration::ZERO),
        ..PACE
    };
    work(&broker, "a", pace, &home).0.expect("it works");
    assert_eq!(put(&broker, &units, 2), Put::Known);
    let followed = follow(&broker, &units, &home);
    assert_eq!(followed.ended, Ended::Complete);
    assert_eq!(followed.resumed, 97_862);
    assert_eq!(units.sum(&followed.tally.counts), 97_862);
}
