//! File access. Output is written to a temporary neighbour and renamed when complete.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};

use crate::error::TrainerError;

/// Opens a file for reading.
#[expect(clippy::disallowed_methods, reason = "an example is an edge")]
pub(crate) fn open(path: &str) -> Result<BufReader<File>, TrainerError> {
    File::open(path).map(BufReader::new).map_err(at(path))
}

/// Writes a file by a function, atomically: it is written completely or not at all.
pub(crate) fn write<T>(
    path: &str,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<T, TrainerError>,
) -> Result<T, TrainerError> {
    let draft = format!("{path}.new");
    let written = fill_file(&draft, fill);
    if written.is_err() {
        // The error is already known; a leftover draft is overwritten by the next run.
        fs::remove_file(&draft).unwrap_or_default();
    }
    let filled = written?;
    fs::rename(&draft, path).map_err(at(path))?;
    Ok(filled)
}

#[expect(clippy::disallowed_methods, reason = "an example is an edge")]
fn fill_file<T>(
    path: &str,
    fill: impl FnOnce(&mut BufWriter<File>) -> Result<T, TrainerError>,
) -> Result<T, TrainerError> {
    let mut file = BufWriter::new(File::create(path).map_err(at(path))?);
    let filled = fill(&mut file)?;
    file.flush().map_err(at(path))?;
    Ok(filled)
}

/// Converts an I/O error of this file.
pub(crate) fn at(path: &str) -> impl FnOnce(io::Error) -> TrainerError {
    let path = path.to_owned();
    move |source| TrainerError::File { path, source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::path::Path;

    #[test]
    fn a_file_is_there_in_full_or_not_at_all() {
        let name = format!("texel-files-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let path = path.to_str().unwrap();
        let failed: Result<(), _> = write(path, |file| {
            file.write_all(b"half").map_err(at(path))?;
            Err(TrainerError::Usage("enough".to_owned()))
        });
        assert_eq!(failed.unwrap_err().to_string(), "enough");
        assert!(!Path::new(path).exists() && !Path::new(&format!("{path}.new")).exists());
        write(path, |file| file.write_all(b"whole").map_err(at(path))).unwrap();
        let mut text = String::new();
        open(path).unwrap().read_to_string(&mut text).unwrap();
        fs::remove_file(path).unwrap();
        assert_eq!(text, "whole");
        let missing = open(path).unwrap_err().to_string();
        assert!(missing.starts_with(path), "{missing}");
    }
}
