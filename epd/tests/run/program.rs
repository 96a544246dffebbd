//! Running the program and comparing what it says with snapshots.
#![expect(clippy::disallowed_methods, reason = "another process is watched")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::CommandCargoExt as _;

/// The folder of the test suites.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run/suites")
}

/// Exit code, standard output and standard error of a run in a folder.
pub(crate) fn epd_in(folder: &Path, arguments: &[&str]) -> String {
    let output = command(folder, arguments).output();
    told(&output.expect("the program starts"))
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("epd").expect("the program is built");
    command.current_dir(folder).args(arguments);
    command
}

fn told(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    let code = output.status.code().expect("the program ends by itself");
    format!("exit {code}\n--- stdout\n{stdout}--- stderr\n{stderr}")
}

/// As [`epd_in`], with Ctrl-C as soon as the program listens for it.
pub(crate) fn interrupted(folder: &Path, arguments: &[&str]) -> String {
    let mut command = command(folder, arguments);
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let child = child.expect("the program starts");
    let status = format!("/proc/{}/status", child.id());
    let deadline = Instant::now() + Duration::from_mins(1);
    let listens = || {
        let status = std::fs::read_to_string(&status).expect("the process runs");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.unwrap_or("0").trim(), 16);
        caught.is_ok_and(|mask| mask & 0b10 != 0)
    };
    while !listens() {
        assert!(Instant::now() < deadline, "the program never listens");
        std::thread::yield_now();
    }
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill starts").success());
    told(&child.wait_with_output().expect("the program ends"))
}

/// The command line of the scripted engine.
pub(crate) fn engine(script: &str) -> String {
    let script = folder().join(script);
    format!("'{}' '{}'", example("scripted_engine"), script.display())
}

/// The command line of the engine that misbehaves.
pub(crate) fn fake_engine(flag: &str) -> String {
    format!("'{}' {flag}", example("fake_engine_epd"))
}

/// An example, which stands beside the folder of this test.
fn example(name: &str) -> String {
    let mut folder = std::env::current_exe().expect("a test has a path");
    folder.pop();
    folder.pop();
    folder.join("examples").join(name).display().to_string()
}

pub(crate) fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("the file can be written");
}

pub(crate) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the file can be read")
}

/// Compares with the stored snapshot, paths, times and numbers of lines left out.
macro_rules! check {
    ($name:expr, $text:expr) => {
        insta::with_settings!({filters => vec![
            (r"[^\s'\x22;,=]*/examples/", "[examples]/"),
            (r"[^\s'\x22;,=]*/tests/run/suites/", "[suites]/"),
            (r"[^\s'\x22;,=]*/\.tmp\w+/", "[folder]/"),
            (r"in \d+\.\d\d s\b", "in [time]"),
            (r#"(seconds)": [\d.e-]+"#, r#"$1": "[time]""#),
            (r#""ms": \d+"#, r#""ms": "[time]""#),
            (r#"time="[\d.]+""#, r#"time="[time]""#),
            (r"\b\d+\.\d{6}\b", "[time]"),
            (r" +\d+\.\d{3} (<|>|!|&lt;|&gt;) ", " [time] $1 "),
            (r"\b\d+\.\d\d\b", "[time]"),
        ]}, {
            insta::assert_snapshot!($name, $text);
        });
    };
}
pub(crate) use check;
