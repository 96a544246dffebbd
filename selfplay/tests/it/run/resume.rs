//! A killed run resumes as if it had never stopped.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::time::Duration;

use chacha20::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

use super::ends::games;
use crate::common::{Bed, assert_nobody_in, wait, wait_until};

/// Twelve pairs of engines that move by chance, the same each time in the same game: they are started
/// anew for each.
const RUN: &str = "match './engine --seed=3' './engine --seed=7' --each restart=on --nodes 1 \
                   --max-moves 30 --variant chess960 --rounds 12 --concurrency 2 --force --out";

/// The same, but short games and few of them.
fn few(rounds: u32) -> String {
    RUN.replace("--rounds 12", &format!("--rounds {rounds}"))
        .replace("--max-moves 30", "--max-moves 2")
}

/// Both games of a pair are there, PGN and ledger agree, and all is as in the run that was never stopped.
fn assert_whole(bed: &Bed, name: &str) {
    let found = bed.read(name);
    assert_eq!(found.torn, 0);
    assert_eq!(games(&found.records), games(&bed.read("whole").records));
    assert_pgn_agrees(bed, name);
}

fn assert_pgn_agrees(bed: &Bed, name: &str) {
    let found = bed.read(name);
    let pgn = fs::read_to_string(bed.path(name).join("games.pgn")).expect("text");
    let expected: String = found
        .records
        .iter()
        .map(|record| selfplay::ledger::pgn_game(&found.stored.config, record).expect("a game"))
        .collect();
    assert!(pgn == expected, "PGN and ledger of {name} differ");
}

/// Engines that do not read, and their children, are killed with the program.
#[test]
fn nothing_survives_a_kill() {
    let bed = Bed::new();
    let mut child = bed.spawn(
        "match './engine --leave-child-at-start --hang --at=5' ./engine --nodes 1 --rounds 10 \
         --concurrency 2 --force --out out",
    );
    // Two games with two engines each, of which two have a child; the first moves are trials.
    wait_until(|| bed.processes().len() >= 6);
    child.kill().expect("ours");
    wait(child);
    for id in bed.processes() {
        testkit::processes::assert_gone(id);
    }
}

#[cfg(unix)]
#[test]
fn an_engine_with_another_name_than_in_the_ledger_is_an_incident() {
    let bed = Bed::new();
    let script = "./engine | sed -u \"s/^id author .*/id author $(cat author)/\"\n";
    bed.script("named", script);
    fs::write(bed.path("author"), "Ada").expect("new");
    let run = "match ./named ./engine --nodes 1 --max-moves 2 --rounds 3 --concurrency 2 --force --out out";
    bed.run(run).exits(0);
    let ledger = bed.path("out/ledger.jsonl");
    let text = fs::read_to_string(&ledger).expect("text");
    let two: Vec<&str> = text.split_inclusive('\n').take(2).collect();
    let resume = || {
        fs::write(&ledger, two.concat()).expect("ours");
        bed.run("resume out").exits(0);
        let records = bed.read("out").records.into_iter();
        let incidents = records.flat_map(|record| record.incidents);
        incidents
            .map(|one| (one.engine.0, one.detail))
            .collect::<Vec<_>>()
    };
    assert_eq!(resume(), []);
    fs::write(bed.path("author"), "Eve").expect("ours");
    let changed =
        "it was started as 'Faulty Engine' by 'Eve', and was 'Faulty Engine' by 'Ada' before";
    assert_eq!(resume(), [(0, changed.to_owned())]);
}

