//! Whole games of `touchstone` with python-chess as the arbiter, by `games.py` beside this file:
//! standard chess and Chess960, limits of every kind, and fast games while every CPU is busy.
//!
//! `scripts/test` installs python-chess and Stockfish and switches on the feature `oracles`.
//! `TOUCHSTONE_GAMES` sets how many games are played, 50 when it is not set, and
//! `TOUCHSTONE_STRESS_GAMES` how many on the busy machine, 10 when it is not set.

use std::process::Command;
use std::sync::{Mutex, PoisonError};

use testkit::setting;

/// The busy machine is for one test only.
static MACHINE: Mutex<()> = Mutex::new(());

/// Runs `games.py` on `touchstone`. It ends by itself, at its deadline at the latest.
#[expect(clippy::disallowed_methods, reason = "the judge is another program")]
fn judge(games: u64, arguments: &[&str]) {
    let _turn = MACHINE.lock().unwrap_or_else(PoisonError::into_inner);
    // A game on the clock takes a few seconds; this is ten times as much.
    let deadline = 60 + 40 * games;
    let status = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.venv/bin/python"))
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/games.py"))
        .arg(env!("CARGO_BIN_EXE_touchstone"))
        .args(["--games", &games.to_string()])
        .args(["--deadline", &deadline.to_string()])
        .args(arguments)
        .status()
        .expect("scripts/test installs python-chess into .venv");
    assert!(status.success(), "games.py has found faults: {status}");
}

#[test]
fn python_chess_finds_no_fault_in_games() {
    judge(
        setting("TOUCHSTONE_GAMES", 50),
        &["--opponent", "stockfish"],
    );
}

#[test]
fn no_clock_runs_out_on_a_busy_machine() {
    judge(setting("TOUCHSTONE_STRESS_GAMES", 10), &["--stress"]);
}
