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
mod licences;
mod modules;
mod packages;
mod pipeline;
mod readme;
mod sizes;
mod unsafe_code;

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.canonicalize().expect("the repository")
}

#[expect(clippy::disallowed_methods, reason = "pages and sources are read")]
fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Folders in which no file is ours.
const PASSED_OVER: [&str; 3] = ["target", "node_modules", ".git"];

/// Files of a folder with an ending, those of folders in it too.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let (path, name) = (entry.path(), entry.file_name());
        if !entry.file_type().expect("a kind").is_dir() {
            if path.extension().is_some_and(|it| it == ending) {
                found.push(path);
            }
        } else if PASSED_OVER.iter().all(|other| name != *other) {
            found.extend(files(&path, ending));
        }
    }
    found
}
