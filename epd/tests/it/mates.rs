//! `epd mates` and `epd mates-history`: standard output, standard error, files and exit code.

use std::path::Path;

use crate::common::{
    self, ends, fails, holds, path_in, place, read, run_in, scripted_engine, words, write,
};
use crate::run::folder;

/// Dates, and times without a unit that the other filters know.
pub(crate) const TIMES: [(&str, &str); 3] = [
    (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ", "[date]"),
    (r" +\d+\.\d\d\n", " [time]\n"),
    // How many are solved within short times is up to the machine.
    (r"(?m)^(1 ms|10 ms|100 ms) .*\n", ""),
];

macro_rules! check {
    ($name:expr, $text:expr) => {
        crate::common::check!($name, $text, crate::mates::TIMES)
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

/// Runs the suite of mates on engines, in a folder.
fn mates_on(folder: impl AsRef<Path>, engines: &[&str], more: &str) -> String {
    let suite = path_in(crate::run::folder(), "mates.epd");
    let mut arguments = vec!["mates", &suite, "-j", "1"];
    arguments.extend(engines.iter().flat_map(|engine| ["--engine", engine]));
    arguments.extend(words(more));
    run_in(folder, &arguments)
}

fn mates(more: &str) -> String {
    mates_on(folder(), &[&engine("mates.txt")], more)
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
    for (more, expected) in [
        ("", 1),
        ("--fail-on none", 0),
        ("--fail-on missed", 1),
        ("--fail-on not-best --bm 2..", 0),
        ("--fail-on none --min-found 6", 0),
        ("--fail-on none --min-found 7", 1),
        ("--fail-on none --min-found 75%", 0),
        ("--fail-on none --min-found 76%", 1),
        ("--bm 4..", 4),
    ] {
        ends(&mates(more), expected, &[]);
    }
    check!("mates_min", mates("-q --min-found 7 --fail-on none"));
    check!("mates_nothing", mates("--bm 4.."));
}

/// `--mate 0` asks each record for its own mate; a number without another limit selects records.
#[test]
fn limits() {
    let each = mates("--mate 0 --nodes 5000 --fail-on none");
    check!("mates_of_each_record", each);
    check!("mates_eligible", mates("--mate 1 --fail-on none"));
    let place = place();
    let engine = format!("{} dir='{}'", engine("mates.txt"), place.path().display());
    let run = mates_on(&place, &[&engine], "-v --mate 0");
    holds(&run, &["go mate 1", "go mate 2", "go mate 3"]);
}

#[test]
fn engines_that_fail() {
    let text = mates_on(folder(), &[&engine("mates.txt"), "./nowhere"], "");
    check!("mates_no_engine", text);
    let syzygy = mates("--option SyzygyPath=/tables --fail-on none");
    check!("mates_no_syzygy", syzygy);
}

/// The tables that `scripts/test` puts into `.venv`: a rook wins in 16 moves, not in 2, and is lost by
/// the second move of the PV.
#[cfg(feature = "oracles")]
#[test]
fn tables_contradict_a_mate() {
    let place = place();
    let suite = "8/8/8/8/8/2k5/1R6/K7 w - - bm #16;\n7k/8/5K2/8/8/8/8/R7 w - - bm #2;\n";
    write(&place, "rooks.epd", suite);
    let script = "id name Scripted 1.0\non startpos\nbestmove e2e4\non 8/8/8/8/8/2k5/1R6/K7\ninfo depth 9 nodes 40 score mate 2 \
                  pv b2b3 c3b3 a1b1\nbestmove b2b3\non 7k/8/5K2/8/8/8/8/R7\ninfo depth 9 nodes 40 \
                  score mate 2 pv f6g6 h8g8 a1a8\nbestmove f6g6\n";
    write(&place, "rooks.txt", script);
    let script = path_in(&place, "rooks.txt");
    let engine = format!("cmd='{}' args='{script}' name=scripted", scripted_engine());
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../.venv/syzygy");
    let mut arguments = vec!["mates", "rooks.epd", "--engine", &engine, "-j", "1"];
    arguments.extend(["--fail-on", "tables", "--syzygy", tables]);
    let text = run_in(&place, &arguments);
    let parts = [
        "  tables     rooks.epd:1: mate in 2 announced, but by the tables the next capture, pawn move or \
         mate is 31 plies away; PV: Rb3+ Kxb3 Kb1\n",
        "bad PVs  tables  depth",
        "FAIL: 1 of 2 positions with a mate that the tables contradict",
    ];
    ends(&text, 1, &parts);
    assert_eq!(text.matches("  tables     ").count(), 1, "{text}");
}

#[test]
fn known_results_that_cannot_be_read() {
    let tables = "error: --syzygy: cannot read the folder of endgame tables no-such-folder: ";
    for (more, expected) in [
        ("--syzygy no-such-folder", tables),
        ("--secondary no-such-file", "no-such-file"),
        ("--secondary mates.txt", "error: --secondary: mates.txt:1: "),
    ] {
        fails(&mates(more), 2, expected);
    }
}

#[test]
fn files_are_written() {
    let place = place();
    for _ in 0..2 {
        let more = "--history mates.jsonl -o missed.epd --fail-on none -q";
        mates_on(&place, &[&engine("mates.txt")], more);
    }
    check!("mates_missed", read(&place, "missed.epd"));
    check!("mates_history_lines", read(&place, "mates.jsonl"));
}

/// Lines of two versions, and one with another limit.
const HISTORY: &str = r#"{"schema":"touchstone/epd-mates-history/1","date":"2026-11-01 10:00:00Z","engine":"./old","name":"Engine 1","suites":["mates.epd"],"limits":"nodes 1000","positions":8,"found":5,"best":4,"proved":4,"better":0,"wrong_sign":0,"bad_pvs":2,"nodes":7000,"search_seconds":0.5}
{"schema":"touchstone/epd-mates-history/1","date":"2026-11-02 10:00:00Z","engine":"./old","name":"Engine 1","suites":["mates.epd"],"limits":"nodes 9000","positions":8,"found":7,"best":7,"proved":7,"better":0,"wrong_sign":0,"bad_pvs":0,"nodes":9000,"search_seconds":0.5}
{"schema":"touchstone/epd-mates-history/1","date":"2026-11-03 10:00:00Z","engine":"./new <b>","name":null,"suites":["mates.epd"],"limits":"nodes 1000","positions":8,"found":6,"best":4,"proved":5,"better":0,"wrong_sign":1,"bad_pvs":1,"nodes":7100,"search_seconds":0.5}
"#;

#[test]
fn histories_are_printed_and_plotted() {
    let place = place();
    let run = |arguments: &str| common::run_words(&place, arguments);
    write(&place, "mates.jsonl", HISTORY);
    write(&place, "empty.jsonl", "\n");
    write(&place, "bad.jsonl", "{\"schema\":1}\n");
    for (name, arguments) in [
        ("mates_history", "mates.jsonl"),
        ("mates_history_empty", "empty.jsonl"),
        ("mates_history_bad", "bad.jsonl"),
        ("mates_history_format", "mates.jsonl -o x.png"),
    ] {
        check!(name, run(&format!("mates-history {arguments}")));
    }
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
        let written = read(&place, file);
        holds(&written, &expected);
        assert!(!written.contains("<b>"), "{written}");
    }
}

/// A cancelled run is reported, but is no result of a version.
#[cfg(target_os = "linux")]
#[test]
fn interrupts() {
    let place = place();
    let (history, suite) = (
        path_in(&place, "mates.jsonl"),
        path_in(folder(), "mates.epd"),
    );
    // It never answers: the run is not over by itself.
    let engine = format!("'{}' --hang", scripted_engine());
    let arguments = [
        "mates",
        &suite,
        "--engine",
        &engine,
        "-j",
        "1",
        "--history",
        &history,
    ];
    ends(&common::interrupted(folder(), &arguments), 130, &[]);
    assert!(!Path::new(&history).exists());
}
