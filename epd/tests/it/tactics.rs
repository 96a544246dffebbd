//! The tactical suites: every mate proved again by search, and what holds for every record.

use std::collections::HashSet;

use chess::rules::{Color, Move};
use epd::mate::{ForcedMate, MateSearch};
use epd::suites::{self, BuiltIn, TACTICS};
use epd::{OpcodeValue, Record};

/// More than any mate of the suites takes.
const NODES: u64 = 100_000_000;

fn value(record: &Record, opcode: &str) -> Option<OpcodeValue> {
    let operation = record.operation(opcode)?;
    operation.value(record.position()).ok()
}

/// The solution: `bm` with one move.
fn best_move(record: &Record) -> Move {
    match value(record, "bm") {
        Some(OpcodeValue::Moves(moves)) if moves.len() == 1 => moves[0],
        other => panic!("{record}: {other:?}"),
    }
}

fn records(built_in: BuiltIn) -> Vec<Record> {
    let entries = built_in.parse().entries.into_iter();
    entries.map(|entry| entry.record).collect()
}

#[test]
fn every_mate_is_forced_by_one_move_alone_and_no_faster() {
    let mut search = MateSearch::new(NODES);
    for moves in 1..=4 {
        let suite = suites::find(&format!("mate-in-{moves}")).expect("it is built in");
        for record in testkit::some(records(suite), 25) {
            let first = best_move(&record);
            let claimed = Some(OpcodeValue::Unsigned(moves.into()));
            assert_eq!(value(&record, "dm"), claimed, "{record}");
            let found = search.first_moves(record.position(), moves);
            assert_eq!(found, Ok(vec![ForcedMate { first, moves }]), "{record}");
        }
    }
}

#[test]
fn suites_are_balanced_and_unique() {
    let (mut ids, mut positions) = (HashSet::new(), HashSet::new());
    for suite in TACTICS {
        let records = records(suite);
        let white = records
            .iter()
            .filter(|record| record.position().side_to_move() == Color::White);
        assert_eq!(2 * white.count(), records.len(), "{}", suite.name);
        for record in &records {
            best_move(record);
            let id = record.id().expect("every record has an id").to_owned();
            assert!(id.starts_with(suite.name), "{record}");
            assert!(ids.insert(id), "{record}");
            assert!(positions.insert(record.position().key()), "{record}");
            assert_ne!(record.tags().count(), 0, "{record}");
            assert!(record.perft_counts().is_empty(), "{record}");
        }
    }
}

#[test]
fn tactics_have_scores_nodes_and_comments() {
    let suite = suites::find("tactics").expect("it is built in");
    for record in records(suite) {
        match value(&record, "ce") {
            Some(OpcodeValue::Integer(cp)) => assert!(cp >= 300, "{record}"),
            other => panic!("{record}: {other:?}"),
        }
        assert!(value(&record, "acn").is_some() && value(&record, "c0").is_some());
    }
}
