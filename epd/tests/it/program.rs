//! Watching programs. The tests of `perft` use this file as well.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;
use std::process::Output;
#[cfg(unix)]
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Exit code, standard output and standard error of a program that has ended.
pub(crate) fn shown(output: Output) -> String {
    let [stdout, stderr] = [output.stdout, output.stderr]
        .map(|bytes| String::from_utf8(bytes).expect("programs write UTF-8"));
    let code = output.status.code().expect("the program ends by itself");
    format!("exit {code}\n--- stdout\n{stdout}--- stderr\n{stderr}")
}

/// What Windows and wine say in their own way, in the words of the snapshots, which are of Linux.
#[cfg(windows)]
const OF_THE_SYSTEM: &[(&str, &str)] = &[
    (
        r"[^\s'\x22;,=]*[/\\]examples[/\\]+(\w+)(\.exe)?",
        "/examples/$1",
    ),
    (
        r"[^\s'\x22;,=]*[/\\]tests[/\\]+suites[/\\]+",
        "/tests/suites/",
    ),
    (r"[^\s'\x22;,=]*[/\\](\.tmp\w+)[/\\]+", "/$1/"),
    (
        r"(File not found|Path not found|The system cannot find the (file|path) specified)\. \(os error [23]\)",
        "No such file or directory (os error 2)",
    ),
    (
        r"the engine crashed with exception 0xC0000409 \([^)]*\)",
        "the engine was killed by signal 6 (SIGABRT)",
    ),
    // Commands to copy have double quotes there.
    (r#"(--engine|--fen) \\?"([^"\\\n]*)\\?""#, "$1 '$2'"),
    (r"(--engine|--fen) &quot;(.*?)&quot;", "$1 &apos;$2&apos;"),
];
#[cfg(not(windows))]
const OF_THE_SYSTEM: &[(&str, &str)] = &[];

/// Filters of snapshots: first those of the system, then the given ones.
pub(crate) fn filters(given: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    [OF_THE_SYSTEM, given].concat()
}

/// The path of an example program; cargo builds it beside the folder of this test.
pub(crate) fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    let built = test.ancestors().nth(2).expect("it is in target/*/deps");
    let path = built.join(format!("examples/{name}{EXE_SUFFIX}"));
    let shown = path.display();
    assert!(
        path.exists(),
        "{shown} is missing: cargo build --workspace --examples"
    );
    path
}

/// Waits, with a deadline, until a condition holds.
#[cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, reason = "what `epd` waits for is there only")
)]
pub(crate) fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_mins(5);
    while !holds() {
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        // Polling without a pause would take the CPU from the process that is waited for.
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Waits until a program listens for Ctrl-C and `ready` holds, then sends it.
#[cfg(target_os = "linux")]
pub(crate) fn interrupt(child: Child, ready: impl Fn() -> bool) -> Output {
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
#[cfg(unix)]
pub(crate) fn signal(child: Child, signal: &str) -> Output {
    let id = child.id().to_string();
    let sent = Command::new("kill").args([signal, &id]).status();
    assert!(sent.expect("kill starts").success());
    child.wait_with_output().expect("the program ends")
}
