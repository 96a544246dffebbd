//! Input from files, built-in suites, or standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal as _};
use std::path::{Path, PathBuf};

use kit::BadInput;
use kit::read::DATA;

use crate::suites;

/// A file's name for messages, and its bytes.
pub(super) struct Input {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

/// Reads files by name; `-`, or no name at all, is standard input. A name without a file may be
/// that of a built-in suite.
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
    let name = "<stdin>".to_owned();
    match kit::read::stdin(DATA) {
        Ok(bytes) => Ok(Input { name, bytes }),
        Err(error) => Err(BadInput(format!("cannot read standard input: {error}")).into()),
    }
}

/// Reads one file by name, as [`read`] does.
pub(super) fn read_one(path: &Path) -> anyhow::Result<Input> {
    if path == Path::new("-") {
        return read_stdin();
    }
    let name = path.display().to_string();
    match kit::read::file(path, DATA) {
        Ok(bytes) => Ok(Input { name, bytes }),
        Err(error) => match suites::find(&name) {
            Some(built_in) if error.kind() == io::ErrorKind::NotFound => Ok(Input {
                name,
                bytes: built_in.text.as_bytes().to_vec(),
            }),
            _ => Err(BadInput(suites::describe_missing(&name, &error)).into()),
        },
    }
}

/// Opens one file for streaming; `-` is standard input. Also returns its name for messages.
#[expect(clippy::disallowed_methods, reason = "the edge reads files")]
pub(super) fn open_one(path: &Path) -> anyhow::Result<(String, Box<dyn BufRead>)> {
    if path == Path::new("-") {
        return Ok(("<stdin>".to_owned(), Box::new(io::stdin().lock())));
    }
    let name = path.display().to_string();
    match File::open(path) {
        Ok(file) => Ok((name, Box::new(BufReader::new(file)))),
        Err(error) => Err(BadInput(format!("cannot read {name}: {error}")).into()),
    }
}
