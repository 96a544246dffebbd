//! `epd mates` and `epd mates-history`: standard output, standard error, files and exit code.

use std::path::Path;

use crate::common::{self, read, run_in, scripted_engine, words, write};
use crate::run::folder;

/// Compares with the stored snapshot, paths and times left out.
macro_rules! check {
    ($name:expr, $text:expr) => {
        insta::with_settings!({filters => [
            (r"[^\s'\x22;,=]*/examples/", "[examples]/"),
            (r"[^\s'\x22;,=]*/tests/suites/", "[suites]/"),
            (r"[^\s'\x22;,=]*/\.tmp\w+/", "[folder]/"),
            (r"in \d+\.\d\d s\b", "in [time]"),
            (r#"(seconds)": ?[\d.e-]+"#, r#"$1": "[time]""#),
            (r#"time="[\d.]+""#, r#"time="[time]""#),
            (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ", "[date]"),
            (r"\b\d+\.\d{6}\b", "[time]"),
            (r" +\d+\.\d\d\n", " [time]\n"),
            // How many are solved within short times is up to the machine.
            (r"(?m)^(1 ms|10 ms|100 ms) .*\n", ""),
        ]}, {
            insta::assert_snapshot!($name, $text);
        });
    };
}
pub(crate) use check;

/// The command line of the scripted engine, which answers as in a file of the test suites.
pub(crate) fn engine(script: &str) -> String {
    let script = folder().join(script);
    format!(
        "cmd='{}' args='{}' name=scripted",
        scripted_engine(),
        script.display()
    )
}

fn mates_in(folder: &Path, script: &str, more: &str) -> String {
    let (engine, suite) = (engine(script), crate::run::folder().join("mates.epd"));
    let suite = suite.display().to_string();
    let mut arguments = vec!["mates", &suite, "--engine", &engine, "-j", "1"];
    arguments.extend(words(more));
    run_in(folder, &arguments)
}

fn mates(more: &str) -> String {
    mates_in(&folder(), "mates.txt", more)
}

#[test]
fn formats() {
    for format in ["human", "csv", "json", "junit"] {
        let more = format!("--format {format} --fail-on wrong-sign,bad-pv,better");
        check!(format!("mates_{format}"), mates(&more));
    }
}

#[test]
fn policies() {
    let code = |more: &str| mates(more).lines().next().map(str::to_owned);
    for (more, expected) in [
        ("", "exit 1"),
        ("--fail-on none", "exit 0"),
        ("--fail-on missed", "exit 1"),
        ("--fail-on not-best --bm 2..", "exit 0"),
        ("--fail-on none --min-found 6", "exit 0"),
        ("--fail-on none --min-found 7", "exit 1"),
        ("--fail-on none --min-found 75%", "exit 0"),
        ("--fail-on none --min-found 76%", "exit 1"),
        ("--bm 4..", "exit 4"),
    ] {
        assert_eq!(code(more).as_deref(), Some(expected), "{more}");
    }
    check!("mates_min", mates("-q --min-found 7 --fail-on none"));
    check!("mates_nothing", mates("--bm 4.."));
}

/// `--mate 0` asks each record for its own mate; a number without another limit selects records.
#[test]
fn limits() {
    check!(
        "mates_of_each_record",
        mates("--mate 0 --nodes 5000 --fail-on none")
    );
    check!("mates_eligible", mates("--mate 1 --fail-on none"));
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let engine = engine("mates.txt");
    let engine = format!("{engine} dir='{}'", folder.path().display());
    let suite = crate::run::folder().join("mates.epd").display().to_string();
    let run = run_in(
        folder.path(),
        &[
            "mates", &suite, "--engine", &engine, "-j", "1", "-v", "--mate", "0",
        ],
    );
    for go in ["go mate 1", "go mate 2", "go mate 3"] {
        assert!(run.contains(go), "{go}: {run}");
    }
}

#[test]
fn engines_that_fail() {
    let two = engine("mates.txt");
    let suite = folder().join("mates.epd").display().to_string();
    let text = run_in(
        &folder(),
        &[
            "mates",
            &suite,
            "--engine",
            &two,
            "--engine",
            "./nowhere",
            "-j",
            "1",
        ],
    );
    check!("mates_no_engine", text);
    let syzygy = mates("--option SyzygyPath=/tables --fail-on none");
    check!("mates_no_syzygy", syzygy);
}

/// The tables that `scripts/test` puts into `.venv`: a rook wins in 16 moves, not in 2, and is lost by
/// the second move of the PV.
#[cfg(feature = "oracles")]
#[test]
fn tables_contradict_a_mate() {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let suite = "8/8/8/8/8/2k5/1R6/K7 w - - bm #16;\n7k/8/5K2/8/8/8/8/R7 w - - bm #2;\n";
    write(folder.path(), "rooks.epd", suite);
    let script = "id name Scripted 1.0\non startpos\nbestmove e2e4\non 8/8/8/8/8/2k5/1R6/K7\ninfo depth 9 nodes 40 score mate 2 \
                  pv b2b3 c3b3 a1b1\nbestmove b2b3\non 7k/8/5K2/8/8/8/8/R7\ninfo depth 9 nodes 40 \
                  score mate 2 pv f6g6 h8g8 a1a8\nbestmove f6g6\n";
    write(folder.path(), "rooks.txt", script);
    let script = folder.path().join("rooks.txt").display().to_string();
    let engine = format!("cmd='{}' args='{script}' name=scripted", scripted_engine());
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../.venv/syzygy");
    let mut arguments = vec!["mates", "rooks.epd", "--engine", &engine, "-j", "1"];
    arguments.extend(["--fail-on", "tables", "--syzygy", tables]);
    let text = run_in(folder.path(), &arguments);
    assert!(text.starts_with("exit 1\n"), "{text}");
    for part in [
        "  tables     rooks.epd:1: mate in 2 announced, but by the tables the next capture, pawn move or \
         mate is 31 plies away; PV: Rb3+ Kxb3 Kb1\n",
        "bad PVs  tables  depth",
        "FAIL: 1 of 2 positions with a mate that the tables contradict",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(text.matches("  tables     ").count(), 1, "{text}");
}

#[test]
fn known_results_that_cannot_be_read() {
    for (more, expected) in [
        (
            "--syzygy no-such-folder",
            "error: --syzygy: cannot read the folder of endgame tables no-such-folder: ",
        ),
        ("--secondary no-such-file", "no-such-file"),
        ("--secondary mates.txt", "error: --secondary: mates.txt:1: "),
    ] {
        let text = mates(more);
        let (head, errors) = text.split_once("--- stderr\n").expect("both streams");
        assert_eq!(head, "exit 2\n--- stdout\n", "{text}");
        assert!(errors.contains(expected), "{text}");
    }
}

#[test]
fn files_are_checked_first_and_written() {
    for option in ["--output", "--history"] {
        let text = mates(&format!("{option} no-such-folder/x"));
        assert!(
            text.starts_with("exit 2\n--- stdout\n--- stderr\n"),
            "{text}"
        );
    }
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    for _ in 0..2 {
        let more = "--history mates.jsonl -o missed.epd --fail-on none -q";
        mates_in(folder.path(), "mates.txt", more);
    }
    check!("mates_missed", read(folder.path(), "missed.epd"));
    check!("mates_history_lines", read(folder.path(), "mates.jsonl"));
}

/// Lines of two versions, and one with another limit.
const HISTORY: &str = r#"{"schema":"touchstone/epd-mates-history/1","date":"2026-11-01 10:00:00Z","engine":"./old","name":"Engine 1","suites":["mates.epd"],"limits":"nodes 1000","positions":8,"found":5,"best":4,"proved":4,"better":0,"wrong_sign":0,"bad_pvs":2,"nodes":7000,"search_seconds":0.5}
{"schema":"touchstone/epd-mates-history/1","date":"2026-11-02 10:00:00Z","engine":"./old","name":"Engine 1","suites":["mates.epd"],"limits":"nodes 9000","positions":8,"found":7,"best":7,"proved":7,"better":0,"wrong_sign":0,"bad_pvs":0,"nodes":9000,"search_seconds":0.5}
{"schema":"touchstone/epd-mates-history/1","date":"2026-11-03 10:00:00Z","engine":"./new <b>","name":null,"suites":["mates.epd"],"limits":"nodes 1000","positions":8,"found":6,"best":4,"proved":5,"better":0,"wrong_sign":1,"bad_pvs":1,"nodes":7100,"search_seconds":0.5}
"#;

#[test]
fn histories_are_printed_and_plotted() {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let run = |arguments: &str| common::run_words(folder.path(), arguments);
    write(folder.path(), "mates.jsonl", HISTORY);
    write(folder.path(), "empty.jsonl", "\n");
    write(folder.path(), "bad.jsonl", "{\"schema\":1}\n");
    check!("mates_history", run("mates-history mates.jsonl"));
    check!("mates_history_empty", run("mates-history empty.jsonl"));
    check!("mates_history_bad", run("mates-history bad.jsonl"));
    check!(
        "mates_history_format",
        run("mates-history mates.jsonl -o x.png")
    );
    for (file, expected) in [
        (
            "mates.svg",
            ["mates.epd: 8 positions, nodes 1000", "Engine 1"],
        ),
        (
            "mates.html",
            ["./new &#60;b&#62;", "mates.epd: 8 positions, nodes 9000"],
        ),
    ] {
        let text = run(&format!("mates-history mates.jsonl -o {file}"));
        assert_eq!(text, "exit 0\n--- stdout\n--- stderr\n");
        let written = read(folder.path(), file);
        for part in expected {
            assert!(written.contains(part), "{part}: {written}");
        }
        assert!(!written.contains("<b>"), "{written}");
    }
}

/// A cancelled run is reported, but is no result of a version.
#[cfg(target_os = "linux")]
#[test]
fn interrupts() {
    let place = tempfile::tempdir().expect("there is a place for temporary files");
    let history = place.path().join("mates.jsonl");
    // It never answers: the run is not over by itself.
    let engine = format!("'{}' --hang", common::scripted_engine());
    let suite = folder().join("mates.epd");
    let (suite, file) = (suite.display().to_string(), history.display().to_string());
    let arguments = [
        "mates",
        &suite,
        "--engine",
        &engine,
        "-j",
        "1",
        "--history",
        &file,
    ];
    let text = common::interrupted(&folder(), &arguments);
    assert!(text.starts_with("exit 130\n"), "{text}");
    assert!(!history.exists(), "{text}");
}
