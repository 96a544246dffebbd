//! What several test beds share.

mod bed;
#[cfg(unix)]
mod repository;

use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::CommandCargoExt as _;
use testkit::programs;

pub(crate) use bed::{Bed, Ended, PLENTY, assert_nobody_in, wait, wait_until};
#[cfg(unix)]
pub(crate) use bed::{interrupt, send};
#[cfg(unix)]
pub(crate) use repository::{BUILD, make_repository};
pub(crate) use testkit::programs::scripted_engine;

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
    command.env("XDG_CACHE_HOME", folder.join(".cache"));
    let output = command.output().expect("the program starts");
    Outcome {
        code: output.status.code().expect("the program ends by itself"),
        stdout: programs::text(output.stdout),
        stderr: programs::text(output.stderr),
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
