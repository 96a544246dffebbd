//! `selfplay report` and `selfplay watch` as their users see them.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::process::{Command, Stdio};

use assert_cmd::cargo::CommandCargoExt as _;
use tempfile::TempDir;

use super::synthetic::{self, Odds};
use crate::common::{Outcome, selfplay};

const ODDS: Odds = Odds {
    score: 0.5,
    draws: 0.5,
    faults: 5,
};

/// Runs the program in a folder, with arguments that are separated by blanks.
fn run(folder: &TempDir, arguments: &str) -> Outcome {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    selfplay(folder.path(), &arguments)
}

/// A folder with a run of so many pairs in `run`.
fn folder(rounds: u64) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let config = synthetic::config(&["new", "base"], rounds);
    synthetic::write(
        &folder.path().join("run"),
        &config,
        synthetic::games(&config, ODDS),
    );
    folder
}

#[test]
fn a_report_goes_where_it_is_asked_for() {
    let folder = folder(10);
    let human = run(&folder, "report run");
    assert_eq!(human.code, 0, "{human:?}");
    let begin = "run          Synthetic run: match";
    assert!(human.stdout.starts_with(begin), "{human:?}");
    for (page, link) in [
        ("run/page.html", "failures/"),
        ("page.html", "run/failures/"),
    ] {
        let written = run(&folder, &format!("report run --format html -o {page}"));
        assert_eq!((written.code, &*written.stdout), (0, ""), "{written:?}");
        let page = fs::read_to_string(folder.path().join(page)).expect("a page");
        assert!(page.contains(&format!("<a href=\"{link}game-")), "{page}");
    }
    let csv = run(&folder, "report run --format csv").stdout;
    assert_eq!(csv.lines().count(), 21, "a head and 20 games: {csv}");
}

#[test]
fn a_report_replaces_no_file_of_the_run() {
    let folder = folder(1);
    for name in ["config.json", "ledger.jsonl"] {
        let before = fs::read(folder.path().join("run").join(name)).expect("a file");
        let rejected = run(&folder, &format!("report run -o run/{name}"));
        assert_eq!(rejected.code, 2, "{rejected:?}");
        let after = fs::read(folder.path().join("run").join(name)).expect("a file");
        assert_eq!(before, after);
    }
}

#[test]
fn an_output_that_cannot_be_written_is_found_out_before_the_ledger_is_read() {
    let folder = folder(3);
    let mut ledger = OpenOptions::new()
        .append(true)
        .open(folder.path().join("run/ledger.jsonl"))
        .expect("it is there");
    ledger.write_all(b"no record\n").expect("ours");
    for name in ["none/report.html", "run"] {
        let rejected = run(&folder, &format!("report run -o {name}"));
        assert_eq!(rejected.code, 2, "{rejected:?}");
        let expected = format!("error: cannot write {name}: ");
        assert!(rejected.stderr.starts_with(&expected), "{rejected:?}");
    }
}

#[test]
fn unreadable_files_are_reported_with_their_place() {
    let folder = folder(2);
    let none = run(&folder, "report nowhere");
    assert_eq!(none.code, 2);
    let expected = "nowhere is not a run directory: config.json is missing";
    assert!(none.stderr.contains(expected), "{none:?}");
    let ledger = folder.path().join("run/ledger.jsonl");
    let games = fs::read_to_string(&ledger).expect("a ledger");
    // A torn last line is none; what comes before it is all there.
    fs::write(&ledger, format!("{games}{{\"plan\":")).expect("written");
    let torn = run(&folder, "report run --format csv");
    assert_eq!((torn.code, torn.stdout.lines().count()), (0, 5));
    fs::write(&ledger, format!("{games}nonsense\n")).expect("written");
    let bad = run(&folder, "report run");
    assert_eq!(bad.code, 2);
    let expected = "run/ledger.jsonl:5: column 2: expected ident";
    assert!(bad.stderr.contains(expected), "{bad:?}");
    fs::write(&ledger, "").expect("written");
    let empty = run(&folder, "report run");
    assert_eq!(empty.code, 4, "{empty:?}");
}

#[test]
fn a_run_at_rest_is_watched_at_once() {
    let folder = folder(3);
    let watched = run(&folder, "watch run");
    assert_eq!(watched.code, 0, "{watched:?}");
    assert!(watched.stdout.starts_with("6 games, "), "{watched:?}");
}

#[test]
fn a_watch_follows_the_ledger_until_the_lock_is_let_go() {
    let folder = folder(2);
    let ledger = folder.path().join("run/ledger.jsonl");
    let games = fs::read_to_string(&ledger).expect("a ledger");
    let (first, rest) = games.split_at(games.find('\n').expect("lines") + 5);
    fs::write(&ledger, first).expect("written");
    let lock = File::create(folder.path().join("run/lock")).expect("a lock");
    lock.lock().expect("nobody else has it");
    let mut command = Command::cargo_bin("selfplay").expect("the program is built");
    let child = command
        .args(["watch", "run", "--every", "0"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = child.spawn().expect("it starts");
    let mut lines =
        std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().expect("piped")));
    let line = lines.next().expect("a line").expect("UTF-8");
    assert!(
        line.starts_with("1 of 4 games"),
        "the torn line does not count yet: {line}"
    );
    let mut file = OpenOptions::new()
        .append(true)
        .open(&ledger)
        .expect("a ledger");
    file.write_all(rest.as_bytes()).expect("written");
    drop(lock);
    let last = lines
        .map(|line| line.expect("UTF-8"))
        .last()
        .expect("a line");
    assert!(last.starts_with("4 games"), "{last}");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_picture_is_written_where_there_is_one() {
    let folder = folder(10);
    let written = run(&folder, "report run --format svg -o course.svg");
    assert_eq!(written.code, 0, "{written:?}");
    let picture = fs::read_to_string(folder.path().join("course.svg")).expect("a picture");
    assert!(picture.contains("Elo "), "{picture}");

    let config = synthetic::config(&["new", "base"], 10);
    synthetic::write(&folder.path().join("empty"), &config, []);
    let nothing = run(&folder, "report empty --format svg");
    assert_eq!((nothing.code, &*nothing.stdout), (4, ""), "{nothing:?}");

    let config = synthetic::config(&["new", "base", "third"], 2);
    let games = synthetic::games(&config, ODDS);
    synthetic::write(&folder.path().join("three"), &config, games);
    let three = run(&folder, "report three --format svg");
    assert_eq!(three.code, 2);
    let expected =
        "error: no picture: it needs two engines and some pairs that did not all end alike\n";
    assert_eq!(three.stderr, expected);
}
