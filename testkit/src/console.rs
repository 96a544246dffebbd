//! Pages whose commands are run: blocks marked `console`.
//!
//! `$ ` begins a command, `> ` continues it; what follows is its output. A line `…` stands for any
//! lines, `…` in a line for any text.
#![expect(clippy::disallowed_methods, reason = "other processes are watched")]

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use regex_lite::Regex;

use crate::programs;

/// A command with what the page says it prints.
pub struct Step {
    /// The line of the page, from 1 on.
    pub line: usize,
    /// The command, for a shell.
    pub command: String,
    /// The output, on both streams.
    pub output: String,
}

/// The commands of a page, in order.
///
/// # Panics
///
/// When a block begins without a command.
pub fn steps(page: &str) -> Vec<Step> {
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

/// What a shown output stands for.
///
/// # Panics
///
/// When the text is too large for a pattern.
pub fn pattern(shown: &str) -> Regex {
    let lines = shown.lines().map(|line| {
        if line == "…" {
            return "(?:.*\n)*?".to_owned();
        }
        let parts: Vec<String> = line.split('…').map(regex_lite::escape).collect();
        parts.join(".*") + "\n"
    });
    Regex::new(&format!("^{}$", lines.collect::<String>())).expect("a pattern")
}

/// What a program says only where the machine is slow: how long the rest will take.
const OF_SLOW_MACHINES: &str = " positions asked, about ";

/// What a command prints on both streams, run by a shell in a folder, on a fast machine.
///
/// # Panics
///
/// When there is no shell, or the output is not UTF-8.
pub fn said(folder: &Path, path: &OsStr, command: &str) -> String {
    let ran = Command::new("sh")
        // One stream for both keeps their lines in order.
        .args(["-c", &format!("exec 2>&1\n{command}\n")])
        .current_dir(folder)
        .env("PATH", path)
        // In a workflow of GitHub, programs would add to its summary.
        .env_remove("GITHUB_STEP_SUMMARY")
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    let printed = String::from_utf8(ran.stdout).expect("UTF-8");
    let lines = printed.split_inclusive('\n');
    lines
        .filter(|line| !line.contains(OF_SLOW_MACHINES))
        .collect()
}

/// `PATH` with the scripted engine, which is an example, and the programs, which are one folder up.
///
/// # Panics
///
/// When the engine has not been built.
pub fn path_of_programs() -> OsString {
    let system = std::env::var_os("PATH").unwrap_or_default();
    let engine = programs::scripted_engine();
    let programs = engine.ancestors().skip(1).take(2).map(Path::to_owned);
    let path = programs.chain(std::env::split_paths(&system));
    std::env::join_paths(path).expect("a path")
}

/// Runs the commands of a page in order, in a folder, and compares what they print with the page.
///
/// # Panics
///
/// When a command prints something else; when there are fewer than `least` commands.
pub fn check(name: &str, page: &str, least: usize, folder: &Path) {
    let steps = steps(page);
    assert!(
        steps.len() >= least,
        "{name}: {} commands were found",
        steps.len()
    );
    let path = path_of_programs();
    for step in steps {
        let said = said(folder, &path, &step.command);
        assert!(
            pattern(&step.output).is_match(&said),
            "{name}:{}: $ {}\n--- the page\n{}--- the program\n{said}",
            step.line,
            step.command,
            step.output
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
