//! `epd run` on puzzles of several moves.

use std::path::Path;

use crate::common::{self, read, scripted_engine, words};
use crate::run::{check, folder, run_on};

/// An engine that plays a mate in one, or else the first legal move.
fn run(suites: &str, more: &str) -> String {
    let engine = format!("'{}' --first-move", scripted_engine());
    run_on(
        &folder(),
        suites,
        &[&engine],
        &format!("--nodes 1000 -j 1 {more}"),
    )
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
    let text = run("puzzles.csv", "--sample 4");
    assert!(text.contains("a random sample of 4 puzzles\n"), "{text}");
    for (name, more) in [
        ("puzzles_none", "--theme noSuchTheme"),
        ("puzzles_bad_range", "--puzzle-rating 2000..1000"),
    ] {
        check!(name, run("puzzles.csv", more));
    }
}

#[test]
fn rows_that_cannot_be_read() {
    check!("puzzles_broken", run("puzzles_broken.csv", ""));
    let text = run("puzzles_broken.csv", "--skip-bad");
    assert!(text.starts_with("exit 0\n"), "{text}");
}

#[test]
fn standard_input_is_recognised() {
    let text = read(&folder(), "puzzles.csv");
    let engine = format!("'{}' --first-move", scripted_engine());
    let mut arguments = vec!["run", "-", "--engine", &engine];
    arguments.extend(words("--nodes 1000 -j 1 --sample 4"));
    let text = common::run_fed(&folder(), &arguments, &text);
    assert!(text.contains(" of 4 puzzles solved, "), "{text}");
    let suite = read(&folder(), "limits.epd");
    // A suite has no puzzles to select.
    let text = common::run_fed(&folder(), &arguments, &suite);
    assert!(text.starts_with("exit 2\n"), "{text}");
    arguments.truncate(arguments.len() - 2);
    let text = common::run_fed(&folder(), &arguments, &suite);
    assert!(text.contains(" of 2 positions solved"), "{text}");
}

/// Baselines, records and journals have a puzzle as one position.
#[test]
fn files_hold_puzzles_as_positions() {
    let place = tempfile::tempdir().expect("a folder");
    let path = |name: &str| place.path().join(name).display().to_string();
    let (base, records, journal) = (path("base.json"), path("found.epd"), path("journal.jsonl"));
    let more = format!("--save {base} -o {records} --resume {journal}");
    let first = run("puzzles.csv", &more);
    check!("puzzles_records", read(place.path(), "found.epd"));
    check!("puzzles_baseline", read(place.path(), "base.json"));
    let renew = format!(
        "--baseline {base} --update-baseline -o {records} --resume {journal} --fail-on worse"
    );
    let again = run("puzzles.csv", &renew);
    assert!(
        first.starts_with("exit 0\n") && again.starts_with("exit 0\n"),
        "{again}"
    );
    assert!(
        again.contains("of 12 positions 4 were solved then, 4 are now"),
        "{again}"
    );
    assert_eq!(resumed(&journal), 12, "each is one line");
    // The records are a suite of first moves.
    let text = run(&records, "");
    assert!(text.contains(" of 12 positions solved"), "{text}");
    // Another sample is another run.
    let text = run("puzzles.csv", &format!("--sample 5 --resume {journal}"));
    let differs = "suites[0].positions differs: stored 12, now 5";
    assert!(text.contains(differs), "{text}");
}

/// Number of finished searches in a journal.
fn resumed(journal: &str) -> usize {
    let path = Path::new(journal);
    let folder = path.parent().expect("it is in one");
    read(folder, "journal.jsonl").matches("{\"result\"").count()
}

/// Stockfish, whose solutions nobody doubts.
#[cfg(feature = "oracles")]
#[test]
fn stockfish_solves_all() {
    let more = "--depth 12 --fail-on unsolved,illegal-pv";
    let text = run_on(&folder(), "puzzles.csv", &["stockfish"], more);
    let expected = "12 of 12 puzzles solved, 24 of 24 moves found; puzzle rating above ";
    assert!(
        text.starts_with("exit 0\n") && text.contains(expected),
        "{text}"
    );
}
