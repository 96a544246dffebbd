//! One process at a time writes a run directory.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};

use super::error::LedgerError;
use super::files::{Files, write_error};

/// The longest number of a process, and the end of its line.
const NUMBER: u64 = 32;

/// Held as long as it lives; the system lets it go when the process ends, however it ends.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock, or says who has it.
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
                // Who it is only helps the reader.
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
