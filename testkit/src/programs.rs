//! Programs of this workspace under test: where they are, what they print, how they are signalled.
#![expect(clippy::disallowed_methods, reason = "other processes are watched")]

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;
use std::process::Output;
#[cfg(unix)]
use std::process::{Child, Command};
#[cfg(windows)]
use std::sync::LazyLock;
use std::time::{Duration, Instant};

#[cfg(windows)]
use regex_lite::Regex;

/// The path of a program that cargo has built, such as `examples/scripted_engine`, beside the folder
/// of the test that calls this.
///
/// # Panics
///
/// When it has not been built.
pub fn built(path: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    let folder = test.ancestors().nth(2).expect("it is in target/*/deps");
    let path = folder.join(format!("{path}{EXE_SUFFIX}"));
    let shown = path.display();
    assert!(
        path.exists(),
        "{shown} is missing: cargo build --workspace --all-features --examples"
    );
    path
}

/// The path of the engine that misbehaves on demand.
///
/// # Panics
///
/// When it has not been built.
pub fn scripted_engine() -> PathBuf {
    built("examples/scripted_engine")
}

/// What a program has printed, as [`portable`] text.
///
/// # Panics
///
/// When it is not UTF-8.
pub fn text(bytes: Vec<u8>) -> String {
    portable(String::from_utf8(bytes).expect("programs write UTF-8"))
}

/// Exit code, standard output and standard error of a program that has ended, for snapshots.
///
/// # Panics
///
/// When it was ended by a signal, or did not write UTF-8.
pub fn shown(output: Output) -> String {
    let [stdout, stderr] = [output.stdout, output.stderr].map(text);
    let code = output.status.code().expect("the program ends by itself");
    format!("exit {code}\n--- stdout\n{stdout}--- stderr\n{stderr}")
}

/// What a program has printed, in the words and paths of Linux, so that snapshots hold everywhere.
#[cfg(not(windows))]
pub fn portable(text: String) -> String {
    text
}

/// What a program has printed, in the words and paths of Linux, so that snapshots hold everywhere.
#[cfg(windows)]
pub fn portable(text: String) -> String {
    static RULES: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
        let rule = |(pattern, to)| (Regex::new(pattern).expect("a pattern"), to);
        OF_WINDOWS.into_iter().map(rule).collect()
    });
    RULES.iter().fold(text, |text, (pattern, to)| {
        pattern.replace_all(&text, *to).into_owned()
    })
}

/// What Windows and wine print in their own way.
#[cfg(windows)]
const OF_WINDOWS: [(&str, &str); 8] = [
    (
        r"([A-Z]:)?[^\s'\x22`;,=:]*[/\\]examples[/\\]+(\w+)(\.exe)?",
        "/examples/$2",
    ),
    (
        r"([A-Z]:)?[^\s'\x22`;,=:]*[/\\]tests[/\\]+suites[/\\]+",
        "/tests/suites/",
    ),
    (r"([A-Z]:)?[^\s'\x22`;,=:]*[/\\](\.tmp\w+)[/\\]+", "/$2/"),
    // Other paths.
    (r"(\w)\\{1,2}([\w-]+\.(epd|jsonl?|pgn|toml)\b)", "$1/$2"),
    (
        r"(File not found|Path not found|The system cannot find the (file|path) specified)\. \(os error [23]\)",
        "No such file or directory (os error 2)",
    ),
    (
        r"crashed with exception 0xC0000409 \([^)]*\)",
        "was killed by signal 6 (SIGABRT)",
    ),
    // Commands to copy have double quotes there.
    (r#"(--engine|--fen|--param) \\?"([^"\\\n]*)\\?""#, "$1 '$2'"),
    (r"(--engine|--fen) &quot;(.*?)&quot;", "$1 &apos;$2&apos;"),
];

/// Waits, with a deadline, until a condition holds.
///
/// # Panics
///
/// When it does not hold within [`HANG`](crate::HANG).
#[track_caller]
pub fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let deadline = Instant::now() + crate::HANG;
    while !holds() {
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        // Polling without a pause would take the CPU from the process that is waited for.
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Waits until a program listens for Ctrl-C and `ready` holds, then sends it.
///
/// # Panics
///
/// When neither comes to be within [`HANG`](crate::HANG), or the program has ended.
#[cfg(target_os = "linux")]
pub fn interrupt(child: Child, ready: impl Fn() -> bool) -> Output {
    let status = format!("/proc/{}/status", child.id());
    wait_until("the program listens for the signal", || {
        let status = std::fs::read_to_string(&status).expect("the process runs");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.unwrap_or("0").trim(), 16);
        caught.is_ok_and(|mask| mask & 0b10 != 0) && ready()
    });
    signal(child, "-INT")
}

/// Sends a signal, such as `-INT`, and waits for the end.
///
/// # Panics
///
/// When the program has ended before.
#[cfg(unix)]
pub fn signal(child: Child, signal: &str) -> Output {
    let id = child.id().to_string();
    let sent = Command::new("kill").args([signal, &id]).status();
    assert!(sent.expect("kill starts").success());
    child.wait_with_output().expect("the program ends")
}
