//! The lock that lets only one process at a time write a run directory.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};

use super::error::LedgerError;
use super::files::{Files, write_error};

/// Maximum length of a process id and its line end.
const NUMBER: u64 = 32;

/// Held until dropped; the system releases it however the process ends.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock; the error names the process that holds it.
    pub(super) fn take(files: &Files) -> Result<Self, LedgerError> {
        let path = files.lock();
        let failed = write_error(&path);
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).read(true).write(true);
        let mut file = options.open(&path).map_err(&failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                // The process id only informs the user, so a failure does not matter.
                let _ = file.take(NUMBER).read_to_string(&mut text);
                return Err(LedgerError::InUse {
                    path: files.directory.clone(),
                    process: text.trim().parse().ok(),
                });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()))
            .map_err(failed)?;
        Ok(Self { _file: file })
    }
}
