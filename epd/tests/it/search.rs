//! `epd run`: when a search is stopped early, and which of several lines count.

use crate::common::{holds, path_in, place, read};
use crate::run::{check, engine, folder, run, run_on};

/// The engine waits for `stop`; what it replies then does not count.
#[test]
fn searches_are_stopped_once_the_solution_is_stable() {
    let more = "--extra-plies 2 --timeout 5m";
    for (name, format) in [
        ("stop_plies", "human"),
        ("stop_json", "json"),
        ("stop_csv", "csv"),
    ] {
        let more = format!("{more} --format {format}");
        check!(name, run("stop.epd", "stop.txt", &more));
    }
    // Without the rule it is overdue.
    let text = run("stop.epd", "stop.txt", "--timeout 1s");
    holds(&text, &["stopped: bm Ra8#; overdue"]);
}

#[test]
fn an_early_stop_is_resumed_and_compared_as_any_search() {
    let place = place();
    let (journal, base) = (
        path_in(&place, "journal.jsonl"),
        path_in(&place, "base.json"),
    );
    let more = format!("--extra-plies 2 --timeout 5m --resume {journal} --save {base}");
    run("stop.epd", "stop.txt", &more);
    let first = read(&place, "base.json");
    run("stop.epd", "stop.txt", &more);
    assert_eq!(read(&place, "base.json"), first);
    let more = format!("--extra-plies 1 --resume {journal}");
    let says = "limits differs: stored \"nodes 100000, extra plies 2\", now";
    holds(&run("stop.epd", "stop.txt", &more), &[says]);
}

#[test]
fn one_of_the_first_lines_counts() {
    for (name, script, more) in [
        ("top", "top.txt", "--top 2"),
        ("top_json", "top.txt", "--top 2 --format json"),
        ("top_csv", "top.txt", "--top 2 --format csv"),
        // An engine without the option, and more lines than it can print.
        ("top_unknown", "right.txt", "--top 2"),
        ("top_too_many", "top.txt", "--top 6"),
    ] {
        check!(name, run("top.epd", script, more));
    }
    // Only the best move counts without it.
    let text = run("top.epd", "top.txt", "");
    holds(&text, &["OK: 2 of 5 positions solved"]);
}

/// A journal holds all lines.
#[test]
fn lines_are_resumed() {
    let place = place();
    let journal = path_in(&place, "journal.jsonl");
    let engine = engine("top.txt");
    let more = format!("--nodes 9 --top 2 --format csv --resume {journal}");
    let run = || run_on(folder(), "top.epd", &[&engine], &more);
    let first = run();
    assert_eq!(run(), first, "times included");
}
