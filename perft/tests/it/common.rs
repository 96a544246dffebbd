//! Running the program and comparing what it prints with snapshots.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use assert_cmd::cargo::CommandCargoExt as _;

use testkit::programs;
pub(crate) use testkit::programs::{text, wait_until};

pub(crate) const SUITES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suites");

/// The program, to be run in a folder.
pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("perft").expect("the program is built");
    command.current_dir(folder).args(arguments);
    command
}

/// Exit code, standard output and standard error of a run in the folder of the test suites.
pub(crate) fn run(arguments: &[&str]) -> String {
    run_in(Path::new(SUITES), arguments)
}

/// As [`run`], in another folder.
pub(crate) fn run_in(folder: &Path, arguments: &[&str]) -> String {
    let output = command(folder, arguments).output();
    programs::shown(output.expect("the program starts"))
}

/// The standard output in the result of [`run`].
pub(crate) fn stdout_of(result: &str) -> &str {
    let (_, stdout) = result.split_once("--- stdout\n").expect("standard output");
    let (stdout, _) = stdout.split_once("--- stderr\n").expect("standard error");
    stdout
}

/// Runs each line as arguments of the program, quoted as for a shell. The text holds the commands
/// and their results.
pub(crate) fn session(lines: &str) -> String {
    let mut text = String::new();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words = shlex::split(line.trim_end_matches('.')).expect("quotation marks are closed");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        writeln!(text, "$ perft {line}\n{}", run(&words)).expect("a string can be written to");
    }
    text
}

/// Shorter for snapshots: exit code 0 is left out, and lines of standard error begin with `2> `.
pub(crate) fn compact(results: &str) -> String {
    let mut text = String::new();
    let mut is_stderr = false;
    for line in results.lines() {
        let is_code = line.starts_with("exit ");
        is_stderr = line == "--- stderr" || is_stderr && !is_code && !line.starts_with("$ perft");
        if !["exit 0", "--- stdout", "--- stderr"].contains(&line) {
            let prefix = if is_stderr && !line.is_empty() {
                "2> "
            } else {
                ""
            };
            writeln!(text, "{prefix}{line}").expect("a string can be written to");
        }
    }
    text
}

/// Compares texts with a stored snapshot, without times and rates.
macro_rules! snapshot {
    ($name:literal, $text:expr) => {
        insta::with_settings!({omit_expression => true, filters => [
            (r"in \d+\.\d+ s, [\d.,]+ million nodes a second", "in [time], [rate]"),
            (r"(in|after) \d+\.\d+ s", "$1 [time]"),
            (r#""seconds": [\d.e-]+"#, r#""seconds": "[time]""#),
            (r#"time="[\d.]+""#, r#"time="[time]""#),
            (r"\d\.\d{6}\n", "[time]\n"),
            (r"\.touchstone-\w+", ".touchstone-[random]"),
            (r" +\d+\.\d{3} ([<>])", " [time] $1"),
        ]}, {
            insta::assert_snapshot!($name, $crate::common::compact($text.as_ref()));
        });
    };
}
pub(crate) use snapshot;

/// The path of the engine that misbehaves on demand.
pub(crate) fn path() -> String {
    programs::scripted_engine().display().to_string()
}

/// The command line of an engine with some flags.
pub(crate) fn engine(flags: &str) -> String {
    format!("{} {flags}", path()).trim().to_owned()
}

/// A report without the folder of the engine.
pub(crate) fn without_folder(report: &str) -> String {
    report.replace(&programs::portable(path()), "scripted_engine")
}

/// Compares the exit code, and looks for words in a report.
pub(crate) fn assert_says(flags: &str, text: &str, exit: u8, says: &[&str]) {
    let code = format!("exit {exit}\n");
    assert!(text.starts_with(&code), "{flags}: {text}");
    for words in says {
        assert!(text.contains(words), "{flags}: no '{words}' in {text}");
    }
}

/// Cells of a table, one row per line.
pub(crate) fn rows(table: &str) -> Vec<Vec<&str>> {
    let rows = table.trim().lines();
    rows.map(|row| row.split('|').map(str::trim).collect())
        .collect()
}

/// Checks rows of a table, some in parallel: most of the time is spent waiting for engines.
pub(crate) fn each<T: Sync>(rows: &[T], check: impl Fn(&T) + Sync) {
    let check = &check;
    for some in rows.chunks(8) {
        std::thread::scope(|scope| {
            for row in some {
                scope.spawn(move || check(row));
            }
        });
    }
}

/// Starts the program with its output captured.
pub(crate) fn spawn(arguments: &[&str], folder: &Path) -> Child {
    command(folder, arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // Slow enough to be interrupted.
        .env("TOUCHSTONE_KERNEL", "plain")
        .spawn()
        .expect("the program starts")
}

/// Runs the program until it listens for Ctrl-C and `ready` holds, then sends it.
#[cfg(target_os = "linux")]
pub(crate) fn interrupted(
    arguments: &[&str],
    folder: &Path,
    ready: impl Fn() -> bool,
) -> std::process::Output {
    programs::interrupt(spawn(arguments, folder), ready)
}
