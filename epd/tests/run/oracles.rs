//! A suite on Stockfish, whose solutions nobody doubts.

use crate::program::{self, epd_in, folder};

const NODES: [&str; 6] = [
    "run",
    "tactics.epd",
    "--engine",
    "stockfish",
    "--nodes",
    "20000",
];

fn stockfish(more: &[&str]) -> String {
    epd_in(&folder(), &[&NODES[..], more].concat())
}

#[test]
fn stockfish_solves_all() {
    let text = stockfish(&["--fail-on", "unsolved,illegal-pv"]);
    assert!(text.starts_with("exit 0\n"), "{text}");
    assert!(text.contains("OK: 8 of 8 positions solved"), "{text}");
    assert!(text.contains("20 of 20"), "all points: {text}");
}

/// With limits of nodes nothing depends on the clock or on how many processes there are.
#[test]
fn a_baseline_of_nodes_is_met_to_the_node() {
    let place = tempfile::tempdir().expect("a folder");
    let path = |name: &str| place.path().join(name).display().to_string();
    let (one, two) = (path("one.json"), path("two.json"));
    stockfish(&["--jobs", "1", "--save", &one]);
    let text = stockfish(&[
        "--jobs",
        "2",
        "--save",
        &two,
        "--baseline",
        &one,
        "--factor",
        "1",
        "--fail-on",
        "newly-failed,slower,missing",
    ]);
    assert!(text.starts_with("exit 0\n"), "{text}");
    let without_times = |path: &str| {
        let text = program::read(path.as_ref());
        let lines = text.lines().filter(|line| !line.contains("\"ms\""));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(without_times(&one), without_times(&two));
}
