//! `selfplay report` and `selfplay watch` as their users see them.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::process::{Command, Stdio};

use assert_cmd::cargo::CommandCargoExt as _;
use tempfile::TempDir;

use super::synthetic::{self, Odds};
use crate::common::{Ended, selfplay};

const ODDS: Odds = Odds {
    score: 0.5,
    draws: 0.5,
    faults: 5,
};

/// Runs the program in a folder, with arguments that are separated by blanks.
fn run(folder: &TempDir, arguments: &str) -> Ended {
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

/// It is found out before the ledger is read.
#[test]
fn an_output_that_cannot_be_written_changes_nothing() {
    let folder = folder(1);
    let ledger = folder.path().join("run/ledger.jsonl");
    let games = fs::read_to_string(&ledger).expect("a ledger") + "no record\n";
    fs::write(&ledger, &games).expect("ours");
    for (name, fault) in [
        ("none/report.html", "cannot write none/report.html: "),
        ("run", "cannot write run: "),
        ("run/config.json", ""),
        ("run/ledger.jsonl", ""),
    ] {
        let rejected = run(&folder, &format!("report run -o {name}"));
        assert_eq!(rejected.code, 2, "{rejected:?}");
        rejected.reports(&format!("error: {fault}"));
        assert!(!rejected.stderr.contains("ledger.jsonl:"), "{rejected:?}");
    }
    assert_eq!(fs::read_to_string(&ledger).expect("a ledger"), games);
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
fn games_are_chosen_by_number_fault_and_loser() {
    let folder = folder(10);
    fs::create_dir(folder.path().join("run/failures")).expect("ours");
    let csv = run(&folder, "report run --format csv --faults").stdout;
    let faults: Vec<Vec<&str>> = { csv.lines().skip(1) }
        .map(|line| line.split(',').collect())
        .collect();
    assert!(
        faults.len() > 1 && faults.iter().all(|row| row[8] == "fault"),
        "{csv}"
    );
    for row in &faults {
        let path = folder.path().join("run").join(row[12]);
        fs::write(path, format!("transcript of game {}\n", row[0])).expect("ours");
    }
    let of_new = { faults.iter() }.filter(|row| row[9] == "new").count();
    let lost = run(&folder, "report run --format csv --faults=new").stdout;
    assert_eq!(lost.lines().count(), 1 + of_new, "{lost}");

    let first = faults[0][0];
    let transcript = run(
        &folder,
        &format!("report run --format transcript --game {first}"),
    );
    let expected = (0, format!("transcript of game {first}\n"));
    assert_eq!((transcript.code, transcript.stdout), expected);
    let all = run(&folder, "report run --format transcript");
    assert_eq!(all.stdout.lines().count(), faults.len(), "{all:?}");

    // The moves of a synthetic run are not legal, which its first line shows.
    let pgn = run(&folder, "report run --format pgn --game 3");
    assert_eq!(pgn.code, 2);
    let expected = "error: game 3: ply 3 is 'e2e4', which is not legal there\n";
    assert_eq!(pgn.stderr, expected);
}

#[test]
fn games_that_cannot_be_chosen() {
    let folder = folder(3);
    let ended = |name: &str| {
        let csv = run(&folder, "report run --format csv").stdout;
        let row = csv.lines().find(|line| line.contains(name));
        row.expect("such a game")
            .split(',')
            .next()
            .expect("a number")
            .to_owned()
    };
    let whole = ended(",threefold,");
    let rows = rows![
        "pgn --game 7", 2 => "no game 7 in the ledger: it has 6 games, from 1 to 6";
        "csv --game 2,4-9", 2 => "no game 7 in the ledger: it has 6 games, from 1 to 6";
        &format!("transcript --game {whole}"), 2 =>
            &format!("game {whole} has no transcript: it ended by threefold, and only faults leave one");
        "csv --faults=nobody", 2 => "no engine 'nobody' in this run of new, base";
        "json --faults", 2 => "--game and --faults are for --format csv, pgn and transcript";
        &format!("csv --game {whole} --faults"), 4 => "none of the games is chosen";
    ];
    for (arguments, code, expected) in rows {
        let rejected = run(&folder, &format!("report run --format {arguments}"));
        let error = format!("error: {expected}\n");
        let expected = (code, error);
        assert_eq!((rejected.code, rejected.stderr), expected, "{arguments}");
        assert_eq!(rejected.stdout, "", "{arguments}");
    }
    for list in ["0", "4-3", "x", "1-", ""] {
        let rejected = run(&folder, &format!("report run --format csv --game={list}"));
        assert_eq!(rejected.code, 2, "{list}");
        let expected = "expected a game number from 1, such as 17, or a range, such as 20-25";
        assert!(rejected.stderr.contains(expected), "{rejected:?}");
    }
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
        .args(["watch", "run"])
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
    let expected = "error: no picture: it needs two engines and a game\n";
    assert_eq!(three.stderr, expected);
}
