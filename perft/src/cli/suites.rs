//! Suites by file or by name.

use std::io;
use std::path::{Path, PathBuf};

use epd::{Suite, suites};
use kit::read;

use super::BadInput;

/// The suites of these names, or all built-in ones if there are none. A name is a file's path or,
/// if there is no such file, the name of a built-in suite.
pub(super) fn read(names: &[PathBuf]) -> anyhow::Result<Vec<Suite>> {
    if names.is_empty() {
        return Ok(suites::ALL.iter().map(suites::BuiltIn::parse).collect());
    }
    names.iter().map(|name| read_one(name)).collect()
}

/// The suite of one name.
pub(super) fn read_one(path: &Path) -> anyhow::Result<Suite> {
    let name = path.display().to_string();
    match read::file(path, read::DATA) {
        Ok(bytes) => Ok(Suite::parse(&name, &bytes)),
        Err(error) => match suites::find(&name) {
            Some(built_in) if error.kind() == io::ErrorKind::NotFound => Ok(built_in.parse()),
            _ => Err(BadInput(suites::describe_missing(&name, &error)).into()),
        },
    }
}
