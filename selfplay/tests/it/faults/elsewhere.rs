//! Faults that users of other programs reported: engines that print odd lines, and books that are
//! odd files. `docs/selfplay-faults.md` has the source of each.

use selfplay::model::{GameRecord, Limits};
use uci::Cancel;

use super::bed::{Bed, PATIENT, config, relaxed, unclocked};

/// A game of White with these flags against an honest engine.
fn played(flags: &[&str], limits: &Limits) -> GameRecord {
    let white = config("odd", limits.clone(), flags);
    let black = config("honest", limits.clone(), &["--seed=7"]);
    Bed::of(white, black, PATIENT, &Cancel::new())
        .play(4)
        .record
}

fn moves(record: &GameRecord) -> Vec<&str> {
    record.moves.iter().map(|one| one.uci.as_str()).collect()
}

fn answering(text: &str) -> String {
    format!("--answer-with={text}")
}

/// The move counts, and the score is the exact one of the first PV.
#[test]
fn odd_answers_are_read_as_meant() {
    let rows = include_str!("../../data/odd-answers.txt").lines().skip(1);
    let honest = played(&[], &unclocked());
    // With a clock and without, in turn.
    let limits = [unclocked(), relaxed()].into_iter().cycle();
    for (row, limits) in rows.zip(limits) {
        let (score, answer) = row.split_once(": ").expect("a score");
        let record = played(&[&answering(answer)], &limits);
        assert_eq!(record.fault, None, "{answer}");
        assert_eq!(moves(&record), moves(&honest), "{answer}");
        assert_eq!(record.incidents, [], "{answer}");
        let found = record.moves[0].score.as_deref();
        assert_eq!(found.unwrap_or("none"), score, "{answer}");
    }
}

/// What is printed before `uciok`.
#[test]
fn odd_greetings_are_read_as_meant() {
    let honest = played(&[], &unclocked());
    for greeting in include_str!("../../data/odd-greetings.txt").lines() {
        let record = played(&[&format!("--greet={greeting}")], &unclocked());
        assert_eq!(record.fault, None, "{greeting}");
        assert_eq!(moves(&record), moves(&honest), "{greeting}");
    }
}
