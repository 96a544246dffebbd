//! `perft consistency` with sound engines of every convention, and with every fault.
//!
//! The engine is `examples/scripted_engine`. No test depends on speed.

use std::fmt::Write as _;

use serde_json::Value;
use tempfile::TempDir;

#[cfg(target_os = "linux")]
use crate::common::interrupted;
use crate::common::{
    assert_says, each, engine, rows, run, run_in, snapshot, stdout_of, without_folder,
};

/// The report on an engine with some flags.
fn checked(flags: &str, arguments: &[&str]) -> String {
    let engine = engine(flags);
    let mut all = vec!["consistency", "--engine", &engine];
    all.extend(arguments);
    without_folder(&run(&all))
}

/// Each row has the way in which `d` is answered, our arguments, the exit code, and what the report
/// says.
///
/// `FEW` games are enough for most rows; a long run plays more. `ODD` are positions that strict libraries refuse,
/// `ODD960` some of Chess960 as well.
fn each_checked(table: &str) {
    some_checked(table, usize::MAX);
}

/// So many rows of the table, in a long run all of them.
fn some_checked(table: &str, default: usize) {
    let odd = odd_positions();
    let path = |name: &str| odd.path().join(name).display().to_string();
    let table = table
        .replace("FEW", &testkit::scale(4, 200).to_string())
        .replace("ODD960", &path("odd960.epd"))
        .replace("ODD", &path("odd.epd"));
    each(&testkit::some(rows(&table), default), |row| {
        let [how, arguments, exit, says @ ..] = row.as_slice() else {
            panic!("{row:?}");
        };
        let flags = format!("--display {how}");
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let exit = exit.parse().expect("an exit code");
        // Columns are as wide as they need to be.
        let text = checked(&flags, &arguments);
        let (code, text) = text.split_once('\n').expect("an exit code and a report");
        let words: Vec<&str> = text.split_whitespace().collect();
        assert_says(how, &format!("{code}\n{}", words.join(" ")), exit, says);
    });
}

/// Positions from all over the suite `edge`, without and with others of Chess960; in a long run all of them.
#[expect(clippy::disallowed_methods, reason = "suites are written")]
fn odd_positions() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, suites) in [
        ("odd.epd", &["edge"][..]),
        ("odd960.epd", &["edge", "chess960"]),
    ] {
        let mut text = String::new();
        for suite in suites {
            let suite = epd::suites::find(suite).expect("it is built in");
            for entry in testkit::some(suite.parse().entries, 90) {
                let record = epd::Record::new(*entry.record.position());
                writeln!(text, "{record}").expect("a string can be written to");
            }
        }
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    folder
}

/// No convention is a fault.
#[test]
fn sound_engines_are_not_accused() {
    some_checked(
        "sound | --games 12 | 0 | OK: what the engine prints is consistent | fen 972 0
        sound | --seed 7 --games FEW | 0 | OK
        sound | ODD960 --plies 6 --chess960 | 0 | OK
        sound | ODD --plies 6 --seed 3 | 0 | OK
        sound --no-option UCI_Chess960 | --games FEW | 0 | OK
        ep-always | --games FEW | 0 | OK
        ep-always | ODD --plies 3 | 0 | OK
        ep-legal | --games FEW | 0 | OK
        ep-legal | ODD --plies 3 | 0 | OK
        ep-mixed | --games FEW | 0 | OK
        ep-mixed | ODD --plies 3 | 0 | OK
        ep-as-given | --games FEW | 0 | OK
        ep-as-given | ODD --plies 3 | 0 | OK
        ep-strict-fen | --games FEW | 0 | OK
        ep-strict-fen | ODD --plies 3 | 0 | OK
        flag-key | edge chess960 --plies 6 --chess960 | 0 | OK
        lower-case | --games 12 | 0 | OK | checkers 972 0
        fen-only | --games FEW | 0 | OK | clocks not checked: no clocks in the line Fen | checkers not checked: no line Checkers | incremental-key not checked: no line Key
        key-only | --games 12 | 0 | OK | fen not checked: no line Fen | incremental-key 810 0
        key-only | --chess960 --games FEW | 0 | OK
        shredder | --games FEW | 0 | OK
        shredder | --chess960 --games FEW | 0 | OK
        clock-key | --games FEW | 0 | OK
        narrow-key | --games FEW | 0 | OK
        tiny-key | --games FEW | 0 | OK | note: | equal keys, which chance explains: the keys have 12 bits
        sound --on-position | --games 12 | 0 | OK | fen 972 0 | clocks 972 0 | checkers 972 0 | incremental-key | transposition-key | search not checked: the engine prints on 'position' only, and nothing on 'd'
        sound --on-position | --chess960 --games FEW | 0 | OK | distinct-keys
        key-only --on-position | ODD --plies 3 | 0 | OK | fen not checked: no line Fen
        sound --on-position --with \"set=['position startpos','position startpos moves {moves}']\" | --games FEW | 0 | OK | incremental-key not checked: no position was printed in two ways
        sound | --plies 0 --games FEW | 0 | OK | transposition-key not checked: no position was printed in two ways
        plays-its-move --first-move | --games FEW | 0 | OK | search not checked: the engine plays the move that it finds
        sound --with ask=[] --ignore-limits quiet | --timeout 10s --games 4 | 0 | OK | search not checked: 'go depth 2' has no answer: the engine gave no answer within 10.0 s",
        16,
    );
}

