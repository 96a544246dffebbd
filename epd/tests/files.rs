//! The tools for files, as their users see them: output and exit codes.
#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "files are written and read")]

mod common;

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use common::{check, command, run};

#[test]
fn stats() {
    check!("stats", ["stats", "small.epd", "more.epd"]);
    check!("stats_json", ["stats", "small.epd", "--format", "json"]);
    check!("stats_bad", ["stats", "bad.epd"]);
    check!(
        "stats_skip_bad",
        ["stats", "bad.epd", "--skip-bad", "--format", "json"]
    );
    check!("stats_no_file", ["stats", "nowhere.epd"]);
}

#[test]
fn dedupe() {
    check!("dedupe", ["dedupe", "small.epd", "more.epd"]);
    check!(
        "dedupe_first",
        ["dedupe", "small.epd", "more.epd", "--duplicates", "first"]
    );
}

#[test]
fn filter() {
    check!(
        "filter_has",
        ["filter", "small.epd", "--has", "bm", "--phase", "endgame"]
    );
    check!(
        "filter_number",
        ["filter", "small.epd", "--number", "acd=..20"]
    );
    check!(
        "filter_invert",
        ["filter", "small.epd", "--tag", "ending", "--invert"]
    );
    check!("filter_nothing", ["filter", "small.epd", "--pieces", "..2"]);
    check!(
        "filter_bad_range",
        ["filter", "small.epd", "--pieces", "2-6"]
    );
}

#[test]
fn merge() {
    let keep = ["--duplicates", "keep", "--unique-ids"];
    check!("merge", ["merge", "small.epd", "more.epd"]);
    check!(
        "merge_unique_ids",
        [&["merge", "small.epd", "more.epd"][..], &keep].concat()
    );
}

#[test]
fn from_pgn() {
    check!(
        "from_pgn_ply",
        [
            "from-pgn",
            "games.pgn",
            "--ply",
            "8",
            "--unique",
            "--clocks"
        ]
    );
    check!(
        "from_pgn_quiet",
        ["from-pgn", "games.pgn", "--quiet", "--id", "--result"]
    );
    check!("from_pgn_late", ["from-pgn", "games.pgn", "--ply", "40"]);
    check!("from_pgn_bad", ["from-pgn", "bad.pgn", "--ply", "4"]);
    check!(
        "from_pgn_skip_bad",
        ["from-pgn", "bad.pgn", "--ply", "4", "--skip-bad"]
    );
}

/// The text of a file of the test data.
fn data(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name);
    std::fs::read_to_string(path).expect("the data can be read")
}

#[test]
fn split_writes_parts_that_merge_to_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("small.epd");
    std::fs::write(&file, data("small.epd")).unwrap();
    let run = |arguments: &[&str]| common::run_in(folder.path(), arguments);
    check!("split_parts", text run(&["split", "small.epd", "--parts", "3", "-o", "part-{}.epd"]));
    let parts = ["part-1.epd", "part-2.epd", "part-3.epd"];
    let text: String = parts
        .iter()
        .map(|part| std::fs::read_to_string(folder.path().join(part)).unwrap())
        .collect();
    assert_eq!(
        text.replace("# Four positions.\n\n", ""),
        data("small.epd").replace("# Four positions.\n\n", "")
    );
    check!("split_tag", text run(&["split", "small.epd", "--by", "tag", "-o", "tag-{}.epd"]));
    check!("split_no_braces", text run(&["split", "small.epd", "--by", "tag", "-o", "tag.epd"]));
    std::fs::write(folder.path().join("1.epd"), data("small.epd")).unwrap();
    check!("split_over_input", text run(&["split", "1.epd", "--parts", "1", "-o", "{}.epd"]));
}

#[test]
fn standard_input_and_a_file_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("all.epd");
    let mut child = command(folder.path(), &["merge", "-", "-o", "all.epd"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(data("small.epd").as_bytes())
        .unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), data("small.epd"));
    let status = command(
        folder.path(),
        &["filter", "all.epd", "--tag", "check", "-o", "all.epd"],
    )
    .status();
    assert!(status.unwrap().success());
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(
        text.lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty())
            .count(),
        1
    );
}

/// What cannot be written is found before anything is read, not after the work.
#[test]
fn outputs_are_checked_first() {
    let rows: [&[&str]; 7] = [
        &["filter", "no-such.epd", "-o"],
        &["dedupe", "no-such.epd", "-o"],
        &["merge", "no-such.epd", "-o"],
        &["normalise", "no-such.epd", "-o"],
        &["from-pgn", "no-such.pgn", "--ply", "1", "-o"],
        &["eval", "dump", "no-such.epd", "--engine", "none", "-o"],
        &["eval", "check", "no-such.epd", "--engine", "none", "-o"],
    ];
    for arguments in rows {
        let text = run(&[arguments, &["no-such-folder/x"]].concat());
        let expected = "exit 2\n--- stdout\n--- stderr\nerror: cannot write no-such-folder/x: ";
        assert!(text.starts_with(expected), "{arguments:?}: {text}");
    }
}
