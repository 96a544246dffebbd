//! Running the program and comparing what it prints with snapshots.
#![expect(clippy::disallowed_methods, reason = "another process is watched")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::CommandCargoExt as _;

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
    let output = output.expect("the program starts");
    let [stdout, stderr] = [output.stdout, output.stderr].map(text);
    let code = output.status.code().expect("the program ends by itself");
    format!("exit {code}\n--- stdout\n{stdout}--- stderr\n{stderr}")
}

/// The standard output in the result of [`run`].
pub(crate) fn stdout_of(result: &str) -> &str {
    let (_, stdout) = result.split_once("--- stdout\n").expect("standard output");
    let (stdout, _) = stdout.split_once("--- stderr\n").expect("standard error");
    stdout
}

pub(crate) fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("programs write UTF-8")
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
        insta::with_settings!({omit_expression => true, filters => vec![
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

/// An engine for tests, which is an example of this crate.
pub(crate) fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    let folder = test.ancestors().nth(2).expect("target/debug/deps/test");
    let path = folder.join("examples").join(name);
    let shown = path.display();
    assert!(
        path.exists(),
        "{shown} is missing: cargo build --workspace --examples"
    );
    path
}

/// Starts the program with its output captured.
pub(crate) fn spawn(arguments: &[&str], folder: &Path) -> Child {
    command(folder, arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Waits, with a deadline, until a condition holds.
pub(crate) fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_mins(5);
    while !holds() {
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        // Polling without a pause would take the CPU from the process that is waited for.
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Runs the program until it listens for Ctrl-C and `ready` holds, then sends it.
#[cfg(target_os = "linux")]
pub(crate) fn interrupted(arguments: &[&str], folder: &Path, ready: impl Fn() -> bool) -> Output {
    let child = spawn(arguments, folder);
    let status = format!("/proc/{}/status", child.id());
    wait_until("the program listens for the signal", || {
        let status = std::fs::read_to_string(&status).expect("the process runs");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.unwrap_or("0").trim(), 16);
        caught.is_ok_and(|mask| mask & 0b10 != 0) && ready()
    });
    signal(child, "-INT")
}

/// Sends a signal and waits for the end.
pub(crate) fn signal(child: Child, signal: &str) -> Output {
    let id = child.id().to_string();
    let sent = Command::new("kill").args([signal, &id]).status();
    assert!(sent.expect("kill starts").success());
    child.wait_with_output().expect("the program ends")
}
