//! A server of `PostgreSQL`, SQL and programs for it.

#![expect(
    clippy::disallowed_methods,
    reason = "programs are started and looked for"
)]
#![allow(dead_code, reason = "every file of tests uses a part of it")]

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use fleet::store::Database;
use fleet::store::work::Work;

#[path = "../../../crowd/tests/common/postgres.rs"]
mod postgres;

pub(crate) use postgres::{OwnDatabase, Server, output_of};

/// A database of a test's own, with the schema and the queue.
pub(crate) async fn own_database() -> OwnDatabase {
    OwnDatabase::copy(async |url| {
        let database = Database::open(&url, 2).await.expect("the schema is made");
        let queue = Work::open(database.clone()).await;
        drop(queue.expect("the queue is made"));
        database.pool.close().await;
    })
    .await
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
