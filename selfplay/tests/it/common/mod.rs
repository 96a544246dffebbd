//! What several test beds share.

mod repository;

use std::path::PathBuf;

pub(crate) use repository::{BUILD, make_repository};

/// The engine that misbehaves on demand.
pub(crate) fn scripted_engine() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    let folder = test.ancestors().nth(2).expect("target/debug/deps/test");
    let path = folder.join("examples/scripted_engine");
    assert!(
        path.exists(),
        "{} is missing: cargo build -p touchstone-testkit --examples",
        path.display()
    );
    path
}
