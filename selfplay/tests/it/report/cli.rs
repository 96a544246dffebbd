//! `selfplay report` and `selfplay watch` as their users see them.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::synthetic::{self, Odds};
use assert_cmd::cargo::CommandCargoExt as _;

const ODDS: Odds = Odds {
    score: 0.5,
    draws: 0.5,
    faults: 5,
};

fn selfplay(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("selfplay").expect("the program is built");
    command.args(arguments);
    command
}

fn output(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = selfplay(arguments);
    command.current_dir(directory).output().expect("it runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// A folder with a run of so many pairs in `run`.
fn folder(rounds: u64) -> tempfile::TempDir {
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
    let human = output(folder.path(), &["report", "run"]);
    assert_eq!(human.status.code(), Some(0), "{}", stderr(&human));
    assert!(
        stdout(&human).starts_with("run          Synthetic run: match"),
        "{}",
        stdout(&human)
    );
    let rows = [
        (
            ["report", "run", "--format", "html", "-o", "run/page.html"],
            "run/page.html",
            "failures/",
        ),
        (
            ["report", "run", "--format", "html", "-o", "page.html"],
            "page.html",
            "run/failures/",
        ),
    ];
    for (arguments, page, link) in rows {
        let written = output(folder.path(), &arguments);
        assert_eq!(written.status.code(), Some(0), "{}", stderr(&written));
        assert!(written.stdout.is_empty());
        let page = fs::read_to_string(folder.path().join(page)).expect("a page");
        assert!(page.contains(&format!("<a href=\"{link}game-")), "{page}");
    }
    let csv = stdout(&output(
        folder.path(),
        &["report", "run", "--format", "csv"],
    ));
    assert_eq!(csv.lines().count(), 21, "a head and 20 games: {csv}");
}

#[test]
fn a_report_replaces_no_file_of_the_run() {
    let folder = folder(1);
    for name in ["config.json", "ledger.jsonl"] {
        let before = fs::read(folder.path().join("run").join(name)).expect("a file");
        let rejected = output(
            folder.path(),
            &["report", "run", "-o", &format!("run/{name}")],
        );
        assert_eq!(rejected.status.code(), Some(2), "{}", stderr(&rejected));
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
        let told = output(folder.path(), &["report", "run", "-o", name]);
        assert_eq!(told.status.code(), Some(2), "{}", stderr(&told));
        let expected = format!("error: cannot write {name}: ");
        assert!(stderr(&told).starts_with(&expected), "{}", stderr(&told));
    }
}

#[test]
fn unreadable_files_are_reported_with_their_place() {
    let folder = folder(2);
    let none = output(folder.path(), &["report", "nowhere"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(
        stderr(&none).contains("nowhere is not a run directory: config.json is missing"),
        "{}",
        stderr(&none)
    );
    let ledger = folder.path().join("run/ledger.jsonl");
    let games = fs::read_to_string(&ledger).expect("a ledger");
    // A torn last line is none; what comes before it is all there.
    fs::write(&ledger, format!("{games}{{\"plan\":")).expect("written");
    let torn = output(folder.path(), &["report", "run", "--format", "csv"]);
    assert_eq!(
        (torn.status.code(), stdout(&torn).lines().count()),
        (Some(0), 5)
    );
    fs::write(&ledger, format!("{games}nonsense\n")).expect("written");
    let bad = output(folder.path(), &["report", "run"]);
    assert_eq!(bad.status.code(), Some(2));
    assert!(
        stderr(&bad).contains("run/ledger.jsonl:5: column 2: expected ident"),
        "{}",
        stderr(&bad)
    );
    fs::write(&ledger, "").expect("written");
    let empty = output(folder.path(), &["report", "run"]);
    assert_eq!(empty.status.code(), Some(4), "{}", stdout(&empty));
}

#[test]
fn a_run_at_rest_is_watched_at_once() {
    let folder = folder(3);
    let watched = output(folder.path(), &["watch", "run"]);
    assert_eq!(watched.status.code(), Some(0), "{}", stderr(&watched));
    assert!(
        stdout(&watched).starts_with("6 games, "),
        "{}",
        stdout(&watched)
    );
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
    let mut command = selfplay(&["watch", "run", "--every", "0"]);
    let child = command
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
    let arguments = ["report", "run", "--format", "svg", "-o", "course.svg"];
    let written = output(folder.path(), &arguments);
    assert_eq!(written.status.code(), Some(0), "{}", stderr(&written));
    let picture = fs::read_to_string(folder.path().join("course.svg")).expect("a picture");
    assert!(picture.contains("Elo "), "{picture}");

    let config = synthetic::config(&["new", "base"], 10);
    synthetic::write(&folder.path().join("empty"), &config, []);
    let nothing = output(folder.path(), &["report", "empty", "--format", "svg"]);
    assert_eq!(nothing.status.code(), Some(4), "{}", stderr(&nothing));
    assert!(nothing.stdout.is_empty());

    let config = synthetic::config(&["new", "base", "third"], 2);
    let games = synthetic::games(&config, ODDS);
    synthetic::write(&folder.path().join("three"), &config, games);
    let three = output(folder.path(), &["report", "three", "--format", "svg"]);
    assert_eq!(three.status.code(), Some(2));
    let expected =
        "error: no picture: it needs two engines and some pairs that did not all end alike\n";
    assert_eq!(stderr(&three), expected);
}
