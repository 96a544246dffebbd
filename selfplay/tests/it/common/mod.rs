//! What several test beds share.

mod bed;
#[cfg(unix)]
mod repository;

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::cargo::CommandCargoExt as _;

pub(crate) use bed::{Bed, Ended, assert_nobody_in, wait, wait_until};
#[cfg(unix)]
pub(crate) use bed::{interrupt, send};
#[cfg(unix)]
pub(crate) use repository::{BUILD, make_repository};

/// How a run of the program ended.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the program in a folder, to its end.
pub(crate) fn selfplay(folder: &Path, arguments: &[&str]) -> Outcome {
    let mut command = Command::cargo_bin("selfplay").expect("the program is built");
    command.current_dir(folder).args(arguments);
    let output = command.output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Outcome {
        code: output.status.code().expect("the program ends by itself"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

impl Outcome {
    /// All of it, for snapshots.
    pub(crate) fn to_text(&self) -> String {
        let Self {
            code,
            stdout,
            stderr,
        } = self;
        format!("exit {code}\n--- stdout\n{stdout}--- stderr\n{stderr}")
    }
}

/// The engine that misbehaves on demand.
pub(crate) fn scripted_engine() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    let folder = test.ancestors().nth(2).expect("target/debug/deps/test");
    let path = folder.join(format!("examples/scripted_engine{EXE_SUFFIX}"));
    assert!(
        path.exists(),
        "{} is missing: cargo build -p touchstone-testkit --examples",
        path.display()
    );
    path
}
