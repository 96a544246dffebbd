//! `epd run` on puzzles of several moves.

use crate::common::{self, ends, holds, path_in, place, read, scripted_engine, words};
use crate::run::{check, folder, run_on};

/// An engine that plays a mate in one, or else the first legal move.
fn engine() -> String {
    format!("'{}' --first-move", scripted_engine())
}

fn run(suites: &str, more: &str) -> String {
    let more = format!("--nodes 1000 -j 1 {more}");
    run_on(folder(), suites, &[&engine()], &more)
}

#[test]
fn every_move_is_searched_and_counts() {
    for format in ["human", "csv", "json", "junit"] {
        let text = run("puzzles.csv", &format!("--format {format}"));
        check!(format!("puzzles_{format}"), text);
    }
    // Beside a suite of records.
    check!("puzzles_and_records", run("puzzles.csv all.epd", ""));
}

#[test]
fn puzzles_are_selected() {
    let solved = |more: &str| {
        let text = run("puzzles.csv", more);
        let line = text.lines().find(|line| line.contains("puzzles solved, "));
        let line = line.unwrap_or(&text).to_owned();
        line.split("': ").last().unwrap_or(&line).to_owned()
    };
    let rows = [
        "--theme mateIn1",
        "--theme mateIn1,mateIn2",
        "--theme endgame --puzzle-rating 1500..",
        "--puzzle-rating ..1000",
        "--sample 99",
    ];
    let rows = rows.map(|more| format!("{more}: {}", solved(more)));
    check!("puzzles_selected", rows.join("\n"));
    let ids = || {
        let text = run("puzzles.csv", "--sample 4 --format csv");
        let rows = text.lines().filter_map(|line| line.split(',').nth(3));
        rows.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(ids(), ids());
    let sample = "a random sample of 4 puzzles\n";
    holds(&run("puzzles.csv", "--sample 4"), &[sample]);
    check!("puzzles_none", run("puzzles.csv", "--theme noSuchTheme"));
    let turned = run("puzzles.csv", "--puzzle-rating 2000..1000");
    check!("puzzles_bad_range", turned);
}

#[test]
fn rows_that_cannot_be_read() {
    check!("puzzles_broken", run("puzzles_broken.csv", ""));
    ends(&run("puzzles_broken.csv", "--skip-bad"), 0, &[]);
}

#[test]
fn standard_input_is_recognised() {
    let engine = engine();
    let run = |file: &str, more: &str| {
        let mut arguments = vec!["run", "-", "--engine", &engine];
        arguments.extend(words("--nodes 1000 -j 1"));
        arguments.extend(words(more));
        common::run_fed(folder(), &arguments, &read(folder(), file))
    };
    let puzzles = run("puzzles.csv", "--sample 4");
    holds(&puzzles, &[" of 4 puzzles solved, "]);
    // A suite has no puzzles to select.
    ends(&run("limits.epd", "--sample 4"), 2, &[]);
    holds(&run("limits.epd", ""), &[" of 2 positions solved"]);
}

/// Baselines, records and journals have a puzzle as one position.
#[test]
fn files_hold_puzzles_as_positions() {
    let place = place();
    let path = |name: &str| path_in(&place, name);
    let (base, records, journal) = (path("base.json"), path("found.epd"), path("journal.jsonl"));
    let more = format!("--save {base} -o {records} --resume {journal}");
    ends(&run("puzzles.csv", &more), 0, &[]);
    check!("puzzles_records", read(&place, "found.epd"));
    check!("puzzles_baseline", read(&place, "base.json"));
    let renew = format!(
        "--baseline {base} --update-baseline -o {records} --resume {journal} --fail-on worse"
    );
    let same = "of 12 positions 4 were solved then, 4 are now";
    ends(&run("puzzles.csv", &renew), 0, &[same]);
    let searches = read(&place, "journal.jsonl");
    assert_eq!(
        searches.matches("{\"result\"").count(),
        12,
        "each is one line"
    );
    // The records are a suite of first moves.
    holds(&run(&records, ""), &[" of 12 positions solved"]);
    // Another sample is another run.
    let text = run("puzzles.csv", &format!("--sample 5 --resume {journal}"));
    holds(&text, &["suites[0].positions differs: stored 12, now 5"]);
}

/// Stockfish, whose solutions nobody doubts.
#[cfg(feature = "oracles")]
#[test]
fn stockfish_solves_all() {
    let more = "--depth 12 --fail-on unsolved,illegal-pv";
    let text = run_on(folder(), "puzzles.csv", &["stockfish"], more);
    let expected = "12 of 12 puzzles solved, 24 of 24 moves found; puzzle rating above ";
    ends(&text, 0, &[expected]);
}
