//! The run directory: the edge.
//!
//! `config.json` is the whole configuration, `tune.jsonl` the journal, `failures/` has the transcript of
//! games that ended by a fault. The journal is only ever appended to, a line for each iteration, and
//! brought to the disk with each line.

use std::fs::{self, File, TryLockError};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::config::{StoredConfig, TuneConfigError};
use super::journal::{IterationRecord, JournalError, Replay};
use crate::ledger::{self, failure_name, schema_of};

const CONFIG: &str = "config.json";
const JOURNAL: &str = "tune.jsonl";
const FAILURES: &str = "failures";

/// A run directory that is being written to, by this run alone.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    journal: File,
}

/// What a run directory has.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The configuration.
    pub config: StoredConfig,
    /// What follows from the journal.
    pub replay: Replay,
}

/// What is wrong with a run directory.
#[derive(Debug, thiserror::Error)]
pub enum DirectoryError {
    /// There is a tuning in it already.
    #[error("{} has a tuning already: go on with it by --resume, or take another", path.display())]
    Taken {
        /// The directory.
        path: PathBuf,
    },
    /// There is none in it.
    #[error("{} has no tuning: there is no {CONFIG}", path.display())]
    NoTuning {
        /// The directory.
        path: PathBuf,
    },
    /// It is the directory of games that are played.
    #[error(
        "{} is the directory of a run of games: selfplay report shows it, selfplay resume goes on with it",
        path.display()
    )]
    NotATuning {
        /// The directory.
        path: PathBuf,
    },
    /// It is in use.
    #[error("another run is writing to {}", path.display())]
    InUse {
        /// The directory.
        path: PathBuf,
    },
    /// Its configuration cannot be understood, or not be written: a path in it is no text.
    #[error("{}: {source}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// Its configuration is no use.
    #[error("{}: {source}", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// Why.
        source: TuneConfigError,
    },
    /// Its journal cannot be gone on with.
    #[error("{}: {source}", path.display())]
    Journal {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: JournalError,
    },
    /// The system fails.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What it was to do.
        action: &'static str,
        /// To which file.
        path: PathBuf,
        /// What it says.
        #[source]
        source: io::Error,
    },
    /// The configuration cannot be written.
    #[error("{0}")]
    Write(String),
}

impl DirectoryError {
    /// Whether the user named the wrong directory, or changed it; else the machine is at fault.
    pub fn is_bad_input(&self) -> bool {
        match self {
            Self::InUse { .. } | Self::Write(_) => false,
            Self::Io { source, .. } => kit::read::is_of_content(source),
            _ => true,
        }
    }
}

impl Directory {
    /// Begins a tuning in a directory, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// When there is a tuning in it already, or it cannot be written to.
    pub fn create(path: &Path, config: &StoredConfig) -> Result<Self, DirectoryError> {
        let file = path.join(CONFIG);
        let text = serde_json::to_string_pretty(config).map_err(|source| DirectoryError::Json {
            path: file.clone(),
            source,
        })?;
        fs::create_dir_all(path).map_err(|source| failed("make", path, source))?;
        let journal = open_journal(path)?;
        if file.exists() {
            let path = path.to_owned();
            return Err(DirectoryError::Taken { path });
        }
        // What a run left that ended before it had a configuration.
        cut(&journal, path, 0)?;
        kit::output::to_file(&file, text + "\n")
            .map_err(|error| DirectoryError::Write(format!("{error:#}")))?;
        let path = path.to_owned();
        Ok(Self { path, journal })
    }

    /// Goes on with a tuning: a torn last line of the journal is cut off.
    ///
    /// # Errors
    ///
    /// When there is none, another run has it, or what is in it does not fit together.
    pub fn open(path: &Path) -> Result<(Self, Stored), DirectoryError> {
        // Before anything is made in a directory that is not ours.
        read_config(path)?;
        let journal = open_journal(path)?;
        let stored = read(path)?;
        cut(&journal, path, stored.replay.whole)?;
        let path = path.to_owned();
        Ok((Self { path, journal }, stored))
    }

    /// Adds an iteration. Once this returns, it is not lost.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn append(&mut self, record: &IterationRecord) -> Result<(), DirectoryError> {
        // A file has no buffer of its own: one line, one write.
        let line = record.to_line();
        let mut written = self.journal.write_all(line.as_bytes());
        written = written.and_then(|()| self.journal.sync_data());
        written.map_err(|source| failed("write", &self.path.join(JOURNAL), source))
    }

    /// Keeps the transcript of a game that ended by a fault; gives where, relative to the directory.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn keep_failure(&self, game: u64, transcript: &str) -> Result<String, DirectoryError> {
        let folder = self.path.join(FAILURES);
        fs::create_dir_all(&folder).map_err(|source| failed("make", &folder, source))?;
        let name = failure_name(game);
        kit::output::to_file(&self.path.join(&name), transcript)
            .map_err(|error| DirectoryError::Write(format!("{error:#}")))?;
        Ok(name)
    }
}

/// Reads a run directory, running or not; writes nothing.
///
/// # Errors
///
/// When there is no tuning in it, or what is in it does not fit together.
pub fn read(path: &Path) -> Result<Stored, DirectoryError> {
    let config = read_config(path)?;
    let journal = path.join(JOURNAL);
    let bytes = match kit::read::file(&journal, kit::read::DATA) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(source) => return Err(failed("read", &journal, source)),
    };
    let replay = Replay::of(&bytes, &config.config).map_err(|source| DirectoryError::Journal {
        path: journal,
        source,
    })?;
    Ok(Stored { config, replay })
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
    let config: Result<StoredConfig, _> = serde_json::from_str(&text);
    let config = config.map_err(|source| match schema_of(&text) {
        Some(schema) if schema == ledger::SCHEMA => DirectoryError::NotATuning {
            path: path.to_owned(),
        },
        _ => DirectoryError::Json {
            path: file.clone(),
            source,
        },
    })?;
    match config.check() {
        Ok(()) => Ok(config),
        Err(source) => Err(DirectoryError::Config { path: file, source }),
    }
}

/// Opens the journal, for this run alone.
fn open_journal(path: &Path) -> Result<File, DirectoryError> {
    let file = path.join(JOURNAL);
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    let journal = options
        .open(&file)
        .map_err(|source| failed("open", &file, source))?;
    match journal.try_lock() {
        Err(TryLockError::WouldBlock) => {
            let path = path.to_owned();
            Err(DirectoryError::InUse { path })
        }
        // Some file systems have no locks; nothing else depends on it.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(journal),
    }
}

/// Cuts off what is behind the whole lines, and goes to the end.
fn cut(mut journal: &File, path: &Path, whole: usize) -> Result<(), DirectoryError> {
    let end = journal.set_len(whole as u64);
    end.and_then(|()| journal.seek(SeekFrom::End(0)))
        .map(drop)
        .map_err(|source| failed("cut", &path.join(JOURNAL), source))
}

fn failed(action: &'static str, path: &Path, source: io::Error) -> DirectoryError {
    let path = path.to_owned();
    DirectoryError::Io {
        action,
        path,
        source,
    }
}
