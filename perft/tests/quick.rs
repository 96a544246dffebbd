//! What `perft check quick --engine` finds besides the mutants: an engine is brought to positions by
//! moves there, too.
#![cfg(unix)]

mod common;

use serde_json::Value;

/// The report about the test engine with these flags.
fn report(flags: &str) -> Value {
    let test = std::env::current_exe().expect("a test has a path");
    let folder = test.ancestors().nth(2).expect("target/debug/deps/test");
    let path = folder.join("examples/scripted_engine");
    let engine = format!("{} {flags}", path.display());
    let arguments = ["check", "quick", "--engine", &engine, "--format", "json"];
    let text = common::run(&arguments);
    let (_, stdout) = text.split_once("--- stdout\n").expect("standard output");
    let (stdout, _) = stdout.split_once("--- stderr\n").expect("standard error");
    serde_json::from_str(stdout).expect("JSON")
}

/// The verdict, and the suites with positions that failed.
fn verdict(flags: &str) -> (String, Vec<String>) {
    let report = report(flags);
    let engine = &report["engines"][0];
    let positions = engine["positions"].as_array().expect("positions");
    let failed = positions.iter().filter(|one| one["state"] != "right");
    let mut suites: Vec<String> = failed
        .map(|one| one["suite"].as_str().expect("a name").to_owned())
        .collect();
    suites.dedup();
    (
        engine["verdict"].as_str().expect("a word").to_owned(),
        suites,
    )
}

#[test]
fn a_sound_engine_is_right() {
    assert_eq!(verdict(""), ("right".to_owned(), Vec::new()));
}

#[test]
fn a_repetition_is_no_end_of_the_moves() {
    for times in 2..=5 {
        let (verdict, suites) = verdict(&format!("--repetition-ends {times}"));
        assert_eq!(verdict, "wrong", "{times} times");
        assert!(suites.contains(&"by-moves".to_owned()), "{times} times");
    }
}

#[test]
fn a_rook_may_go_where_a_castling_king_goes() {
    let (verdict, suites) = verdict("--castling-by-text");
    assert_eq!(
        (verdict.as_str(), suites),
        ("wrong", vec!["by-moves".to_owned()])
    );
}

#[test]
fn games_are_longer_than_256_plies() {
    let (verdict, suites) = verdict("--most-plies 256");
    assert_eq!(
        (verdict.as_str(), suites),
        ("failed", vec!["by-moves".to_owned()])
    );
}

#[test]
fn the_clock_is_put_to_the_engine() {
    for name in ["fifty-moves-end-game", "seventy-five-moves-end-game-late"] {
        let (verdict, _) = verdict(&format!("--mutation {name}"));
        assert_eq!(verdict, "wrong", "{name}");
    }
}
