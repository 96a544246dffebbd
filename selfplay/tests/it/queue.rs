//! `scripts/sprt-queue`, with the program and fake engines.

#![expect(
    clippy::disallowed_methods,
    reason = "tests start programs and write files"
)]

use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::common::{BUILD, Bed, assert_nobody_in, interrupt, make_repository, wait, wait_until};

/// Starts the queue of the file `tests`, with no `epd` to find.
fn start(bed: &Bed) -> Child {
    Command::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../scripts/sprt-queue"
    ))
    .args(["tests", "-o", "runs", "--bin", "bin"])
    .current_dir(bed.folder.path())
    .stdin(Stdio::null())
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .expect("python3 is installed")
}

fn bed(tests: &str) -> Bed {
    let bed = Bed::new();
    fs::create_dir(bed.path("bin")).expect("new");
    symlink(env!("CARGO_BIN_EXE_selfplay"), bed.path("bin/selfplay")).expect("a link");
    fs::write(bed.path("tests"), tests).expect("ours");
    bed
}

/// Name, verdict and number of pairs of all results.
fn results(bed: &Bed) -> Vec<String> {
    let text = fs::read_to_string(bed.path("runs/results.json")).expect("there");
    let json: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["schema"], "touchstone/sprt-queue/1");
    let tests = json["tests"].as_array().expect("an array").iter();
    tests
        .map(|test| {
            let [name, verdict] = ["name", "verdict"].map(|key| test[key].as_str().expect("text"));
            let counts = test["pairing"]["pentanomial"].as_array().into_iter();
            let pairs: u64 = counts.flatten().filter_map(Value::as_u64).sum();
            format!("{name} {verdict} {pairs}")
        })
        .collect()
}

const ALL: &str = "all './engine --seed=3' --nodes 1 --elo0 0 --elo1 5 --rounds 1 --max-moves 4 --variant chess960 -j 1\n";

#[test]
fn a_failed_test_does_not_stop_the_queue_and_a_complete_one_is_not_played_again() {
    let built = "rev:v3 --repo repo --config cache.toml --artifact out/engine --rounds 2";
    let bed = bed(&format!(
        "{ALL}broken {built} --build false # does not build\nplayed './engine --seed=7' --rounds 3\n\
         all ./engine --nodes 1 --max-moves 4 --variant chess960\n\
         fixed match './engine --seed=7' --rounds 1\n"
    ));
    make_repository(&bed.path("repo"), &bed.path("engine"));
    let ended = wait(start(&bed)).exits(3);
    assert!(
        ended
            .stdout
            .contains("| broken | failed: the build of v3 ("),
        "{ended:?}"
    );
    let expected = ["broken failed 0", "played undecided 3", "fixed played 1"];
    assert_eq!(results(&bed), expected);
    let table = fs::read_to_string(bed.path("runs/results.md")).expect("there");
    assert_eq!(table.lines().count(), 5, "{table}");
    let expected = "| played | undecided | 3 [0, 0, 3, 0, 0] | ";
    assert!(table.contains(expected), "{table}");

    // The reason is gone, and the test is tried again; a complete one is left alone.
    let ledger = fs::read(bed.path("runs/played/ledger.jsonl")).expect("there");
    let tests = fs::read_to_string(bed.path("tests")).expect("ours");
    fs::write(
        bed.path("tests"),
        tests.replace("--build false", &format!("--build {BUILD}")),
    )
    .expect("ours");
    wait(start(&bed)).exits(0);
    let expected = ["broken undecided 2", "played undecided 3", "fixed played 1"];
    assert_eq!(results(&bed), expected);
    assert!(fs::read(bed.path("runs/played/ledger.jsonl")).expect("there") == ledger);

    // Other arguments are another test.
    fs::write(bed.path("tests"), tests.replace("--rounds 3", "--rounds 4")).expect("ours");
    wait(start(&bed))
        .exits(0)
        .reports("error: test 'broken' has begun with other arguments");
    fs::write(bed.path("tests"), "one --rounds '1\n").expect("ours");
    wait(start(&bed))
        .exits(2)
        .reports("error: tests:1: No closing quotation");
}

#[test]
fn an_interrupted_or_killed_queue_resumes() {
    let bed = bed(&format!(
        "{ALL}slow './engine --seed=7 --hang --at=10 --once=hung' --rounds 20\n"
    ));
    let ledger = bed.path("runs/slow/ledger.jsonl");
    let recorded = || fs::read_to_string(&ledger).map_or(0, |text| text.lines().count());
    let first = start(&bed);
    // In its third game, which would last for minutes.
    wait_until(|| bed.path("hung").exists());
    interrupt(&first);
    wait(first).exits(130);
    assert_nobody_in(bed.folder.path());
    let before = recorded();
    assert!(before > 0);
    fs::remove_file(bed.path("hung")).expect("there");
    let mut second = start(&bed);
    wait_until(|| bed.path("hung").exists());
    assert!(recorded() > before);
    second.kill().expect("ours");
    wait(second);
    // Its test goes on, and the next queue does not play beside it.
    let expected = "error: a queue plays there, or the test of a queue that was killed";
    wait(start(&bed)).exits(3).reports(expected);
    assert_eq!(results(&bed), ["slow running 0"]);
    let id = fs::read_to_string(bed.path("runs/slow/lock")).expect("there");
    testkit::processes::kill(id.trim().parse().expect("a number"));
    assert_nobody_in(bed.folder.path());
    wait(start(&bed)).exits(0);
    assert_eq!(results(&bed), ["slow undecided 20"]);
    assert_eq!(recorded(), 40);
}
