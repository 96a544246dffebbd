//! `epd bench`, as its users see it.
#![cfg(unix)]
#![expect(
    clippy::disallowed_methods,
    reason = "git is run and files are written"
)]

mod common;
#[path = "common/engine.rs"]
mod engine;

use std::path::Path;
use std::process::Command;

use common::check;
use engine::script;

const STOCKFISH: &str = r#"if [ "$1" = bench ]; then
  echo "info depth 1 nodes 12 nps 100"
  echo "Nodes searched  : 4463545" >&2
  exit 0
fi"#;

/// Knows `bench` on standard input alone, and goes on afterwards.
const BY_INPUT: &str = r#"while read -r line; do
  case "$line" in
    bench) echo "Position 1: 100 nodes 900 nps"; echo "total 4463545 nodes 1000 nps" ;;
    isready) echo readyok ;;
    quit) exit 0 ;;
  esac
done"#;

fn run(folder: &Path, arguments: &[&str]) -> String {
    common::run_in(folder, &[&["bench", "--engine"], arguments].concat())
}

#[test]
fn signatures() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    script(folder, "fish", STOCKFISH);
    check!("bench", text run(folder, &["./fish"]));
    check!("bench_agrees", text run(folder, &["./fish", "--expect", "4463545"]));
    check!("bench_differs", text run(folder, &["./fish", "--expect", "4463546", "--format", "json"]));
    std::fs::write(folder.join("bench.txt"), "# of main\nBench: 4463545\n").unwrap();
    check!("bench_file", text run(folder, &["./fish", "--expect-file", "bench.txt"]));
    std::fs::write(folder.join("empty.txt"), "").unwrap();
    check!("bench_empty_file", text run(folder, &["./fish", "--expect-file", "empty.txt"]));
}

#[test]
fn by_input() {
    let folder = tempfile::tempdir().unwrap();
    script(folder.path(), "input", BY_INPUT);
    check!("bench_input", text run(folder.path(), &["./input", "--expect", "4463545"]));
}

#[test]
fn failures() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    script(folder, "crash", "echo 'Nodes searched: 5'; exit 3");
    script(folder, "silent", "exit 0");
    script(folder, "hang", "sleep 60");
    for (engine, expected) in [
        (
            "./crash",
            "error: ./crash: the engine ended with exit code 3",
        ),
        (
            "./silent",
            "error: ./silent: no node count in what it printed",
        ),
        ("./hang", "error: ./hang: no end after 0.2 s"),
        ("./nobody", "error: ./nobody: "),
    ] {
        let text = run(folder, &[engine, "--timeout", "0.2"]);
        assert!(
            text.starts_with("exit 3\n--- stdout\n--- stderr\n"),
            "{text}"
        );
        assert!(text.contains(expected), "{text}");
    }
}

/// A repository with a commit for each message.
fn repository(folder: &Path, messages: &[&str]) {
    let git = |arguments: &[&str]| {
        let status = Command::new("git")
            .current_dir(folder)
            .args([
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@example.com",
                "-c",
                "commit.gpgsign=false",
            ])
            .args(arguments)
            .status();
        assert!(status.expect("git starts").success());
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
    repository(
        folder,
        &[
            "Untold",
            "First\n\nBench: 4463545",
            "Tidy\n\nNo functional change",
            "Last\n\nbench 7",
        ],
    );
    for (revision, code, expected) in [
        ("HEAD", 1, "4463545, but commit "),
        ("HEAD~1", 0, "4463545, as commit "),
        ("HEAD~2", 0, "4463545, as commit "),
        (
            "HEAD~3",
            2,
            "says neither 'Bench: N' nor 'No functional change'",
        ),
        ("nowhere", 2, "error: --from-commit nowhere: fatal: "),
    ] {
        let text = run(folder, &["./fish", "--from-commit", revision]);
        assert!(
            text.starts_with(&format!("exit {code}\n")),
            "{revision}: {text}"
        );
        assert!(text.contains(expected), "{revision}: {text}");
    }
    let text = run(folder, &["./fish", "--from-commit"]);
    assert!(text.starts_with("exit 1\n"), "{text}");
}

/// Its bench is the same by either way.
#[cfg(feature = "oracles")]
#[test]
fn stockfish() {
    let folder = tempfile::tempdir().unwrap();
    let words = "bench 16 1 4 default depth";
    let text = run(folder.path(), &["stockfish", "--args", words]);
    let nodes = text.lines().nth(2).unwrap_or_default();
    assert!(nodes.parse::<u64>().is_ok(), "{text}");
    let text = run(
        folder.path(),
        &[
            "stockfish",
            "--args",
            words,
            "--way",
            "input",
            "--expect",
            nodes,
        ],
    );
    assert!(text.starts_with("exit 0\n"), "{text}");
}