#[test]
fn kills_at_random_moments_change_nothing() {
    let bed = Bed::new();
    bed.run(&format!("{RUN} whole")).exits(0);
    let mut chance = ChaCha8Rng::seed_from_u64(7);
    for trial in 0..testkit::scale(1, 4) {
        let name = format!("killed-{trial}");
        let epd = format!("epd-output = \"{name}.epd\"\n");
        fs::write(bed.path(&format!("{name}.toml")), epd).expect("new");
        let outside = format!("--pgn file={name}.pgn --config {name}.toml --out {name}");
        let mut child = bed.spawn(&RUN.replace("--out", &outside));
        let ledger = bed.path(&name).join("config.json");
        wait_until(|| ledger.exists());
        let mut kills = 0;
        loop {
            // On a slow machine a run gets nowhere in so short a time: then it gets more of it.
            let pause = chance.random_range(0..250 + 25 * kills);
            std::thread::sleep(Duration::from_millis(pause));
            if child.try_wait().expect("ours").is_some() {
                break;
            }
            child.kill().expect("ours");
            wait(child);
            kills += 1;
            assert_nobody_in(bed.folder.path());
            child = bed.spawn(&format!("resume {name} --force"));
        }
        let ended = wait(child);
        assert_eq!(ended.code, 0, "after {kills} kills: {ended:?}");
        assert_whole(&bed, &name);
        let read = |path: &str| fs::read_to_string(bed.path(path)).expect("text");
        assert!(read(&format!("{name}.pgn")) == read(&format!("{name}/games.pgn")));
        assert_eq!(read(&format!("{name}.epd")).lines().count(), 24, "{name}");
    }
}

/// Another program writes to a file of the run before its first game is over.
#[test]
#[cfg(unix)]
fn an_error_at_the_first_game_leaves_the_run() {
    let bed = Bed::new();
    fs::write(bed.path("spoil"), "echo x >> all.pgn; exec ./engine\n").expect("new");
    let run = "match 'cmd=sh args=spoil name=a' ./engine --nodes 1 --rounds 1";
    bed.run(&format!("{run} --pgn file=all.pgn --out one"))
        .exits(2)
        .reports("resume with: selfplay resume one\n");
    let ledger = fs::read_to_string(bed.path("one/ledger.jsonl")).expect("it is there");
    assert_eq!(ledger.lines().count(), 1);
    fs::rename(bed.path("all.pgn"), bed.path("moved.pgn")).expect("ours");
    fs::write(bed.path("spoil"), "exec ./engine\n").expect("ours");
    bed.run("resume one").exits(0);
    let games = fs::read_to_string(bed.path("one/games.pgn")).expect("it is there");
    assert_eq!(games.matches("[Result ").count(), 2);
    assert_eq!(fs::read_to_string(bed.path("all.pgn")).expect("new"), games);
}

#[test]
fn files_outside_the_run_directory_are_there_once() {
    let bed = Bed::new();
    for (pgn, epd, message) in rows![
        "all.pgn", "./all.pgn" => "pgn and epd-output name the same file, ";
        "one/../all.pgn", "all.pgn" => "pgn and epd-output name the same file, ";
        "all.pgn", "one/last.epd" => "one/last.epd is in the run directory, which has games.pgn";
        "./one/games.pgn", "last.epd" => "one/games.pgn is in the run directory, which has games.pgn";
    ] {
        fs::write(bed.path("epd.toml"), format!("epd-output = '{epd}'\n")).expect("new");
        let run = few(1).replace(
            "--out",
            &format!("--pgn file={pgn} --config epd.toml --out"),
        );
        bed.run(&format!("{run} one")).exits(2).reports(message);
        assert!(!bed.path("one").exists() && !bed.path("all.pgn").exists());
    }
}