#[test]
fn every_fault_is_found_and_named() {
    each_checked(
        "stale-ep-key | --games FEW | 1 | WRONG: | incremental-key after a pawn's double step:
        stale-castling-key | --games FEW | 1 | WRONG: 1 kind of fault | incremental-key after the loss of a castling right:
        stale-capture-key | --games FEW | 1 | WRONG: 1 kind of fault | incremental-key after a capture:
        stale-en-passant-key | --games FEW | 1 | WRONG: 1 kind of fault | incremental-key after an en passant capture:
        stale-promotion-key | --games 12 | 1 | WRONG: 1 kind of fault | incremental-key after a promotion:
        stale-rook-key | --games 12 | 1 | WRONG: 1 kind of fault | incremental-key after castling
        stale-rook-key | --chess960 --games 12 | 1 | WRONG: 1 kind of fault | incremental-key after castling
        no-side-key | --games FEW | 1 | WRONG: | key-ignores-side-to-move: positions that differ in the side to move have the same key
        no-castling-key | --games FEW | 1 | WRONG: 1 kind of fault | key-ignores-castling:
        no-ep-key | --games FEW | 1 | WRONG: 1 kind of fault | key-ignores-ep:
        order-key | --games FEW | 1 | WRONG: 1 kind of fault | transposition-key: two orders of the same moves give different keys | moves
        constant-key | --games FEW | 1 | WRONG: | key-ignores-castling: | key-ignores-side-to-move: | key-collision:
        stale-fen-rights | --games FEW | 1 | WRONG: 1 kind of fault | fen-castling: the castling rights of the FEN are wrong
        stale-fen-ep | --games FEW | 1 | WRONG: 1 kind of fault | fen-ep-square:
        no-fen-ep | --games FEW | 1 | WRONG: 1 kind of fault | fen-ep-square:
        other-side | --games FEW | 1 | WRONG: 1 kind of fault | fen-side-to-move:
        ghost-pawn | --games FEW | 1 | WRONG: 1 kind of fault | fen-board:
        stale-clock | --games FEW | 1 | WRONG: 1 kind of fault | fen-clocks:
        fast-clock | --games FEW | 1 | WRONG: 1 kind of fault | fen-clocks:
        one-checker | ODD --plies 0 | 1 | WRONG: 1 kind of fault | checkers: the checkers are wrong
        search-key | --games FEW | 1 | WRONG: 1 kind of fault | search-changes-position:
        no-side-key | --games FEW --chess960 | 1 | key-ignores-side-to-move
        stale-rook-key --on-position | --games 12 | 1 | WRONG: 1 kind of fault | incremental-key after castling
        no-castling-key --on-position | --games FEW | 1 | WRONG: 1 kind of fault | key-ignores-castling:
        stale-fen-rights --on-position | --games FEW | 1 | WRONG: 1 kind of fault | fen-castling:",
    );
}

