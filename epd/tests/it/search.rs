//! `epd run`: when a search is stopped early, and which of several lines count.

use crate::common::read;
use crate::run::{check, engine, folder, run, run_on};

/// The engine waits for `stop`; what it replies then does not count.
#[test]
fn searches_are_stopped_once_the_solution_is_stable() {
    let more = "--extra-plies 2 --timeout 5m";
    check!("stop_plies", run("stop.epd", "stop.txt", more));
    for format in ["json", "csv"] {
        let more = format!("{more} --format {format}");
        check!(format!("stop_{format}"), run("stop.epd", "stop.txt", &more));
    }
    // Without the rule it is overdue.
    let text = run("stop.epd", "stop.txt", "--timeout 1s");
    assert!(text.contains("stopped: bm Ra8#; overdue"), "{text}");
}

#[test]
fn an_early_stop_is_resumed_and_compared_as_any_search() {
    let place = tempfile::tempdir().expect("a folder");
    let path = |name: &str| place.path().join(name).display().to_string();
    let (journal, base) = (path("journal.jsonl"), path("base.json"));
    let more = format!("--extra-plies 2 --timeout 5m --resume {journal} --save {base}");
    run("stop.epd", "stop.txt", &more);
    let first = read(place.path(), "base.json");
    run("stop.epd", "stop.txt", &more);
    assert_eq!(read(place.path(), "base.json"), first);
    let other = run(
        "stop.epd",
        "stop.txt",
        &format!("--extra-plies 1 --resume {journal}"),
    );
    assert!(
        other.contains("limits differs: stored \"nodes 100000, extra plies 2\", now"),
        "{other}"
    );
}

#[test]
fn one_of_the_first_lines_counts() {
    check!("top", run("top.epd", "top.txt", "--top 2"));
    for format in ["json", "csv"] {
        let more = format!("--top 2 --format {format}");
        check!(format!("top_{format}"), run("top.epd", "top.txt", &more));
    }
    // Only the best move counts without it.
    let text = run("top.epd", "top.txt", "");
    assert!(text.contains("OK: 2 of 5 positions solved"), "{text}");
    // An engine without the option, and more lines than it can print.
    check!("top_unknown", run("top.epd", "right.txt", "--top 2"));
    check!("top_too_many", run("top.epd", "top.txt", "--top 6"));
}

/// A journal holds all lines.
#[test]
fn lines_are_resumed() {
    let place = tempfile::tempdir().expect("a folder");
    let journal = place.path().join("journal.jsonl").display().to_string();
    let engine = engine("top.txt");
    let run = || {
        let more = format!("--nodes 9 --top 2 --format csv --resume {journal}");
        run_on(&folder(), "top.epd", &[&engine], &more)
    };
    let first = run();
    assert_eq!(run(), first, "times included");
}
