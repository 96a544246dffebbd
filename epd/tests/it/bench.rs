//! `epd bench`.
#![expect(clippy::disallowed_methods, reason = "git is run")]

use std::path::Path;
use std::process::Command;

#[cfg(feature = "oracles")]
use crate::common::run_in;
use crate::common::{check, read, run_words, script, write};
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

fn bench(folder: &Path, arguments: &str) -> String {
    run_words(folder, &format!("bench --engine {arguments}"))
}

#[test]
fn signatures() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    script(folder, "fish", STOCKFISH);
    check!("bench", bench(folder, "./fish"));
    check!("bench_agrees", bench(folder, "./fish --expect 4463545"));
    let differs = bench(folder, "./fish --expect 4463546 --format json");
    check!("bench_differs", differs);
    write(folder, "bench.txt", "# of main\nBench: 4463545\n");
    check!("bench_file", bench(folder, "./fish --expect bench.txt"));
    write(folder, "empty.txt", "");
    let empty = bench(folder, "./fish --expect empty.txt");
    check!("bench_empty_file", empty);
    script(folder, "input", BY_INPUT);
    check!("bench_input", bench(folder, "./input --expect 4463545"));
}

/// A baseline has it, and the comparison names it.
#[test]
fn of_a_baseline() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path();
    let engine = run::engine("right.txt");
    script(folder, "fish", &format!("{STOCKFISH}\nexec {engine}"));
    let fish = folder.join("fish").display().to_string();
    let base = folder.join("base.json").display().to_string();
    let run = |more: &str| {
        let more = format!("--nodes 1000 {more} {base}");
        run::run_on(&run::folder(), "all.epd", &[&fish], &more)
    };
    run("--save");
    assert!(read(folder, "base.json").contains("\"bench\": 4463545,"));
    let compared = run("--baseline");
    assert!(
        compared.contains("the baseline is of Scripted 1.0, bench 4463545"),
        "{compared}"
    );
}

#[test]
fn failures() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    script(folder, "crash", "echo 'Nodes searched: 5'; exit 3");
    script(folder, "silent", "exit 0");
    script(folder, "hang", "sleep 60");
    for (engine, timeout, expected) in [
        ("crash", "5m", "the engine ended with exit code 3"),
        ("silent", "5m", "no node count in its output"),
        ("hang", "0.2", "no end after 0.2 s"),
        ("nobody", "5m", ""),
    ] {
        let text = bench(folder, &format!("./{engine} --timeout {timeout}"));
        assert!(
            text.starts_with("exit 3\n--- stdout\n--- stderr\n"),
            "{text}"
        );
        let expected = format!("error: ./{engine}: {expected}");
        assert!(text.contains(&expected), "{text}");
    }
}

/// Creates a repository with a commit for each message.
fn repository(folder: &Path, messages: &[&str]) {
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.current_dir(folder);
        for setting in [
            "user.name=a",
            "user.email=a@example.com",
            "commit.gpgsign=false",
        ] {
            git.args(["-c", setting]);
        }
        assert!(git.args(arguments).status().expect("git starts").success());
    };
    git(&["init", "-q"]);
    for message in messages {
        git(&["commit", "-q", "--allow-empty", "-m", message]);
    }
}

#[test]
fn commits() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    script(folder, "fish", STOCKFISH);
    let unchanged = "Tidy\n\nNo functional change";
    let messages = [
        "Begin",
        "First\n\nBench: 4463545",
        unchanged,
        "Last\n\nbench 7",
    ];
    repository(folder, &messages);
    let nothing = "has neither 'Bench: N' nor 'No functional change'";
    for (revision, code, expected) in [
        ("HEAD", 1, "4463545, but commit "),
        ("HEAD~1", 0, "4463545, as commit "),
        ("HEAD~2", 0, "4463545, as commit "),
        ("HEAD~3", 2, nothing),
        (
            "nowhere",
            2,
            "error: --expect nowhere: neither a file nor a commit: fatal: ",
        ),
    ] {
        let text = bench(folder, &format!("./fish --expect {revision}"));
        let exit = format!("exit {code}\n");
        assert!(text.starts_with(&exit), "{revision}: {text}");
        assert!(text.contains(expected), "{revision}: {text}");
    }
}

#[cfg(feature = "oracles")]
#[test]
fn stockfish() {
    let fixed = [
        "bench",
        "--engine",
        "stockfish",
        "--args",
        "bench 16 1 4 default depth",
    ];
    let text = run_in(Path::new("."), &fixed);
    let nodes = text.lines().nth(2).unwrap_or_default();
    assert!(nodes.parse::<u64>().is_ok(), "{text}");
    let more = ["--expect", nodes];
    let text = run_in(Path::new("."), &[&fixed[..], &more].concat());
    assert!(text.starts_with("exit 0\n"), "{text}");
}