#[test]
fn lists_are_compared() {
    each_checked(
        "sound --list | --games 12 | 0 | OK | list-legal 972 0 | list-captures 972 0 | list-checks 972 0 | list-evasions
        sound --list legal-only | --games 12 | 0 | OK | list-legal 972 0 | lists not checked: the engine does not know 'list captures'
        sound --list no-en-passant | --games 12 | 1 | WRONG: 1 kind of fault | list-captures: the list of moves is wrong
        sound --list no-en-passant --on-position | --games 12 | 1 | WRONG: 1 kind of fault | list-captures 972 1
        sound --list twice | --games FEW | 1 | WRONG: 1 kind of fault | is listed twice
        sound --list illegal | --games FEW | 1 | WRONG: 1 kind of fault | list-evasions: | a1a1 is not legal
        sound --list crash | --games FEW | 0 | OK | lists not checked: on 'list legal', the engine crashed: the engine was killed by signal 6 (SIGABRT)",
    );
}

#[test]
fn an_engine_without_an_answer_has_failed() {
    each_checked(
        "crash-in-check | --games FEW | 3 | NO ANSWER: the engine crashed: the engine was killed by signal 6 (SIGABRT), asked | FAILED: 3 questions without an answer
        hang-in-check | --timeout 5s --games FEW | 3 | NO ANSWER: the engine gave no answer within 5.0 s, asked | FAILED: 3 questions
        sound --crash-on-uci abort | --games FEW | 3 | NO ENGINE: the engine was killed by signal 6 (SIGABRT) before uciok
        sound --no-option UCI_Chess960 | --chess960 --games FEW | 3 | NO ENGINE: the engine has no option 'UCI_Chess960'
        stale-capture-key --crash | --games FEW | 1 | WRONG: 1 kind of fault | search not checked: 'go depth 2' has no answer: the engine crashed",
    );
    let text = checked("", &[]);
    let says = ["NOT UNDERSTOOD: no answer to 'd': the engine should print a line 'Fen: …'"];
    assert_says("no display", &text, 3, &says);
    assert!(text.contains("< Unknown command: 'd'\n"), "{text}");
}

/// The shortest example: no more moves and pieces than the fault needs.
#[test]
fn reports() {
    let rows = [
        ("--display stale-en-passant-key", "4", &[][..]),
        ("--display stale-rook-key", "12", &["--chess960"]),
        ("--display no-castling-key", "4", &[]),
        ("--display stale-fen-ep", "4", &["--format", "json"]),
        ("--display search-key", "4", &["--format", "junit"]),
        ("--display sound --list no-en-passant", "12", &[]),
        ("--display stale-capture-key --on-position", "4", &[]),
    ];
    let reports = rows.map(|(flags, games, arguments)| {
        checked(flags, &[&["--games", games], arguments].concat())
    });
    snapshot!("consistency", reports.concat());
}

/// The same seed gives the same games, whatever the engine is like.
#[test]
fn games_depend_on_the_seed_alone() {
    let positions = |flags: &str, seed: &str| {
        let text = checked(
            flags,
            &[
                "--format", "json", "--seed", seed, "--games", "3", "--plies", "300",
            ],
        );
        let report: Value = serde_json::from_str(stdout_of(&text)).expect("JSON");
        report["facts"]["positions"].clone()
    };
    let first = positions("--display sound", "1");
    assert_eq!(first, positions("--display no-side-key", "1"));
    assert_ne!(first, positions("--display sound", "2"));
}

#[test]
fn bad_requests_are_rejected() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let rejected = |arguments: &[&str], code: &str, says: &str| {
        let text = run_in(folder.path(), &[&["consistency"], arguments].concat());
        assert!(text.starts_with(code) && text.contains(says), "{text}");
    };
    rejected(&[], "exit 2", "--engine <ENGINE>");
    rejected(
        &["--engine", "x", "--ask", ""],
        "exit 2",
        "--ask: expected one line",
    );
    rejected(
        &["--engine", "x", "--games", "0"],
        "exit 2",
        "invalid value '0'",
    );
    rejected(&["--engine", "name=x"], "exit 2", "there is no cmd=");
    rejected(&["nowhere.epd", "--engine", "x"], "exit 2", "nowhere.epd");
    rejected(
        &["--engine", "./no-such-engine"],
        "exit 3",
        "NO ENGINE: cannot start",
    );
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_at_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let engine = engine("--display sound");
    let arguments = ["consistency", "--engine", &engine, "--games", "1000000"];
    let output = interrupted(&arguments, folder.path(), || true);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(
        text.contains("INTERRUPTED: 0 kinds of fault so far"),
        "{text}"
    );
}
