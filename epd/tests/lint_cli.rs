//! `epd lint` and `epd normalise` as their users see them.
#![expect(clippy::disallowed_methods, reason = "files are made and looked at")]

mod common;

use std::path::Path;

use common::run_fed;

/// The folder of dirty suites.
fn dirty() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dirty"))
}

fn run(arguments: &[&str]) -> String {
    run_fed(dirty(), arguments, "")
}

#[test]
fn lint() {
    insta::assert_snapshot!("lint_dirty", run(&["lint", "dirty.epd"]));
    insta::assert_snapshot!("lint_json", run(&["lint", "dirty.epd", "--format", "json"]));
    insta::assert_snapshot!("lint_csv", run(&["lint", "dirty.epd", "--format", "csv"]));
    let github = run(&["lint", "dirty.epd", "--format", "github"]);
    insta::assert_snapshot!("lint_github", github);
    insta::assert_snapshot!("lint_built_in", run(&["lint", "thesis"]));
    insta::assert_snapshot!("lint_notes", run(&["lint", "notes.epd"]));
    let strict = run(&["lint", "--strict", "notes.epd"]);
    insta::assert_snapshot!("lint_strict", strict);
    insta::assert_snapshot!("lint_missing", run(&["lint", "nonesuch.epd", "dirty.epd"]));
    let comments = run_fed(dirty(), &["lint"], "# nothing\n\n");
    insta::assert_snapshot!("lint_nothing", comments);
}

/// A file with the same small fault on each line gives one note of it.
#[test]
fn lint_sums_up() {
    let line = |ply: usize| format!("4k3/8/8/8/8/8/{ply}P{}/4K3 w - -  bm Kd1\n", 7 - ply);
    let text: String = (1..6).map(line).collect();
    let lint = |more: &[&str]| run_fed(dirty(), &[&["lint", "-"], more].concat(), &text);
    insta::assert_snapshot!("lint_summed_up", lint(&[]));
    insta::assert_snapshot!("lint_quiet", lint(&["--quiet"]));
    insta::assert_snapshot!("lint_max", lint(&["--max-diagnostics", "2"]));
    insta::assert_snapshot!(
        "lint_max_github",
        lint(&["--max-diagnostics", "2", "--format", "github"])
    );
    let both = lint(&["--quiet", "--max-diagnostics", "2"]);
    assert!(both.starts_with("exit 2\n"), "{both}");
    // Programs get all, and people who ask for all.
    for more in [&["--format", "csv"][..], &["--strict"]] {
        let text = lint(more);
        assert_eq!(text.matches("blanks, expected one").count(), 5, "{text}");
    }
}

#[test]
fn normalise() {
    insta::assert_snapshot!("normalise_dirty", run(&["normalise", "dirty.epd"]));
    insta::assert_snapshot!("normalise_quiet", run(&["normalise", "-q", "dirty.epd"]));
    let clean = run_fed(
        dirty(),
        &["normalise", "-"],
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n",
    );
    insta::assert_snapshot!("normalise_stdin", clean);
    let both = run(&["normalise", "-i", "dirty.epd", "-o", "x"]);
    insta::assert_snapshot!("normalise_both", both);
    insta::assert_snapshot!(
        "normalise_built_in_place",
        run(&["normalise", "-i", "thesis"])
    );
}

#[test]
fn files_are_replaced() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("it is there");
    let dirty = "# head\r\n4k3/8/8/8/8/8/8/4K2R w K - bm 0-0\r\n";
    let clean = "# head\n4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n";
    std::fs::write(folder.path().join("a.epd"), dirty).expect("it can be written");
    let said = run_fed(
        folder.path(),
        &["normalise", "a.epd", "-o", "b.epd", "--report", "r"],
        "",
    );
    assert_eq!(said, "exit 0\n--- stdout\n--- stderr\n");
    assert_eq!(
        (read("a.epd").as_str(), read("b.epd").as_str()),
        (dirty, clean)
    );
    assert!(read("r").starts_with("a.epd:1:7: note: line ends with carriage return"));
    let said = run_fed(folder.path(), &["normalise", "--in-place", "a.epd"], "");
    assert!(
        said.starts_with("exit 0\n--- stdout\n--- stderr\na.epd:1:7: "),
        "{said}"
    );
    assert_eq!(read("a.epd"), clean);
    let said = run_fed(folder.path(), &["lint", "--strict", "a.epd"], "");
    let expected =
        "exit 0\n--- stdout\n1 record: 1 in standard form, 0 repairable, 0 in doubt\n--- stderr\n";
    assert_eq!(said, expected);
}

#[cfg(unix)]
#[test]
fn a_suite_without_end_is_refused() {
    insta::assert_snapshot!("lint_endless", run(&["lint", "/dev/zero"]));
    let arguments = "run tactics --engine cmd=none --baseline /dev/zero --nodes 1";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    insta::assert_snapshot!("run_endless_baseline", run(&arguments));
}
