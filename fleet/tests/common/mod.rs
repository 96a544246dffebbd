//! A server of `PostgreSQL`, SQL and programs for it.

#![expect(
    clippy::disallowed_methods,
    reason = "programs are started and looked for"
)]
#![allow(dead_code, reason = "every file of tests uses a part of it")]

use std::path::Path;
use std::process::Command;
use std::time::Duration;

#[path = "../../../crowd/tests/common/postgres.rs"]
mod postgres;
pub(crate) mod shared;

pub(crate) use postgres::Server;
use postgres::{output_of, program};

/// A server that loses what it has when it crashes, and so is quick.
pub(crate) fn quick_server() -> Server {
    Server::with_passwords("fsync = off", |_| ())
}

/// A server that survives a crash.
pub(crate) fn safe_server() -> Server {
    Server::with_passwords("", |_| ())
}

impl Server {
    /// Runs SQL as the owner, by `psql`.
    pub(crate) fn sql(&self, sql: &str) -> Result<String, String> {
        self.sql_as("owner:secret", sql)
    }

    pub(crate) fn sql_as(&self, user: &str, sql: &str) -> Result<String, String> {
        psql(&self.url_of(user, "postgres", ""), sql)
    }
}

/// Runs SQL on a database; returns what it prints, or its errors.
fn psql(url: &str, sql: &str) -> Result<String, String> {
    let mut psql = Command::new(program("psql"));
    psql.args(["-XqtA", "-v", "ON_ERROR_STOP=1", "-c", sql, url]);
    let (is_done, text) = output_of(psql);
    if is_done { Ok(text) } else { Err(text) }
}

/// Between two looks at something that takes its time, and for deaths at chosen moments.
pub(crate) fn pause(milliseconds: u64) {
    std::thread::sleep(Duration::from_millis(milliseconds));
}

/// A program of the workspace, built with the tests.
pub(crate) fn neighbour(name: &str) -> std::path::PathBuf {
    let test = std::env::current_exe().expect("a test");
    let path = test
        .ancestors()
        .nth(2)
        .expect("target/*/deps/test")
        .join(name);
    assert!(
        path.exists(),
        "{name} is missing: cargo build --workspace --all-features"
    );
    path
}

/// A program of this package, built with the tests.
pub(crate) fn example(name: &str) -> Command {
    let test = std::env::current_exe().expect("a test");
    let folder = test.ancestors().nth(2).expect("target/*/deps/test");
    let path = folder.join("examples").join(name);
    assert!(
        path.exists(),
        "{name} is missing: cargo build -p touchstone-fleet --examples --all-features"
    );
    Command::new(path)
}

/// Runs a program that must succeed.
pub(crate) fn run(program: &str, arguments: &[&str], folder: &Path) {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder);
    let (is_done, text) = output_of(command);
    assert!(is_done, "{program} {arguments:?}: {text}");
}
