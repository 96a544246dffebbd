//! The mutants, and `perft mutants` as its users see it.

use std::num::NonZeroU32;

use chess::notation::fen;
use chess::rules::{Color, Move, Position, Square};
use epd::suites;
use perft::mutants::{Budget, Mutant, Mutation};
use perft::subject::{MoveMeaning, Route, Subject};
use rayon::prelude::*;
use testkit::some;

use crate::common::{run, session, snapshot, stdout_of};

#[test]
fn text() {
    let commands = r"
        mutants agrees.epd --max-nodes 600 --threads 2
        mutants agrees.epd --tag nonesuch
        mutants broken.epd
        mutants differs.epd
        mutants nonesuch
    ";
    let text = session(commands);
    // Most mutants escape so few counts; they are listed again below the table.
    let is_shown = |line: &&str| !line.ends_with("ESCAPED           -              -  no");
    let shown: Vec<&str> = text.lines().filter(is_shown).collect();
    snapshot!("mutants", shown.join("\n"));
}

#[test]
fn names_of_built_in_suites_stand_for_them() {
    let arguments = ["mutants", "edge", "chess960", "--depth", "1"];
    let text = run(&arguments);
    assert!(text.starts_with("exit 1\n"), "{text}");
    assert!(text.contains("\nedge "), "{text}");
    assert!(text.contains("\nchess960 "), "{text}");
    let text = run(&["check", "thesis", "--depth", "1"]);
    assert!(text.starts_with("exit 0\n"), "{text}");
}

/// What the program prints on `agrees.epd` with one ply, in a format for machines.
fn printed(format: &str) -> String {
    let arguments = ["mutants", "agrees.epd", "--depth", "1", "--format", format];
    stdout_of(&run(&arguments)).to_owned()
}

#[test]
fn json_has_every_mutant() {
    let object: serde_json::Value = serde_json::from_str(&printed("json")).expect("JSON");
    assert_eq!(object["schema"], "touchstone/perft-mutants/1");
    let mutants = object["mutants"].as_array().expect("an array");
    assert_eq!(mutants.len(), Mutation::COUNT);
    let missing = &mutants[Mutation::CastlingMissing.index()];
    assert_eq!(missing["name"], "castling-missing");
    assert_eq!(missing["caught_by"]["line"], 3);
    assert_eq!(missing["caught_by"]["expected"], 26);
    assert_eq!(missing["caught_by"]["counted"], 24);
    assert_eq!(missing["caught_by"]["nodes"], 20 + 26);
    let escaped = object["escaped"].as_array().expect("an array");
    let caught = object["caught"].as_u64().expect("a number");
    assert_eq!(caught + escaped.len() as u64, Mutation::COUNT as u64);
}

#[test]
fn csv_has_a_row_for_each_mutant() {
    let text = printed("csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), Mutation::COUNT);
    let missing = &rows[Mutation::CastlingMissing.index()];
    let expected = [
        "castling-missing",
        "Never castles.",
        "castling",
        "agrees.epd",
        "3",
        "",
        "1",
        "46",
        "standard.kiwipete",
        "1",
        "68",
    ];
    assert_eq!(missing.iter().collect::<Vec<_>>(), expected);
}

/// Whatever is broken, every count ends.
#[test]
fn no_mutant_panics() {
    let suites = suites::ALL.iter().flat_map(|suite| suite.parse().entries);
    let positions = suites.map(|entry| *entry.record.position()).collect();
    let positions: Vec<Position> = some(positions, 60);
    let budget = |most| Budget {
        leaves: most,
        made: most,
    };
    Mutation::ALL.into_par_iter().for_each(|mutation| {
        let mut mutant = Mutant::new(Some(mutation));
        for position in &positions {
            mutant.perft_within(position, 2, budget(20_000));
            mutant.perft_within(position, 5, budget(200));
        }
    });
}

fn position(text: &str) -> Position {
    fen::parse(text).expect("legal")
}

/// The answer of a mutant at the end of a route.
fn ask(mutation: Mutation, route: &Route, depth: u32) -> Vec<(MoveMeaning, u64)> {
    let depth = NonZeroU32::new(depth).expect("not 0");
    let mut mutant = Mutant::new(Some(mutation));
    let answer = Subject::perft(&mut mutant, route, depth).expect("a mutant answers");
    let rows = answer.rows.expect("a divide");
    rows.into_iter()
        .map(|row| (row.meaning, row.nodes))
        .collect()
}

#[test]
fn a_mutant_is_a_subject() {
    let castling = Route::by_fen(position("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
    let rows = ask(Mutation::CastlingTwice, &castling, 1);
    let castles = MoveMeaning::Legal(Move::new(Square::E1, Square::H1));
    assert_eq!(rows.iter().filter(|&&(m, _)| m == castles).count(), 2);
    let mated = Route::by_fen(position("4k3/4Q3/3B4/8/8/8/8/7K b - - 0 1"));
    let answer = Subject::perft(
        &mut Mutant::new(Some(Mutation::MateCountsOne)),
        &mated,
        NonZeroU32::MIN,
    );
    let answer = answer.expect("a mutant answers");
    assert_eq!((answer.total, answer.sum()), (Some(1), Some(0)));
    let pinned = Route::by_fen(position("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1"));
    let rows = ask(Mutation::PinsIgnored, &pinned, 1);
    let jump = MoveMeaning::Illegal(Move::new(Square::E2, Square::C3));
    assert!(rows.contains(&(jump, 1)));
}

#[test]
fn a_mutant_of_one_side_is_right_for_the_other() {
    let castles = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let mut white = Mutant::of_side(Mutation::CastlingMissing, Color::White);
    let mut black = Mutant::of_side(Mutation::CastlingMissing, Color::Black);
    assert_eq!(white.perft(&castles, 1), 24);
    assert_eq!(black.perft(&castles, 1), 26);
    assert!(black.perft(&castles, 2) < 568);
}

/// A right that should be lost is gone in the FEN, and there after the moves.
#[test]
fn moves_leave_behind_what_a_fen_does_not() {
    let start = position("r3k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let moves = [
        Move::new(Square::H1, Square::H2),
        Move::new(Square::A8, Square::A7),
        Move::new(Square::H2, Square::H1),
        Move::new(Square::A7, Square::A8),
    ];
    let by_moves = moves
        .into_iter()
        .fold(Route::by_fen(start), |route, m| route.then(m));
    let by_fen = Route::by_fen(*by_moves.position());
    let castles = MoveMeaning::Illegal(Move::new(Square::E1, Square::H1));
    let castles_by = |route| {
        let rows = ask(Mutation::RookMovedKeepsRight, route, 1);
        rows.contains(&(castles, 1))
    };
    assert!(castles_by(&by_moves));
    assert!(!castles_by(&by_fen));
}
