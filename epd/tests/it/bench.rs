//! `epd bench`.
#![expect(clippy::disallowed_methods, reason = "git is run")]

use std::path::Path;
use std::process::Command;

use crate::common::{
    check, ends, fails, holds, path_in, place, read, run_in, run_words, script, write,
};
use crate::run;

const STOCKFISH: &str = r#"if [ "$1" = bench ]; then
  echo "info depth 1 nodes 12 nps 100"
  echo "Nodes searched  : 4463545" >&2
  exit 0
fi"#;

/// Knows `bench` on standard input only, and keeps running afterwards.
const BY_INPUT: &str = r#"while read -r line; do
  case "$line" in
    bench) echo "Position 1: 100 nodes 900 nps"; echo "total 4463545 nodes 1000 nps" ;;
    isready) echo readyok ;;
    quit) exit 0 ;;
  esac
done"#;

fn bench(folder: impl AsRef<Path>, arguments: &str) -> String {
    run_words(folder, &format!("bench --engine {arguments}"))
}

#[test]
fn signatures() {
    let place = place();
    script(&place, "fish", STOCKFISH);
    script(&place, "input", BY_INPUT);
    write(&place, "bench.txt", "# of main\nBench: 4463545\n");
    write(&place, "empty.txt", "");
    for (name, arguments) in [
        ("bench", "./fish"),
        ("bench_agrees", "./fish --expect 4463545"),
        ("bench_differs", "./fish --expect 4463546 --format json"),
        ("bench_file", "./fish --expect bench.txt"),
        ("bench_empty_file", "./fish --expect empty.txt"),
        ("bench_input", "./input --expect 4463545"),
    ] {
        check!(name, bench(&place, arguments));
    }
}

/// A baseline has it, and the comparison names it.
#[test]
fn of_a_baseline() {
    let place = place();
    let engine = run::engine("right.txt");
    script(&place, "fish", &format!("{STOCKFISH}\nexec {engine}"));
    let (fish, base) = (path_in(&place, "fish"), path_in(&place, "base.json"));
    let run = |more: &str| {
        let more = format!("--nodes 1000 {more} {base}");
        run::run_on(run::folder(), "all.epd", &[&fish], &more)
    };
    run("--save");
    holds(&read(&place, "base.json"), &["\"bench\": 4463545,"]);
    let says = "the baseline is of Scripted 1.0, bench 4463545";
    holds(&run("--baseline"), &[says]);
}

#[test]
fn failures() {
    let place = place();
    script(&place, "crash", "echo 'Nodes searched: 5'; exit 3");
    script(&place, "silent", "exit 0");
    script(&place, "hang", "sleep 60");
    for (engine, timeout, expected) in [
        ("crash", "5m", "the engine ended with exit code 3"),
        ("silent", "5m", "no node count in its output"),
        ("hang", "0.2", "no end after 0.2 s"),
        ("nobody", "5m", ""),
    ] {
        let text = bench(&place, &format!("./{engine} --timeout {timeout}"));
        fails(&text, 3, &format!("error: ./{engine}: {expected}"));
    }
}

/// No engine is asked for options that it may not have: its `bench` would ignore them.
#[test]
fn options_are_rejected() {
    let place = place();
    script(&place, "fish", STOCKFISH);
    let option = "--engine: option.Hash: options are not set for a bench";
    let key = "bogus: unknown key, expected cmd, args, dir, name, proto, env.NAME or option.NAME";
    for (engine, expected) in [
        ("./fish --option Hash=16", "unexpected argument '--option'"),
        ("./fish --bogus", "unexpected argument '--bogus'"),
        ("cmd=./fish\toption.Hash=16", option),
        ("cmd=./fish\tbogus=16", key),
    ] {
        let words = format!("bench --engine {engine}");
        let words: Vec<String> = words
            .split(' ')
            .map(|word| word.replace('\t', " "))
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        fails(&run_in(&place, &words), 2, expected);
    }
}

/// Creates a repository with a commit for each message.
fn repository(folder: &Path, messages: &[&str]) {
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.current_dir(folder);
        git.args(["-c", "user.name=a", "-c", "user.email=a@example.com"]);
        git.args(["-c", "commit.gpgsign=false"]);
        assert!(git.args(arguments).status().expect("git starts").success());
    };
    git(&["init", "-q"]);
    for message in messages {
        git(&["commit", "-q", "--allow-empty", "-m", message]);
    }
}

#[test]
fn commits() {
    let place = place();
    script(&place, "fish", STOCKFISH);
    let (first, last) = ("First\n\nBench: 4463545", "Last\n\nbench 7");
    let unchanged = "Tidy\n\nNo functional change";
    repository(place.path(), &["Begin", first, unchanged, last]);
    let nothing = "has neither 'Bench: N' nor 'No functional change'";
    let nowhere = "error: --expect nowhere: neither a file nor a commit: fatal: ";
    for (revision, code, expected) in [
        ("HEAD", 1, "4463545, but commit "),
        ("HEAD~1", 0, "4463545, as commit "),
        ("HEAD~2", 0, "4463545, as commit "),
        ("HEAD~3", 2, nothing),
        ("nowhere", 2, nowhere),
    ] {
        let text = bench(&place, &format!("./fish --expect {revision}"));
        ends(&text, code, &[expected]);
    }
}

#[cfg(feature = "oracles")]
#[test]
fn stockfish() {
    let args = "bench 16 1 4 default depth";
    let fixed = ["bench", "--engine", "stockfish", "--args", args];
    let text = run_in(".", &fixed);
    let nodes = text.lines().nth(2).unwrap_or_default();
    assert!(nodes.parse::<u64>().is_ok(), "{text}");
    let again = run_in(".", &[&fixed[..], &["--expect", nodes]].concat());
    ends(&again, 0, &[]);
}
