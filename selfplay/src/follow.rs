//! Reading a run directory from its first record to its newest, one at a time, while it is written
//! or later: an edge that holds one record in memory, whatever the run's length.

use std::fs::{File, TryLockError};
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::model::{GameRecord, RunConfig};

/// The schema of the configuration that is read.
const SCHEMA: &str = "touchstone/run/1";

/// Why a run directory cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The configuration is not one.
    #[error("{} is no configuration of a run: {reason}", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A line of the ledger is no record.
    #[error("{}, line {line} is no record of a game: {source}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Which line, from 1.
        line: u64,
        /// Why.
        source: serde_json::Error,
    },
}

/// What is needed of `config.json`.
#[derive(Deserialize)]
struct Stored {
    config: RunConfig,
}

/// Reads a ledger as it grows.
#[derive(Debug)]
pub struct Follower {
    directory: PathBuf,
    ledger: PathBuf,
    /// `None` as long as the file is not there.
    input: Option<BufReader<File>>,
    /// A line that may not be complete.
    bytes: Vec<u8>,
    lines: u64,
}

impl Follower {
    /// Opens a run directory, and reads its configuration.
    ///
    /// # Errors
    ///
    /// When the configuration cannot be read, or is none.
    pub fn open(directory: &Path) -> Result<(RunConfig, Self), FollowError> {
        let config = read_config(&directory.join("config.json"))?;
        let follower = Self {
            directory: directory.to_owned(),
            ledger: directory.join("ledger.jsonl"),
            input: None,
            bytes: Vec::new(),
            lines: 0,
        };
        Ok((config, follower))
    }

    /// The next record; `None` if there is none yet. A last line without its end is no record: it is
    /// being written, or was torn. A later call sees what was added since.
    ///
    /// # Errors
    ///
    /// When the ledger cannot be read, or a line is no record.
    pub fn next_record(&mut self) -> Result<Option<GameRecord>, FollowError> {
        let read_error = |source| FollowError::Read {
            path: self.ledger.clone(),
            source,
        };
        if self.input.is_none() {
            self.input = open_if_there(&self.ledger).map_err(read_error)?;
        }
        let Some(input) = &mut self.input else {
            return Ok(None);
        };
        input
            .read_until(b'\n', &mut self.bytes)
            .map_err(read_error)?;
        if !self.bytes.ends_with(b"\n") {
            return Ok(None);
        }
        self.lines += 1;
        let record = serde_json::from_slice(&self.bytes).map_err(|source| FollowError::Record {
            path: self.ledger.clone(),
            line: self.lines,
            source,
        })?;
        self.bytes.clear();
        Ok(Some(record))
    }

    /// Whether a process holds the lock of the directory, which it does as long as it plays.
    ///
    /// # Errors
    ///
    /// When the lock cannot be looked at.
    pub fn is_running(&self) -> Result<bool, FollowError> {
        let path = self.directory.join("lock");
        let read_error = |source| FollowError::Read {
            path: path.clone(),
            source,
        };
        let Some(lock) = open_if_there(&path).map_err(read_error)? else {
            return Ok(false);
        };
        match lock.get_ref().try_lock_shared() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(source)) => Err(read_error(source)),
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the edge reads the configuration"
)]
fn read_config(path: &Path) -> Result<RunConfig, FollowError> {
    let text = std::fs::read_to_string(path).map_err(|source| FollowError::Read {
        path: path.to_owned(),
        source,
    })?;
    let config = |reason: String| FollowError::Config {
        path: path.to_owned(),
        reason,
    };
    let Stored { config: found } =
        serde_json::from_str(&text).map_err(|error| config(error.to_string()))?;
    if found.schema != SCHEMA {
        let schema = &found.schema;
        return Err(config(format!(
            "the schema is '{schema}', expected '{SCHEMA}'"
        )));
    }
    Ok(found)
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the ledger")]
fn open_if_there(path: &Path) -> io::Result<Option<BufReader<File>>> {
    match File::open(path) {
        Ok(file) => Ok(Some(BufReader::with_capacity(1 << 16, file))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
