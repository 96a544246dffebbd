//! `epd lint` and `epd normalise`.

use std::path::Path;

use insta::assert_snapshot;

use crate::common::{read, run_fed, run_words, words, write};

/// The folder of dirty suites.
fn dirty() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dirty"))
}

#[test]
fn outputs() {
    for (name, arguments) in [
        ("lint_dirty", "lint dirty.epd"),
        ("lint_json", "lint dirty.epd --format json"),
        ("lint_csv", "lint dirty.epd --format csv"),
        ("lint_github", "lint dirty.epd --format github"),
        ("lint_built_in", "lint thesis"),
        ("lint_notes", "lint notes.epd"),
        ("lint_strict", "lint --strict notes.epd"),
        ("lint_missing", "lint nonesuch.epd dirty.epd"),
        ("normalise_dirty", "normalise dirty.epd"),
        ("normalise_quiet", "normalise -q dirty.epd"),
        ("normalise_both", "normalise -i dirty.epd -o x"),
        ("normalise_built_in_place", "normalise -i thesis"),
    ] {
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
    let folder = tempfile::tempdir().expect("a folder can be made");
    let folder = folder.path();
    let dirty = "# head\r\n4k3/8/8/8/8/8/8/4K2R w K - bm 0-0\r\n";
    let clean = "# head\n4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n";
    write(folder, "a.epd", dirty);
    write(folder, "crlf.epd", &clean.replace('\n', "\r\n"));
    for command in ["lint a.epd", "lint crlf.epd"] {
        let shown = run_words(folder, command);
        let states = "1 record: 0 in standard form, 1 repairable, 0 in doubt\n";
        assert!(shown.contains(states), "{shown}");
    }
    write(folder, "empty.epd", "");
    let shown = run_words(folder, "lint a.epd empty.epd");
    let expected = "exit 2\n--- stdout\n--- stderr\nerror: empty.epd is empty: a file of 0 bytes\n";
    assert_eq!(shown, expected);
    let shown = run_words(folder, "normalise a.epd -o b.epd");
    let start = "exit 0\n--- stdout\n--- stderr\na.epd:1:7: note: line ends with carriage return";
    assert!(shown.starts_with(start), "{shown}");
    assert_eq!(read(folder, "a.epd"), dirty);
    assert_eq!(read(folder, "b.epd"), clean);
    let shown = run_words(folder, "normalise --in-place a.epd");
    let start = "exit 0\n--- stdout\n--- stderr\na.epd:1:7: ";
    assert!(shown.starts_with(start), "{shown}");
    assert_eq!(read(folder, "a.epd"), clean);
    let shown = run_words(folder, "lint --strict a.epd");
    let expected =
        "exit 0\n--- stdout\n1 record: 1 in standard form, 0 repairable, 0 in doubt\n--- stderr\n";
    assert_eq!(shown, expected);
}

#[cfg(unix)]
#[test]
fn suites_without_end_are_rejected() {
    assert_snapshot!("lint_endless", run_words(dirty(), "lint /dev/zero"));
    let arguments = "run tactics --engine cmd=none --baseline /dev/zero --nodes 1";
    assert_snapshot!("run_endless_baseline", run_words(dirty(), arguments));
}
