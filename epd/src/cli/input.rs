//! Files, built-in suites, or standard input.

use std::io::{self, IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};

use terminal::BadInput;

use crate::suites;

/// A file's name for messages, and its bytes.
pub(super) struct Input {
    /// What it is called.
    pub(super) name: String,
    /// What is in it.
    pub(super) bytes: Vec<u8>,
}

/// Reads files by name; `-`, or no name at all, is standard input. Where there is no such file, a
/// name may be that of a built-in suite.
pub(super) fn read(names: &[PathBuf]) -> anyhow::Result<Vec<Input>> {
    if names.is_empty() {
        if io::stdin().is_terminal() {
            let message = "no file was named, and standard input is a terminal";
            return Err(BadInput(message.to_owned()).into());
        }
        return Ok(vec![read_stdin()?]);
    }
    names.iter().map(|name| read_one(name)).collect()
}

fn read_stdin() -> anyhow::Result<Input> {
    let mut bytes = Vec::new();
    let name = "<stdin>".to_owned();
    match io::stdin().lock().read_to_end(&mut bytes) {
        Ok(_) => Ok(Input { name, bytes }),
        Err(error) => Err(BadInput(format!("cannot read standard input: {error}")).into()),
    }
}

/// Reads one file by name; as [`read`].
#[expect(clippy::disallowed_methods, reason = "the edge reads files")]
pub(super) fn read_one(path: &Path) -> anyhow::Result<Input> {
    if path == Path::new("-") {
        return read_stdin();
    }
    let name = path.display().to_string();
    match std::fs::read(path) {
        Ok(bytes) => Ok(Input { name, bytes }),
        Err(error) => match suites::find(&name) {
            Some(built_in) if error.kind() == io::ErrorKind::NotFound => Ok(Input {
                name,
                bytes: built_in.text.as_bytes().to_vec(),
            }),
            _ => Err(BadInput(format!("cannot read {name}: {error}")).into()),
        },
    }
}
