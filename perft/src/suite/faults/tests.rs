//! The model against the rules, and the walk by differences against the plain generator.

use std::collections::HashMap;
use std::num::NonZeroU32;

use chacha20::ChaCha8Rng;
use chess::notation::{fen, uci_move};
use chess::perft;
use chess::rules::{CastlingMode, Position};
use rand::{RngExt, SeedableRng};
use testkit::positions::{random_start, thrown_position, wander};

use super::*;
use crate::count::subject::{Route, Subject};

fn position(text: &str) -> Position {
    fen::parse(text).expect("legal")
}

fn random_position(rng: &mut ChaCha8Rng) -> Position {
    if rng.random_range(0..2) == 0 {
        let chess960 = rng.random_range(0..2) == 0;
        let start = random_start(rng, chess960);
        let plies = rng.random_range(0..80);
        wander(start, plies, rng)
    } else {
        let start = thrown_position(rng);
        let plies = rng.random_range(0..3);
        wander(start, plies, rng)
    }
}

#[test]
fn without_faults_the_counts_are_right() {
    let mut rng = ChaCha8Rng::seed_from_u64(52);
    let mut sound = Faulty::sound();
    for _ in 0..testkit::scale(200, 5_000) {
        let position = random_position(&mut rng);
        let expected = perft::count(&position, 2).expect("a small count");
        assert_eq!(
            sound.perft(&position, 2),
            expected,
            "{}",
            fen::write(&position)
        );
    }
}

/// Every difference is what the generator with the fault counts, and faults without one count right.
#[test]
fn the_differences_are_exact() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut shown = Shown::default();
    for round in 0..testkit::scale(60, 2_000) {
        let position = random_position(&mut rng);
        let most = if round % 4 == 0 { 3_000 } else { 900 };
        let counts = (1..=5).map(|depth| (depth, perft::count(&position, depth).expect("small")));
        let counts: Vec<(u32, u64)> = counts.take_while(|&(_, nodes)| nodes < most).collect();
        let Some(&(depth, nodes)) = counts.last() else {
            continue;
        };
        let all: HashMap<Fault, i64> = shown
            .differences(&position, depth, None)
            .into_iter()
            .collect();
        let mut faults: Vec<Fault> = all.keys().copied().collect();
        faults.sort_unstable();
        let step = (faults.len() / 60).max(1);
        let others = (0..20).map(|_| rng.random_range(0..Fault::count()));
        let others = others.filter_map(Fault::from_index);
        for fault in faults.into_iter().step_by(step).chain(others) {
            let counted = Faulty::with(fault).perft(&position, depth);
            assert_eq!(
                counted.cast_signed() - nodes.cast_signed(),
                all.get(&fault).copied().unwrap_or(0),
                "{} {} D{depth}",
                fault.name(),
                fen::write(&position)
            );
        }
    }
}

#[test]
fn what_was_missed() {
    let rows = [
        (
            "4k2r/8/6N1/8/8/8/8/4K3 w k - 0 1",
            2,
            131,
            "right-kept/rook-captured/knight/h8/unasked",
            132,
        ),
        (
            "r3k3/1K6/8/8/8/8/8/8 w q - 0 1",
            2,
            49,
            "right-kept/rook-captured/king/a8/unasked",
            50,
        ),
        (
            "k3r3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1",
            1,
            7,
            "omits/ep-shield/victim/n/rook",
            6,
        ),
        (
            "4k3/8/8/8/8/8/6b1/R3K2R b Q - 0 1",
            2,
            326,
            "right-lost/to/h1/a1",
            325,
        ),
        (
            "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1",
            3,
            3068,
            "right-lost/from/h1/a1",
            3030,
        ),
        (
            "2krB3/8/8/8/8/8/8/6K1 b d - 0 1",
            1,
            11,
            "lists/castling-files/c/d/blocked-beyond",
            12,
        ),
        (
            "Q6r/7P/2pp4/8/1pp1n3/8/1kq2R1K/8 w - - 6 70",
            2,
            512,
            "sees/attack/pawn-beyond-board/king-step/black",
            503,
        ),
    ];
    for (text, depth, right, pattern, wrong) in rows {
        let position = position(text);
        assert_eq!(Faulty::sound().perft(&position, depth), right, "{text}");
        let faults = find(&format!("{pattern}*")).expect(pattern);
        assert_eq!(
            Faulty::new(faults).perft(&position, depth),
            wrong,
            "{pattern}"
        );
    }
}

/// A right that outlived its rook shows when another rook comes, where castling asks for one.
#[test]
fn another_rook_comes_to_the_corner() {
    let root = position("4k3/8/8/8/R7/1n6/8/R3K3 b Q - 0 1");
    let mut route = Route::by_fen(root);
    for text in ["b3a1", "a4a1", "e8e7"] {
        let m = uci_move::parse(text, route.position(), CastlingMode::Standard);
        route = route.then(m.expect("legal"));
    }
    let fault = find("right-kept/rook-captured/knight/a1/asked").expect("it is one");
    for (faults, count) in [(FaultSet::default(), 15), (fault, 16)] {
        let mut faulty = Faulty::new(faults);
        let answer = Subject::perft(&mut faulty, &route, NonZeroU32::MIN).expect("it answers");
        assert_eq!(answer.total, Some(count));
    }
}

#[test]
fn names_find_their_faults() {
    for index in (0..Fault::count()).step_by(97) {
        let fault = Fault::from_index(index).expect("below the count");
        let found = find(&fault.name()).expect("it has a name");
        assert_eq!(found.iter().collect::<Vec<_>>(), [fault]);
        assert!(
            !fault.description().contains("{}"),
            "{}",
            fault.description()
        );
    }
    assert!(find("omits/check/*+nonesuch").is_err_and(|error| error.contains("'nonesuch'")));
}

#[test]
fn an_emptied_set_equals_an_empty_one() {
    let set = find("omits/check/*").expect("there are some");
    assert_ne!(set, FaultSet::default());
    assert_eq!(set.without(&set), FaultSet::default());
    assert_eq!(FaultSet::default().without(&set), FaultSet::default());
    let mut sum = FaultSet::default();
    sum.add(&set);
    assert_eq!(sum, set);
}
