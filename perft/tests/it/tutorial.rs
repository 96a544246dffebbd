//! `docs/tutorial.md`: its commands are run, in order, and say what the page says; so does the picture of the README.
//!
//! Blocks marked `console` are run by a shell in an empty folder. `$ ` begins a command, `> ` goes on with
//! it; what follows is its output. A line `…` stands for any lines, `…` in a line for any text.
#![expect(clippy::disallowed_methods, reason = "other processes are watched")]

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use regex::Regex;

/// A command with what it is said to print.
struct Step {
    line: usize,
    command: String,
    output: String,
}

fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut is_console = false;
    for (index, line) in page.lines().enumerate() {
        let is_fence = line.starts_with("```");
        if is_fence {
            is_console = line == "```console";
        }
        if is_fence || !is_console {
            continue;
        }
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step {
                line: index + 1,
                command: command.to_owned(),
                output: String::new(),
            });
        } else {
            let step = steps.last_mut().expect("a block begins with a command");
            match line.strip_prefix("> ").filter(|_| step.output.is_empty()) {
                Some(more) => write!(step.command, "\n{more}"),
                None => writeln!(step.output, "{line}"),
            }
            .expect("a string takes all");
        }
    }
    steps
}

/// What the shown output stands for.
fn pattern(shown: &str) -> Regex {
    let lines = shown.lines().map(|line| {
        if line == "…" {
            return "(?:.*\n)*?".to_owned();
        }
        let parts: Vec<String> = line.split('…').map(regex::escape).collect();
        parts.join(".*") + "\n"
    });
    Regex::new(&format!("^{}$", lines.collect::<String>())).expect("a pattern")
}

fn said(folder: &Path, path: &std::ffi::OsStr, command: &str) -> String {
    let ran = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{command}\n")])
        .current_dir(folder)
        .env("PATH", path)
        .env_remove("GITHUB_STEP_SUMMARY")
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    String::from_utf8(ran.stdout).expect("UTF-8")
}

/// `PATH` with the scripted engine, which is an example, and the programs, which are one folder up.
fn path_of_programs() -> std::ffi::OsString {
    let system = std::env::var_os("PATH").unwrap_or_default();
    let engine = testkit::programs::scripted_engine();
    let programs = engine.ancestors().skip(1).take(2).map(Path::to_owned);
    let path = programs.chain(std::env::split_paths(&system));
    std::env::join_paths(path).expect("a path")
}

#[test]
fn the_tutorial_is_true() {
    let page = include_str!("../../../docs/tutorial.md");
    let steps = steps(page);
    assert!(steps.len() >= 10, "{} commands were found", steps.len());
    let folder = tempfile::tempdir().expect("a folder");
    let in_python = include_str!("../../../docs/examples/sixty_lines.py");
    std::fs::write(folder.path().join("sixty_lines.py"), in_python).expect("a file");
    let path = path_of_programs();
    for step in steps {
        let said = said(folder.path(), &path, &step.command);
        assert!(
            pattern(&step.output).is_match(&said),
            "docs/tutorial.md:{}: $ {}\n--- the page\n{}--- the program\n{said}",
            step.line,
            step.command,
            step.output
        );
    }
}

/// `cargo run -p touchstone-xtask -- picture` draws it anew.
#[test]
fn the_picture_of_the_readme_is_true() {
    let picture = include_str!("../../../docs/pictures/hunt.svg");
    let (_, text) = picture.split_once("<text").expect("a text");
    let tags = Regex::new("^[^>]*>|<[^>]*>").expect("a pattern");
    let text = tags.replace_all(text, "").replace("&#39;", "'");
    // Each line is indented in the file, and ends with one that is empty.
    let lines: Vec<&str> = text.lines().skip(1).step_by(2).collect();
    let (command, output) = lines.split_first().expect("a command");
    let command = command.trim_start().strip_prefix("$ ").expect("a prompt");
    let output = output.iter().map(|line| line.get(4..).unwrap_or_default());
    let times = Regex::new(r"[0-9.]+ s$").expect("a pattern");
    let output: Vec<_> = output.map(|line| times.replace(line, "… s")).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let engine = "printf '#!/bin/sh\nexec scripted_engine --mutation ep-rank-pin-ignored\n' >my-engine; chmod +x my-engine";
    let command = format!("{engine}\n{command}");
    let said = said(folder.path(), &path_of_programs(), &command);
    let shown = output.join("\n");
    let shown = shown.trim_end().to_owned() + "\n";
    assert!(
        shown.contains("FAULT") && pattern(&shown).is_match(&said),
        "{shown}\n---\n{said}"
    );
}

#[test]
fn patterns_are_no_looser_than_they_look() {
    let rows = [
        ("one\n…\ntwo … 3\n", "one\na\nb\ntwo or 3\n", true),
        ("one\n…\ntwo\n", "one\ntwo\n", true),
        ("one\n", "one\ntwo\n", false),
        ("a.c\n", "abc\n", false),
        ("one … two\n", "one\ntwo\n", false),
        ("", "anything\n", false),
    ];
    for (shown, said, matches) in rows {
        assert_eq!(pattern(shown).is_match(said), matches, "{shown:?} {said:?}");
    }
}
