//! Running the program in a folder, and tables of cases.
#![expect(clippy::disallowed_methods, reason = "another process is watched")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use assert_cmd::cargo::CommandCargoExt as _;

use testkit::programs::{self, shown};

/// The program, to be run in a folder with its streams caught.
pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("epd").expect("the program is built");
    command.current_dir(folder).args(arguments);
    for set in [Command::stdin, Command::stdout, Command::stderr] {
        set(&mut command, Stdio::piped());
    }
    command
}

/// Exit code, standard output and standard error of a run.
pub(crate) fn run_in(folder: &Path, arguments: &[&str]) -> String {
    run_fed(folder, arguments, "")
}

/// As [`run_in`], with arguments that are separated by blanks.
pub(crate) fn run_words(folder: &Path, arguments: &str) -> String {
    run_in(folder, &words(arguments))
}

pub(crate) fn words(arguments: &str) -> Vec<&str> {
    arguments.split_whitespace().collect()
}

/// As [`run_in`], with something on standard input.
pub(crate) fn run_fed(folder: &Path, arguments: &[&str], input: &str) -> String {
    let mut child = spawn(folder, arguments);
    let mut stdin = child.stdin.take().expect("it is piped");
    // A program that rejects its arguments does not read.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    shown(child.wait_with_output().expect("the program ends"))
}

/// Starts the program without waiting for it.
pub(crate) fn spawn(folder: &Path, arguments: &[&str]) -> Child {
    let child = command(folder, arguments).spawn();
    child.expect("the program starts")
}

#[cfg(target_os = "linux")]
/// As [`run_in`], with Ctrl-C as soon as the program listens for it.
pub(crate) fn interrupted(folder: &Path, arguments: &[&str]) -> String {
    shown(programs::interrupt(spawn(folder, arguments), || true))
}

pub(crate) fn scripted_engine() -> String {
    programs::scripted_engine().display().to_string()
}

/// Writes a program of the shell into a folder; it is run as `./NAME`.
#[cfg(unix)]
pub(crate) fn script(folder: &Path, name: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt as _;

    write(folder, name, &format!("#!/bin/sh\n{text}"));
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.join(name), mode).expect("the file is ours");
}

pub(crate) fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("the folder can be written to");
}

pub(crate) fn read(folder: &Path, name: &str) -> String {
    let text = std::fs::read_to_string(folder.join(name));
    programs::portable(text.expect("the file can be read"))
}

/// A case of a table: its input, and the lines below it.
pub(crate) struct Case {
    pub(crate) input: String,
    pub(crate) lines: Vec<String>,
}

/// Reads a table of cases: `>` begins an input, `#` a comment; lines may also follow the input behind
/// ` => `, separated by ` | `. Control characters and blanks at the ends of lines are written as their
/// pictures, U+2400 and following.
pub(crate) fn table(text: &str) -> Vec<Case> {
    let control = |c: char| match c {
        '\u{2400}'..='\u{2420}' => char::from_u32(u32::from(c) - 0x2400).expect("below U+0080"),
        c => c,
    };
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        let line: String = line.chars().map(control).collect();
        if let Some(row) = line.strip_prefix('>') {
            let (input, rest) = row.split_once(" => ").unwrap_or((row, ""));
            let lines = rest.split(" | ").filter(|line| !line.is_empty());
            let (input, lines) = (input.to_owned(), lines.map(str::to_owned).collect());
            cases.push(Case { input, lines });
        } else if !line.starts_with('#') && !line.is_empty() {
            cases.last_mut().expect("an input first").lines.push(line);
        }
    }
    cases
}

/// Compares with the stored snapshot, times and rates left out.
macro_rules! check {
    ($name:expr, $text:expr) => {
        insta::with_settings!({filters => [
            (r"(in|after) \d+\.\d+ s", "$1 [time]"),
            (r#"time="[\d.]+""#, r#"time="[time]""#),
            (r"about \d+ (s|min|h)\b", "about [time]"),
        ]}, {
            insta::assert_snapshot!($name, $text);
        });
    };
}
pub(crate) use check;
