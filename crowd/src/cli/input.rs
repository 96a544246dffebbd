//! Reading whole files, and printing on standard error.

use std::io::Write as _;
use std::path::Path;

use kit::{BadInput, read};

/// Reads a file by name; `-` is standard input.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, BadInput> {
    let name = name(path);
    let bytes = if path == Path::new("-") {
        read::stdin(read::DATA)
    } else {
        read::file(path, read::DATA)
    };
    bytes.map_err(|error| BadInput(format!("cannot read {name}: {error}")))
}

pub(super) fn read_text(path: &Path) -> Result<String, BadInput> {
    String::from_utf8(read(path)?).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let line = bytes[..valid].split(|&byte| byte == b'\n').count();
        BadInput(format!("{}: line {line}: not UTF-8", name(path)))
    })
}

pub(super) fn name(path: &Path) -> String {
    if path == Path::new("-") {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

pub(super) fn say(text: &str) {
    // If standard error is closed, the message is lost; there is no other place for it.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Writes a result to a file, or to standard output.
pub(super) fn write(output: Option<&Path>, text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    match output {
        Some(path) => kit::output::to_file(path, text),
        None => kit::output::to_stdout(text),
    }
}
