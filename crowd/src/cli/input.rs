//! Reading whole files.

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
    let text = read::text_of(&*read(path)?, read::DATA);
    text.map_err(|error| BadInput(format!("{}: {error}", name(path))))
}

pub(super) fn name(path: &Path) -> String {
    if path == Path::new("-") {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}
