//! `perft check --random`. The engine is `examples/scripted_engine`; no test depends on its speed.

use serde_json::Value;

#[cfg(target_os = "linux")]
use crate::common::interrupted;
use crate::common::{
    self, assert_says, each, engine, path, rows, snapshot, stdout_of, without_folder,
};

/// What the program says of an engine and random positions. The depths do not depend on speed.
fn tried(flags: &str, arguments: &str) -> String {
    let engine = engine(flags);
    let mut all = vec![
        "check",
        "--engine",
        &engine,
        "--max-nodes",
        "2000",
        "--random",
    ];
    all.extend(arguments.split_whitespace());
    without_folder(&common::run(&all))
}

fn tried_as_json(flags: &str, arguments: &str) -> Value {
    let text = tried(flags, &format!("{arguments} --format json"));
    serde_json::from_str(stdout_of(&text)).expect("JSON")
}

/// The same, however many processes there are.
#[test]
fn a_sound_engine_passes() {
    let report = tried("", "48 --seed 7 -j1");
    snapshot!("sound", report);
    let without_time = |text: &str| {
        let lines = text.lines().filter(|line| !line.contains(" nodes in "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let other = tried("", "48 --seed 7 -j3");
    assert_eq!(without_time(&report), without_time(&other));
}

/// The fault is traced, and the command of the report shows it again.
#[test]
fn a_faulty_engine_is_caught() {
    let report = tried("--bug lists/castling-hit/*/out-of/*", "200");
    assert_says(
        "",
        &report,
        1,
        &["FAULT 1", "1 kind of fault", "is in check from"],
    );
    let mut lines = report.lines();
    let again = lines.find_map(|line| line.trim().strip_prefix("again: perft "));
    let again = again
        .expect("a command")
        .replace("scripted_engine", &path());
    let words = shlex::split(&again).expect("words");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let again = common::run(&words);
    assert_says("", &again, 1, &["FAULT 1", "is in check from"]);
}

/// What fails in a whole run fails in its halves: the second continues where the first ended.
#[test]
fn a_stream_is_resumed() {
    let bug = "--bug right-kept/*";
    let failing = |arguments: &str| {
        let report = tried_as_json(bug, arguments);
        let positions = report["engines"][0]["positions"]
            .as_array()
            .expect("a list")
            .clone();
        let place = |one: &Value| {
            let text = |field: &str| one[field].to_string();
            (text("line"), text("fen"), text("depth"), text("counted"))
        };
        let mut places: Vec<_> = positions.iter().map(place).collect();
        places.sort();
        let span = report["random"].clone();
        (places, span)
    };
    let (all, span) = failing("100 --seed 9 --no-hunt");
    assert!(all.len() > 3, "{all:?}");
    assert_eq!(
        (&span["seed"], &span["skipped"], &span["end"]),
        (&9.into(), &0.into(), &100.into())
    );
    let (mut halves, span) = failing("50 --seed 9 --no-hunt");
    assert!(halves.len() < all.len());
    let (rest, end) = failing(&format!("50 --seed 9:{} --no-hunt", span["end"]));
    assert_eq!(end["end"], 100);
    halves.extend(rest);
    halves.sort();
    assert_eq!(halves, all);
}

/// An engine that is wrong everywhere is given up, as is one with many faults.
#[test]
fn enough_is_enough() {
    let report = tried_as_json("--bug total-one-more", "5000 --no-hunt -j1");
    let number = |field: &str| report["engines"][0][field].as_u64().expect("a number");
    let wrong = number("wrong");
    // A few more may be asked before the first 200 are known to be enough.
    assert!((200..1_000).contains(&wrong), "{wrong}");
    assert_eq!(report["random"]["end"], number("right") + wrong);
    let report = tried_as_json("--bug hang-on-promotion", "5000 --no-hunt -j1 --timeout 1s");
    assert!(report["engines"][0]["failed"].as_u64() >= Some(5));
    assert!(report["random"]["end"].as_u64() < Some(5_000));
    let bugs = "lists/pin/*+lists/castling-hit/*";
    let report = tried_as_json(&format!("--bug {bugs}"), "5000 -j1");
    let faults = report["engines"][0]["faults"].as_array().expect("a list");
    assert!(faults.len() >= 5, "{}", faults.len());
    assert!(report["engines"][0]["wrong"].as_u64() < Some(200));
}

#[test]
fn formats() {
    let bug = "--bug lists/castling-hit/*/out-of/*";
    snapshot!("junit", tried(bug, "100 --no-hunt --format junit"));
    snapshot!("csv", tried(bug, "100 --no-hunt --format csv"));
}

/// Each row has the flags of an engine, our arguments, the exit code and what is said.
#[test]
fn what_else_may_happen() {
    let table = r"--no-option UCI_Chess960 | 64 | 0 | not asked: the engine has no UCI_Chess960
        | --for 1ms | 0 | OK: | continue with: --random --seed 1:
        --bug segfault-on-ep | 64 -j1 | 3 | FAILED | crash
        | 10 --seed 3:4294967290 | 0 | all 5 positions
        | 10 --seed 3:4294967295 | 4 | NOTHING
        | 0 | 2 | invalid value
        | 5 --seed 1:x | 2 | expected a number, such as 5
        | 5 --depth 0 | 2 | asks nothing
        | 5 --fen startpos | 2 | cannot be used with
        | 5 --engine other | 2 | --random is for one engine";
    each(&rows(table), |row| {
        let [flags, arguments, exit, says @ ..] = row.as_slice() else {
            panic!("{row:?}");
        };
        let exit = exit.parse().expect("an exit code");
        assert_says(flags, &tried(flags, arguments), exit, says);
    });
    let of_ourselves = common::run(&["check", "--random", "5"]);
    assert_says("", &of_ourselves, 2, &["--engine"]);
    let without = common::run(&["check", "quick", "--engine", &path(), "--seed", "5"]);
    assert_says("", &without, 2, &["--random"]);
}

/// Without end, until Ctrl-C; what is known is reported.
#[cfg(target_os = "linux")]
#[test]
fn the_user_ends_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = engine("");
    let arguments = ["check", "--engine", &engine, "--random"];
    let output = interrupted(&arguments, folder.path(), || true);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(output.status.code(), Some(130), "{text}");
    for words in ["\nINTERRUPTED: ", "continue with: --random --seed 1:"] {
        assert!(text.contains(words), "{text}");
    }
}
