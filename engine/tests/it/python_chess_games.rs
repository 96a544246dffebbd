//! Whole games of `touchstone` with python-chess as the arbiter, by `tests/games.py`: standard chess
//! and Chess960, limits of every kind, and fast games while every CPU is busy.
//!
//! `scripts/test` installs python-chess and Stockfish and switches on the feature `oracles`.

use std::process::Command;

use testkit::scale;

/// Runs `games.py` on `touchstone`.
#[expect(clippy::disallowed_methods, reason = "the judge is another program")]
fn judge(games: u64, arguments: &[&str]) {
    let status = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.venv/bin/python"))
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/games.py"))
        .arg(env!("CARGO_BIN_EXE_touchstone"))
        .args(["--games", &games.to_string()])
        .args(arguments)
        .status()
        .expect("scripts/test installs python-chess into .venv");
    assert!(status.success(), "games.py has found faults: {status}");
}

#[test]
fn python_chess_finds_no_fault_in_games() {
    judge(scale(4, 48), &["--opponent", "stockfish"]);
}

#[test]
#[ignore = "long: no clock runs out in fast games while every CPU is busy"]
fn no_clock_runs_out_on_a_busy_machine() {
    judge(10, &["--stress"]);
}
