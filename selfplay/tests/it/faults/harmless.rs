//! What looks like a fault and is none.

use std::time::Duration;

use selfplay::model::{FaultKind, GameRecord, Opening, Termination};
use uci::Cancel;

use super::bed::{Bed, PATIENT, clocked, config, relaxed, unclocked};

#[test]
fn noise_is_ignored() {
    let rows = ["--garbage", "--stderr=4194304", "--long-line=3000000"];
    for flag in rows {
        for limits in [unclocked(), relaxed()] {
            let mut bed = Bed::new(&[flag, "--at=2"], &limits, PATIENT);
            let played = bed.play(10);
            assert!(bed.culprit().is_some(), "{flag}");
            assert_eq!(played.record.fault, None, "{flag}");
            assert_eq!(played.record.termination, Termination::MaxMoves, "{flag}");
            assert_eq!(bed.white.process_id(), bed.culprit(), "{flag}");
        }
    }
}

#[test]
fn a_second_answer_is_not_taken_for_the_next() {
    for limits in [unclocked(), relaxed()] {
        let mut bed = Bed::new(&["--repeat"], &limits, PATIENT);
        // What it repeats is a move of the position before, which is hardly ever legal again.
        let played = bed.play(30);
        assert_eq!(played.record.fault, None);
        assert_eq!(played.record.termination, Termination::MaxMoves);
        assert_counted(&played.record, 30);
    }
}

#[test]
fn a_second_answer_that_comes_after_the_next_question_is_none_if_it_is_not_legal_there() {
    for limits in [unclocked(), relaxed()] {
        let mut honest = Bed::new(&[], &limits, PATIENT);
        let expected = honest.play(30).record;
        let mut bed = Bed::new(&["--repeat-late"], &limits, PATIENT);
        let record = bed.play(30).record;
        assert_eq!(record.fault, None);
        let moves = |record: &GameRecord| -> Vec<String> {
            record.moves.iter().map(|one| one.uci.clone()).collect()
        };
        assert_eq!(moves(&record), moves(&expected));
        assert_eq!(expected.incidents, []);
        assert_counted(&record, 29);
    }
}

/// Whether so many best moves of White were counted that nobody had asked for.
fn assert_counted(record: &GameRecord, count: usize) {
    let [extra] = &record.incidents[..] else {
        panic!("{:?}", record.incidents);
    };
    assert_eq!((extra.engine.0, extra.kind), (0, FaultKind::ExtraBestmove));
    let first = &record.moves[0].uci;
    let expected = format!(
        "it sent {count} bestmoves without a go, the first, {first}, after its move 1; they were ignored"
    );
    assert_eq!(extra.detail, expected);
}

#[test]
fn an_engine_that_ends_after_the_last_move_has_played_it() {
    let flags = ["--exit-after-move", "--at=5"];
    let mut bed = Bed::new(&flags, &unclocked(), PATIENT);
    let played = bed.play(5);
    assert_eq!(played.record.fault, None);
    assert_eq!(played.record.termination, Termination::MaxMoves);
    // The next game finds it dead, and says so; it costs nothing.
    let next = bed.play(5);
    assert_eq!(next.record.fault, None);
    assert_eq!(next.record.termination, Termination::MaxMoves);
    assert_eq!(
        next.record.incidents.len(),
        1,
        "{:?}",
        next.record.incidents
    );
    assert_eq!(next.record.incidents[0].kind, FaultKind::Crash);
    let detail = &next.record.incidents[0].detail;
    assert!(detail.ends_with(", between two games"), "{detail}");
    assert_ne!(bed.white.process_id(), bed.culprit());
    assert_eq!(bed.play(5).record.incidents, []);
}

#[test]
fn sleepy_engines_that_are_punctual_lose_nothing() {
    let sleepy = config("sleepy", clocked("1000+0.1"), &["--sleep=40"]);
    let other = config("other", clocked("1000+0.1"), &["--sleep=60", "--seed=99"]);
    let record = Bed::of(sleepy, other, PATIENT, &Cancel::new())
        .play(10)
        .record;
    assert_eq!(record.fault, None);
    // What we were kept from seeing after our last byte was out is not counted: on a busy machine, of some moves.
    for (side, slept) in [(0, 20_000), (1, 40_000)] {
        let longest = record
            .moves
            .iter()
            .skip(side)
            .step_by(2)
            .map(|one| one.elapsed_us)
            .max();
        assert!(longest >= Some(slept), "{:?}", record.moves);
    }
    for one in &record.moves {
        let clock = one.clock_ms.expect("a clock");
        assert!((0..=1_001_000).contains(&clock), "{one:?}");
    }
}

#[test]
fn clocks_run_down_by_what_is_measured() {
    let sleepy = config("sleepy", relaxed(), &["--sleep=30"]);
    let other = config("other", unclocked(), &[]);
    let mut bed = Bed::of(sleepy, other, PATIENT, &Cancel::new());
    let record = bed.play(10).record;
    let mut spent = Duration::ZERO;
    for one in record.moves.iter().step_by(2) {
        spent += Duration::from_micros(one.elapsed_us);
        let clock = u128::try_from(one.clock_ms.expect("a clock")).expect("no flag");
        let expected = Duration::from_secs(1000).saturating_sub(spent).as_millis();
        // The record is in whole microseconds, the clock is finer.
        assert!(clock.abs_diff(expected) <= 1, "{clock} {expected}");
    }
    assert_eq!(record.moves[1].clock_ms, None);
    let first = &record.moves[0];
    assert_eq!(first.score.as_deref(), Some("cp 0"));
    let expected = (Some(2), Some(3), Some(20));
    assert_eq!((first.depth, first.seldepth, first.nodes), expected);
}

#[test]
fn games_of_chess960_are_played_as_such() {
    let opening = Opening {
        label: "chess960".to_owned(),
        fen: "rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1".to_owned(),
        moves: vec!["b1h1".to_owned()],
        chess960: true,
    };
    let one = config("one", unclocked(), &["--seed=1"]);
    let other = config("other", unclocked(), &["--seed=2"]);
    let mut bed = Bed::of(one, other, PATIENT, &Cancel::new());
    for opening in [&opening, &Opening::startpos(), &opening] {
        let played = bed.play_from(opening, 30).expect("playable");
        assert_eq!(played.record.fault, None);
    }
    let transcript = bed.white.transcript();
    let count = |text: &str| transcript.matches(text).count();
    assert_eq!(count("setoption name UCI_Chess960 value true"), 2);
    assert_eq!(count("setoption name UCI_Chess960 value false"), 1);
}

#[test]
fn there_is_one_ping_for_each_game() {
    let one = config("one", unclocked(), &["--seed=1"]);
    let other = config("other", unclocked(), &["--seed=2"]);
    let mut bed = Bed::of(one, other, PATIENT, &Cancel::new());
    for _ in 0..3 {
        bed.play(5);
    }
    let transcript = bed.white.transcript();
    assert_eq!(transcript.matches("> isready").count(), 3);
    assert_eq!(transcript.matches("> ucinewgame").count(), 3);
    assert_eq!(transcript.matches("> go nodes 1").count(), 15);
}
