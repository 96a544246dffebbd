//! Running the program in a folder.
#![expect(clippy::disallowed_methods, reason = "another process is watched")]
#![allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "every file of tests uses a part of it"
)]

#[path = "../../../epd/tests/common/program.rs"]
mod program;

use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::CommandCargoExt as _;

pub(crate) use program::{check, interrupted, spawn, told, wait_until};

/// The program, to be run in a folder.
pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("perft").expect("the program is built");
    command.current_dir(folder).args(arguments);
    command
}

/// What a run in the folder of the test suites comes to.
pub(crate) fn run(arguments: &[&str]) -> String {
    let suites = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suites");
    run_in(Path::new(suites), arguments)
}

/// As [`run`], in another folder.
pub(crate) fn run_in(folder: &Path, arguments: &[&str]) -> String {
    let output = command(folder, arguments).output();
    told(output.expect("the program starts"))
}
