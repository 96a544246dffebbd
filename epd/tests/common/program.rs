//! Watching the program that `super::command` runs, and comparing what it says with snapshots; the
//! tests of `perft` use it too.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Exit code, standard output and standard error of a program that has ended.
pub(crate) fn told(output: Output) -> String {
    let [stdout, stderr] = [output.stdout, output.stderr]
        .map(|bytes| String::from_utf8(bytes).expect("programs write UTF-8"));
    let code = output.status.code().expect("the program ends by itself");
    format!("exit {code}\n--- stdout\n{stdout}--- stderr\n{stderr}")
}

/// Compares with the stored snapshot, times and rates left out.
macro_rules! check {
    ($name:literal, $arguments:expr) => {
        $crate::common::check!($name, text $crate::common::run(&$arguments));
    };
    ($name:literal, text $text:expr) => {
        insta::with_settings!({filters => vec![
            (r"in \d+\.\d+ s, [\d.,]+ million nodes a second", "in [time], [rate]"),
            (r"(in|after) \d+\.\d+ s", "$1 [time]"),
            (r#""seconds": [\d.e-]+"#, r#""seconds": "[time]""#),
            (r#"time="[\d.]+""#, r#"time="[time]""#),
            (r"\d\.\d{6}\n", "[time]\n"),
            (r"\.touchstone-\w+", ".touchstone-[random]"),
            (r" +\d+\.\d{3} ([<>])", " [time] $1"),
        ]}, {
            insta::assert_snapshot!($name, $text);
        });
    };
}
pub(crate) use check;

/// Starts the program with its output caught.
pub(crate) fn spawn(arguments: &[&str], folder: &Path) -> Child {
    super::command(folder, arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Waits, with a deadline, until something is so.
pub(crate) fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_mins(5);
    while !is_so() {
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        // Who asks all the time takes the CPU from what it waits for.
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Runs the program until it listens for Ctrl-C and `ready` is so, and sends it.
pub(crate) fn interrupted(arguments: &[&str], folder: &Path, ready: impl Fn() -> bool) -> Output {
    let child = spawn(arguments, folder);
    let status = format!("/proc/{}/status", child.id());
    wait_until("the program listens for the signal", || {
        let status = std::fs::read_to_string(&status).expect("the process runs");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.unwrap_or("0").trim(), 16);
        caught.is_ok_and(|mask| mask & 0b10 != 0) && ready()
    });
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill starts").success());
    child.wait_with_output().expect("the program ends")
}
