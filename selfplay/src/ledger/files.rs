//! The paths of the files in a run directory, and its configuration.

use std::io;
use std::path::{Path, PathBuf};

use super::error::LedgerError;
use super::stored::Stored;

pub(super) const CONFIG: &str = "config.json";

/// The paths of the files in a run directory.
#[derive(Clone, Debug)]
pub(super) struct Files {
    pub(super) directory: PathBuf,
}

impl Files {
    pub(super) fn new(directory: &Path) -> Self {
        let directory = directory.to_owned();
        Self { directory }
    }

    pub(super) fn config(&self) -> PathBuf {
        self.directory.join(CONFIG)
    }

    pub(super) fn ledger(&self) -> PathBuf {
        self.directory.join("ledger.jsonl")
    }

    pub(super) fn pgn(&self) -> PathBuf {
        self.directory.join("games.pgn")
    }

    /// `ledger.jsonl` while it is being rewritten.
    pub(super) fn new_ledger(&self) -> PathBuf {
        self.directory.join("ledger.jsonl.new")
    }

    pub(super) fn set_aside(&self) -> PathBuf {
        self.directory.join("set-aside.jsonl")
    }

    /// `games.pgn` while it is being rewritten.
    pub(super) fn new_pgn(&self) -> PathBuf {
        self.directory.join("games.pgn.new")
    }

    pub(super) fn lock(&self) -> PathBuf {
        self.directory.join("lock")
    }

    pub(super) fn incidents(&self) -> PathBuf {
        self.directory.join("failures/incidents.txt")
    }

    /// Creates the directory, which must be absent or empty.
    pub(super) fn create_directory(&self) -> Result<(), LedgerError> {
        let path = &self.directory;
        let written = write_error(path);
        if let Some(parent) = path.parent().filter(|path| !path.as_os_str().is_empty()) {
            std::fs::create_dir_all(parent).map_err(&written)?;
        }
        match std::fs::create_dir(path) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let is_empty = path.read_dir().is_ok_and(|mut all| all.next().is_none());
                is_empty
                    .then_some(())
                    .ok_or_else(|| LedgerError::Exists { path: path.clone() })
            }
            Err(error) => Err(written(error)),
        }
    }

    /// Checks that the directory could be created, or is empty and writable. Leaves nothing behind.
    pub(super) fn check_directory(&self) -> Result<(), LedgerError> {
        let path = &self.directory;
        let written = write_error(path);
        if path.exists() {
            let is_empty = path.read_dir().is_ok_and(|mut all| all.next().is_none());
            if !is_empty {
                return Err(LedgerError::Exists { path: path.clone() });
            }
        }
        // The first ancestor that exists: the missing directories would be created in it.
        let absolute = std::path::absolute(path).map_err(&written)?;
        let there = absolute.ancestors().find(|folder| folder.exists());
        let there = there.unwrap_or(&absolute);
        tempfile::Builder::new()
            .prefix(".touchstone-")
            .tempdir_in(there)
            .map_err(|error| written(error.kind().into()))?;
        Ok(())
    }

    /// Syncs the directory, since the data of a file is lost with its name.
    #[cfg_attr(
        unix,
        expect(
            clippy::disallowed_methods,
            reason = "the edge forces files to the disk"
        )
    )]
    pub(super) fn sync_directory(&self) -> Result<(), LedgerError> {
        #[cfg(unix)]
        match std::fs::File::open(&self.directory).and_then(|directory| directory.sync_all()) {
            // Not supported by all file systems.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {}
            synced => synced.map_err(write_error(&self.directory))?,
        }
        Ok(())
    }

    pub(super) fn read_config(&self) -> Result<Stored, LedgerError> {
        let path = self.config();
        let text = kit::read::text(&path, kit::read::DATA).map_err(|source| {
            if source.kind() == io::ErrorKind::NotFound {
                let path = self.directory.clone();
                return LedgerError::NotARun { path, name: CONFIG };
            }
            LedgerError::Read {
                path: path.clone(),
                source,
            }
        })?;
        Stored::from_json(&text, &path)
    }
}

pub(super) fn write_error(path: &Path) -> impl Fn(io::Error) -> LedgerError + use<> {
    let path = path.to_owned();
    move |source| LedgerError::Write {
        path: path.clone(),
        source,
    }
}

/// A write error of [`kit::output`]; the error of the system is the last of the chain.
pub(super) fn not_written(path: &Path, error: &anyhow::Error) -> LedgerError {
    write_error(path)(io::Error::other(error.root_cause().to_string()))
}
