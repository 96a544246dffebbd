//! Running the program in a folder, with something on standard input perhaps.
#![expect(clippy::disallowed_methods, reason = "another process is watched")]
#![allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "every file of tests uses a part of it"
)]

mod program;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use assert_cmd::cargo::CommandCargoExt as _;

pub(crate) use program::{check, interrupted, spawn, told, wait_until};

/// The program, to be run in a folder.
pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("epd").expect("the program is built");
    command.current_dir(folder).args(arguments);
    command
}

/// What a run in the folder of the test data comes to.
pub(crate) fn run(arguments: &[&str]) -> String {
    let suites = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    run_in(Path::new(suites), arguments)
}

/// As [`run`], in another folder.
pub(crate) fn run_in(folder: &Path, arguments: &[&str]) -> String {
    run_fed(folder, arguments, "")
}

/// As [`run_in`], with something on standard input.
pub(crate) fn run_fed(folder: &Path, arguments: &[&str], input: &str) -> String {
    let mut command = command(folder, arguments);
    command.stdin(Stdio::piped());
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    // A program that refuses its arguments does not read.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    told(child.wait_with_output().expect("the program ends"))
}
