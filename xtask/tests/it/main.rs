//! Checks of the whole workspace.

/// Rows of a test table: what is given, then, behind the arrow, what is expected. rustfmt leaves
/// each row as it is.
macro_rules! rows {
    ($($($given:expr),+ => $expected:expr;)+) => { [$(($($given,)+ $expected)),+] };
}

mod architecture;
mod archive;
mod docs;
mod functions;
mod modules;
mod packages;
mod pipeline;
mod readme;
mod sizes;
mod unsafe_code;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use cargo_metadata::{Metadata, MetadataCommand};
use xtask::Uses;

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.canonicalize().expect("the repository")
}

fn workspace() -> Metadata {
    let metadata = MetadataCommand::new().no_deps().exec();
    metadata.expect("cargo describes the workspace")
}

/// The structure of each target, read once for all tests.
fn structures() -> &'static BTreeMap<PathBuf, Uses> {
    static STRUCTURES: LazyLock<BTreeMap<PathBuf, Uses>> =
        LazyLock::new(|| xtask::structures(&root()));
    &STRUCTURES
}

/// The version of all packages.
fn version() -> String {
    workspace().workspace_packages()[0].version.to_string()
}

#[expect(clippy::disallowed_methods, reason = "pages and sources are read")]
fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Files of a folder with an ending, those of folders in it too.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    xtask::our_files(folder, ending).expect("a folder")
}
