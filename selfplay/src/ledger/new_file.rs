//! A file of the run directory, rewritten through a temporary neighbour and renamed once complete.

use std::fs::OpenOptions;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use tempfile::{NamedTempFile, TempPath};

use super::error::LedgerError;
use super::files::write_error;

/// A file being written: `finish` renames it into place, dropping it deletes it.
pub(super) struct NewFile {
    path: PathBuf,
    out: BufWriter<NamedTempFile>,
}

impl NewFile {
    /// Starts the file, and overwrites one that a killed process has left behind.
    pub(super) fn begin(path: PathBuf, neighbour: PathBuf) -> Result<Self, LedgerError> {
        let failed = write_error(&path);
        let mut options = OpenOptions::new();
        options.create(true).write(true).truncate(true);
        let file = options.open(&neighbour).map_err(&failed)?;
        let new = TempPath::try_from_path(neighbour).map_err(&failed)?;
        Ok(Self {
            path,
            out: BufWriter::new(NamedTempFile::from_parts(file, new)),
        })
    }

    pub(super) fn add(&mut self, text: &str) -> Result<(), LedgerError> {
        let written = self.out.write_all(text.as_bytes());
        written.map_err(write_error(&self.path))
    }

    pub(super) fn finish(self) -> Result<(), LedgerError> {
        let failed = write_error(&self.path);
        let new = self.out.into_inner();
        let new = new.map_err(|error| failed(error.into_error()))?;
        if let Ok(old) = self.path.metadata() {
            let kept = new.as_file().set_permissions(old.permissions());
            kept.map_err(&failed)?;
        }
        new.as_file().sync_all().map_err(&failed)?;
        new.persist(&self.path)
            .map_err(|error| failed(error.error))?;
        Ok(())
    }
}