/// A second PGN and the last positions, cut off at any byte, or with nothing of the last game.
#[test]
fn files_outside_the_run_directory_lose_and_double_nothing() {
    let bed = Bed::new();
    let outside =
        "--pgn 'file=all.pgn append=on notation=uci nps=on pv=on' --config append.toml --out";
    fs::write(
        bed.path("append.toml"),
        "epd-output = \"last.epd\"\nepd-append = true\n",
    )
    .expect("new");
    for name in ["all.pgn", "last.epd"] {
        fs::write(bed.path(name), "before\n").expect("new");
    }
    let run = format!("{} one", few(3).replace("--out", outside));
    bed.run(&run).exits(0);
    let read = |name: &str| fs::read(bed.path(name)).expect("there");
    let (pgn, epd) = (read("all.pgn"), read("last.epd"));
    let own = read("one/games.pgn");
    assert_eq!(pgn, [b"before\n".as_slice(), &own].concat());
    let lines = String::from_utf8(epd.clone()).expect("text");
    assert!(
        lines.starts_with("before\n") && lines.ends_with('\n') && lines.lines().count() == 7,
        "{lines}"
    );
    let mut added = lines.lines().skip(1);
    assert!(added.all(|line| line.contains(" hmvc ")), "{lines}");
    // What a killed run can leave: a part of what the ledger has.
    let half = own.len() / 2;
    for length in [0, 1, half, own.len() - 1, own.len()] {
        fs::write(bed.path("all.pgn"), &pgn[..7 + length]).expect("ours");
        fs::write(bed.path("last.epd"), &epd[..7 + length.min(epd.len() - 8)]).expect("ours");
        bed.run("resume one").exits(0);
        assert!(
            read("all.pgn") == pgn && read("last.epd") == epd,
            "{length}"
        );
    }
    // Text of others is neither overwritten nor taken for a game.
    fs::write(bed.path("all.pgn"), b"before\nother").expect("ours");
    let changed = bed.run("resume one").exits(2);
    changed.reports(
        "all.pgn was changed since the run wrote to it: expected its games from byte 7 on",
    );
    fs::remove_file(bed.path("all.pgn")).expect("ours");
    bed.run("resume one").exits(0);
    assert!(read("all.pgn") == own);
    // Nothing is written if the ledger is damaged.
    let ledger = fs::read_to_string(bed.path("one/ledger.jsonl")).expect("text");
    fs::write(
        bed.path("one/ledger.jsonl"),
        ledger.replacen("\n{", "\n", 1),
    )
    .expect("ours");
    fs::write(bed.path("all.pgn"), "").expect("ours");
    bed.run("resume one").exits(2);
    assert!(read("all.pgn").is_empty());
    fs::write(bed.path("one/ledger.jsonl"), ledger).expect("ours");
    bed.run("resume one").exits(0);
    assert!(read("all.pgn") == own);
    // Existing files are not written over.
    let again = bed
        .run(&run.replace("append=on", "").replace(" one", " two"))
        .exits(2);
    again.reports("all.pgn exists already, expected a new file, or append=on");
    assert!(read("all.pgn") == own && !bed.path("two").exists());
    // Unless that is asked for.
    let over = run
        .replace("append=on", "overwrite=on")
        .replace(" one", " three");
    bed.run(&over).exits(0);
    let own = read("three/games.pgn");
    assert!(read("all.pgn") == own);
    fs::write(bed.path("all.pgn"), &own[..own.len() / 2]).expect("ours");
    bed.run("resume three").exits(0);
    assert!(read("all.pgn") == own);
    // Only what the form asks for is recorded.
    for one in &bed.read("one").records[0].moves {
        let expected = (None, None, None);
        assert_eq!((one.hashfull, one.tbhits, one.latency_us), expected);
    }
}

#[test]
fn a_changed_directory_is_an_error() {
    let bed = Bed::new();
    let few = few(3);
    bed.run(&format!("{few} out")).exits(0);
    let ledger = bed.path("out/ledger.jsonl");
    let whole = fs::read_to_string(&ledger).expect("there");
    let lines: Vec<&str> = whole.lines().collect();
    let (first, second) = (lines[0], lines[1]);
    let edit = |from: &str, to: &str| {
        assert!(second.contains(from), "{second}");
        second.replacen(from, to, 1)
    };
    let rows = rows![
        "{".to_owned() => ":2: column 1: EOF while parsing an object";
        String::new() => ":2: column 0: EOF while parsing a value";
        first.to_owned() => ":2: game ";
        edit("\"number\":", "\"number\":7") => ":2: game ";
        edit("\"white\":", "\"white\":9") => ":2: engine 9";
        edit("\"uci\":\"", "\"uci\":\"a1a1") => ":2: ply 1 is 'a1a1";
        edit("\"termination\":\"max-moves\"", "\"termination\":\"fault\"") =>
            ":2: a game that ended by 'fault' does not say whose";
        edit("\"result\":\"1/2-1/2\"", "\"result\":\"1-0\"") =>
            ":2: the record says that it ended by 'max-moves', 1-0, but the board does not end it";
        edit("\"termination\":\"max-moves\"", "\"termination\":\"checkmate\"") =>
            ":2: the record says that it ended by 'checkmate', 1/2-1/2, but the board does not end it";
        edit(" w ", " b ") => ":2: it does not begin with opening ";
    ];
    for (line, expected) in rows {
        fs::write(&ledger, format!("{first}\n{line}\n")).expect("ours");
        let ended = bed.run("resume out --force").exits(2);
        ended.reports(&format!("out/ledger.jsonl{expected}"));
    }
    fs::write(&ledger, &whole).expect("ours");
    let config = bed.path("out/config.json");
    let text = fs::read_to_string(&config).expect("there");
    for (from, to, expected) in rows![
        "\"seed\": ", "\"seed\": 1" => "ledger.jsonl:1: it does not begin with opening 0";
        "\"concurrency\": 2", "\"concurrency\": 0" => "config.json:1:1: 'concurrency' is 0";
    ] {
        assert!(text.contains(from), "{text}");
        fs::write(&config, text.replacen(from, to, 1)).expect("ours");
        let ended = bed.run("resume out --force").exits(2);
        ended.reports(expected);
    }
    fs::write(&config, text).expect("ours");
    // A process that was killed while it wrote this leaves it behind.
    let new = bed.path("out/games.pgn.new");
    fs::write(&new, "torn").expect("new");
    let ended = bed.run("resume out --force").exits(0);
    ended.reports("; the run is complete\n");
    assert!(!new.exists());
    assert_pgn_agrees(&bed, "out");
}

