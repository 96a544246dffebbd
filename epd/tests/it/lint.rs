//! `epd lint` and `epd normalise`.

use std::path::Path;

use insta::assert_snapshot;

use crate::common::{ends, fails, holds, place, read, run_fed, run_words, words, write};
use crate::rows::rows;

/// The folder of dirty suites.
fn dirty() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dirty"))
}

#[test]
fn outputs() {
    let table = "
lint_dirty | lint dirty.epd
lint_json | lint dirty.epd --format json
lint_csv | lint dirty.epd --format csv
lint_github | lint dirty.epd --format github
lint_built_in | lint thesis
lint_notes | lint notes.epd
lint_strict | lint --strict notes.epd
lint_missing | lint nonesuch.epd dirty.epd
normalise_dirty | normalise dirty.epd
normalise_quiet | normalise -q dirty.epd
normalise_both | normalise -i dirty.epd -o x
normalise_built_in_place | normalise -i thesis";
    for [name, arguments] in rows(table) {
        assert_snapshot!(name, run_words(dirty(), arguments));
    }
    let line = "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n";
    for (name, command, text) in [
        ("lint_nothing", "lint", "# nothing\n\n"),
        ("normalise_stdin", "normalise", line),
    ] {
        assert_snapshot!(name, run_fed(dirty(), &[command], text));
    }
}

/// A file with the same small fault on each line gives one note.
#[test]
fn notes_of_a_kind_are_summed_up() {
    let line = |ply: usize| format!("4k3/8/8/8/8/8/{ply}P{}/4K3 w - -  bm Kd1\n", 7 - ply);
    let text: String = (1..6).map(line).collect();
    let lint = |more: &str| run_fed(dirty(), &words(&format!("lint - {more}")), &text);
    assert_snapshot!("lint_summed_up", lint(""));
    assert_snapshot!("lint_quiet", lint("--quiet"));
    // CSV has all, and so has --strict.
    for more in ["--format csv", "--strict"] {
        let text = lint(more);
        assert_eq!(text.matches("blanks, expected one").count(), 5, "{text}");
    }
}

#[test]
fn files_are_replaced() {
    let place = place();
    let run = |arguments: &str| run_words(&place, arguments);
    let dirty = "# head\r\n4k3/8/8/8/8/8/8/4K2R w K - bm 0-0\r\n";
    let clean = "# head\n4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n";
    write(&place, "a.epd", dirty);
    write(&place, "crlf.epd", &clean.replace('\n', "\r\n"));
    for command in ["lint a.epd", "lint crlf.epd"] {
        let states = "1 record: 0 in standard form, 1 repairable, 0 in doubt\n";
        holds(&run(command), &[states]);
    }
    write(&place, "empty.epd", "");
    let empty = "error: empty.epd is empty: a file of 0 bytes\n";
    fails(&run("lint a.epd empty.epd"), 2, empty);
    let note = "--- stdout\n--- stderr\na.epd:1:7: note: line ends with carriage return";
    ends(&run("normalise a.epd -o b.epd"), 0, &[note]);
    assert_eq!(read(&place, "a.epd"), dirty);
    assert_eq!(read(&place, "b.epd"), clean);
    ends(&run("normalise --in-place a.epd"), 0, &[note]);
    assert_eq!(read(&place, "a.epd"), clean);
    let states = "--- stdout\n1 record: 1 in standard form, 0 repairable, 0 in doubt\n--- stderr\n";
    ends(&run("lint --strict a.epd"), 0, &[states]);
}

#[cfg(unix)]
#[test]
fn baselines_without_end_are_rejected() {
    let arguments = "run tactics --engine cmd=none --baseline /dev/zero --nodes 1";
    assert_snapshot!("run_endless_baseline", run_words(dirty(), arguments));
}
