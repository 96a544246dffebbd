//! The run directory of a tuning: file I/O.
//!
//! `config.json` is the full configuration, `tune.jsonl` the journal, and `failures/` holds the
//! transcripts of games that ended by a fault. The journal is append-only, a line for each
//! iteration, and synced to disk with each line.

use std::fs::{self, File};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::config::StoredConfig;
use super::journal::{IterationRecord, Replay};
use crate::model::RunConfig;
use crate::play::{failure_name, schema_of};

const CONFIG: &str = "config.json";
const JOURNAL: &str = "tune.jsonl";
const FAILURES: &str = "failures";

/// A run directory that is locked for writing by this run.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    journal: File,
}

#[derive(Clone, Debug)]
pub struct Stored {
    pub config: StoredConfig,
    /// The state reconstructed from the journal.
    pub replay: Replay,
}

#[derive(Debug, thiserror::Error)]
pub enum DirectoryError {
    #[error("{} already has a tuning: resume it with `selfplay resume`, or choose another directory", path.display())]
    Taken { path: PathBuf },
    #[error("{} has no tuning: {CONFIG} is missing", path.display())]
    NoTuning { path: PathBuf },
    /// The directory belongs to a run of `match`, `sprt` or `tournament`.
    #[error(
        "{} is the directory of a run of games: selfplay report shows it, selfplay resume resumes it",
        path.display()
    )]
    NotATuning { path: PathBuf },
    /// Another run has locked the directory.
    #[error("another run is writing to {}", path.display())]
    InUse { path: PathBuf },
    /// A file with invalid content, or a path in the configuration that is not valid Unicode.
    #[error("{}: {reason}", path.display())]
    Content { path: PathBuf, reason: String },
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        action: &'static str,
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("{0}")]
    Write(String),
}

impl DirectoryError {
    /// Whether the user named the wrong directory, or modified it; otherwise the machine is at
    /// fault.
    pub fn is_bad_input(&self) -> bool {
        match self {
            // A disk that is full is no fault of what it holds.
            Self::InUse { .. }
            | Self::Write(_)
            | Self::Io {
                action: "write", ..
            } => false,
            Self::Io { source, .. } => kit::read::is_of_content(source),
            _ => true,
        }
    }
}

impl Directory {
    /// Starts a tuning in a directory, which is created if necessary.
    pub fn create(path: &Path, config: &StoredConfig) -> Result<Self, DirectoryError> {
        let file = path.join(CONFIG);
        let text = serde_json::to_string_pretty(config);
        let text = text.map_err(|error| invalid(&file, &error))?;
        fs::create_dir_all(path).map_err(|source| failed("make", path, source))?;
        let journal = open_journal(path)?;
        if file.exists() {
            let path = path.to_owned();
            return Err(DirectoryError::Taken { path });
        }
        // Removes remains of a run that ended before it wrote its configuration.
        cut(&journal, path, 0)?;
        kit::output::to_file(&file, text + "\n")
            .map_err(|error| DirectoryError::Write(format!("{error:#}")))?;
        let path = path.to_owned();
        Ok(Self { path, journal })
    }

    /// Resumes a tuning; a torn last line of the journal is cut off.
    ///
    /// # Errors
    ///
    /// When there is no tuning, another run has locked it, or its contents are inconsistent.
    pub fn open(path: &Path) -> Result<(Self, Stored), DirectoryError> {
        // Read first, so that nothing is created in an unrelated directory.
        read_config(path)?;
        let journal = open_journal(path)?;
        let stored = read(path)?;
        cut(&journal, path, stored.replay.whole)?;
        let path = path.to_owned();
        Ok((Self { path, journal }, stored))
    }

    /// Appends an iteration, which is on disk once this returns.
    pub fn append(&mut self, record: &IterationRecord) -> Result<(), DirectoryError> {
        // `File` is unbuffered: one line, one write.
        let line = record.to_line();
        let mut written = self.journal.write_all(line.as_bytes());
        written = written.and_then(|()| self.journal.sync_data());
        written.map_err(|source| failed("write", &self.path.join(JOURNAL), source))
    }

    /// Stores the transcript of a game that ended by a fault; returns its path relative to the
    /// directory.
    pub fn keep_failure(&self, game: u64, transcript: &str) -> Result<String, DirectoryError> {
        let folder = self.path.join(FAILURES);
        fs::create_dir_all(&folder).map_err(|source| failed("make", &folder, source))?;
        let name = failure_name(game);
        kit::output::to_file(&self.path.join(&name), transcript)
            .map_err(|error| DirectoryError::Write(format!("{error:#}")))?;
        Ok(name)
    }
}

/// Reads a run directory, whether its tuning is running or not; writes nothing.
pub fn read(path: &Path) -> Result<Stored, DirectoryError> {
    let config = read_config(path)?;
    let journal = path.join(JOURNAL);
    let bytes = match kit::read::file(&journal, kit::read::DATA) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(source) => return Err(failed("read", &journal, source)),
    };
    let replay = Replay::of(&bytes, &config.config);
    let replay = replay.map_err(|error| invalid(&journal, &error))?;
    Ok(Stored { config, replay })
}

/// Whether a directory has the configuration of a tuning, valid or not.
pub fn is_tuning(path: &Path) -> bool {
    let text = kit::read::text(&path.join(CONFIG), kit::read::DATA);
    let schema = text.ok().and_then(|text| schema_of(&text));
    schema.is_some_and(|schema| schema.starts_with("touchstone/tune/"))
}

fn read_config(path: &Path) -> Result<StoredConfig, DirectoryError> {
    let file = path.join(CONFIG);
    let text = match kit::read::text(&file, kit::read::DATA) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let path = path.to_owned();
            return Err(DirectoryError::NoTuning { path });
        }
        Err(source) => return Err(failed("read", &file, source)),
    };
    let config: StoredConfig =
        serde_json::from_str(&text).map_err(|error| match schema_of(&text) {
            Some(schema) if schema == RunConfig::SCHEMA => DirectoryError::NotATuning {
                path: path.to_owned(),
            },
            _ => invalid(&file, &error),
        })?;
    config.check().map_err(|error| invalid(&file, &error))?;
    Ok(config)
}

fn open_journal(path: &Path) -> Result<File, DirectoryError> {
    let file = path.join(JOURNAL);
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    let journal = kit::open_exclusively(&mut options, &file);
    let journal = journal.map_err(|source| failed("open", &file, source))?;
    journal.ok_or_else(|| DirectoryError::InUse {
        path: path.to_owned(),
    })
}

/// Cuts off everything after the whole lines, and seeks to the end.
fn cut(mut journal: &File, path: &Path, whole: usize) -> Result<(), DirectoryError> {
    let end = journal.set_len(whole as u64);
    end.and_then(|()| journal.seek(SeekFrom::End(0)))
        .map(drop)
        .map_err(|source| failed("cut", &path.join(JOURNAL), source))
}

fn invalid(path: &Path, error: &dyn std::error::Error) -> DirectoryError {
    DirectoryError::Content {
        path: path.to_owned(),
        reason: error.to_string(),
    }
}

fn failed(action: &'static str, path: &Path, source: io::Error) -> DirectoryError {
    let path = path.to_owned();
    DirectoryError::Io {
        action,
        path,
        source,
    }
}