#[test]
fn two_processes_do_not_write_one_run() {
    let bed = Bed::new();
    let slow = "match './engine --sleep=20' ./engine --nodes 1 --rounds 1000 --out out";
    let mut child = bed.spawn(slow);
    wait_until(|| bed.path("out/ledger.jsonl").exists());
    let ended = bed.run("resume out").exits(3);
    let expected = format!("out is in use by another process, {}", child.id());
    ended.reports(&expected);
    bed.run(slow).exits(2);
    child.kill().expect("ours");
    wait(child);
}

#[test]
fn programs_that_were_changed_are_noticed() {
    let bed = Bed::new();
    let engine = bed.path(&format!("copy{EXE_SUFFIX}"));
    fs::copy(testkit::programs::scripted_engine(), &engine).expect("a copy");
    let few = "match ./copy ./engine --nodes 1 --rounds 1 --max-moves 2 --out out";
    bed.run(few).exits(0);
    let mut bytes = fs::read(&engine).expect("there");
    bytes.push(0);
    fs::write(&engine, bytes).expect("ours");
    let ended = bed.run("resume out").exits(2);
    ended.reports("the program of engine 'copy' has changed");
    ended.reports("start a new run, or resume with --allow-changed-engines");
    bed.run("resume out --force").exits(2);
    bed.run("resume out --allow-changed-engines").exits(0);
}

#[test]
fn a_program_that_is_replaced_during_a_run_ends_it() {
    let bed = Bed::new();
    let engine = bed.path(&format!("copy{EXE_SUFFIX}"));
    let other = bed.path("other");
    fs::copy(testkit::programs::scripted_engine(), &engine).expect("a copy");
    let mut bytes = fs::read(&engine).expect("there");
    bytes.push(0);
    let child = bed.spawn(
        "match 'cmd=./copy restart=on' './engine --sleep=20' --nodes 1 --rounds 1000 --max-moves 2 --out out",
    );
    wait_until(|| fs::metadata(bed.path("out/ledger.jsonl")).is_ok_and(|data| data.len() > 0));
    fs::copy(&engine, &other).expect("a copy");
    fs::write(&other, &bytes).expect("ours");
    fs::rename(&other, &engine).expect("in one step, as a linker does");
    let ended = wait(child);
    assert_eq!(ended.code, 3, "{ended:?}");
    ended.reports("error: copy: its program ");
    ended.reports(" has changed from ");
    ended.reports(" recorded; resume with: selfplay resume out");
    let before = bed.read("out").records;
    assert!(
        before
            .iter()
            .all(|one| one.fault.is_none() && one.incidents.is_empty())
    );
    bed.run("resume out").exits(2);
    let mut child = bed.spawn("resume out --allow-changed-engines");
    let changed = || {
        let mut records = bed.read("out").records.into_iter().skip(before.len());
        records.find(|one| !one.incidents.is_empty())
    };
    wait_until(|| changed().is_some());
    child.kill().expect("ours");
    wait(child);
    let incidents = changed().expect("just seen").incidents;
    let [incident] = &incidents[..] else {
        panic!("{incidents:?}");
    };
    assert_eq!(incident.kind, selfplay::model::FaultKind::ChangedEngine);
    let expected = " has changed from ";
    assert!(incident.detail.contains(expected), "{incident:?}");
    assert_eq!(bed.read("out").records[..before.len()], before);
}
