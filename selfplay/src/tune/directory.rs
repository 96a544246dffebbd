//! The run directory of a tuning: file I/O.
//!
//! `config.json` is the full configuration, `tune.jsonl` the journal, and `failures/` holds the
//! transcripts of games that ended by a fault. The journal is append-only, a line for each
//! iteration, and synced to disk with each line.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use kit::journal::{Journal, JournalError, JournalReader, SyncPolicy};

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
    journal: Journal<(), IterationRecord>,
}

#[derive(Clone, Debug)]
pub struct StoredTuning {
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
    #[error(transparent)]
    Journal(#[from] JournalError),
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
            Self::Write(_) => false,
            Self::Journal(error) => error.is_bad_input(),
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
        let path = path.to_owned();
        let taken = || DirectoryError::Taken { path: path.clone() };
        // A run that ended before it wrote its configuration has left no line. The directory is looked at
        // under the lock: another run may have begun, and ended, since it was chosen.
        let journal = Journal::open(
            &path.join(JOURNAL),
            &(),
            SyncPolicy::EveryLine,
            |_: IterationRecord, _| Err(taken()),
        )?;
        if file.exists() {
            return Err(taken());
        }
        kit::output::to_file(&file, text + "\n")
            .map_err(|error| DirectoryError::Write(format!("{error:#}")))?;
        Ok(Self { path, journal })
    }

    /// Resumes a tuning; a torn last line of the journal is cut off.
    ///
    /// # Errors
    ///
    /// When there is no tuning, another run has locked it, or its contents are inconsistent.
    pub fn open(path: &Path) -> Result<(Self, StoredTuning), DirectoryError> {
        // Read first, so that nothing is created in an unrelated directory.
        let config = read_config(path)?;
        let mut replay = Replay::new(&config.config);
        let policy = SyncPolicy::EveryLine;
        let journal = Journal::open(&path.join(JOURNAL), &(), policy, |record, place| {
            replay.take(record).map_err(|reason| place.error(reason))
        })?;
        let path = path.to_owned();
        Ok((Self { path, journal }, StoredTuning { config, replay }))
    }

    /// Appends an iteration, which is on disk once this returns.
    pub fn append(&mut self, record: &IterationRecord) -> Result<(), DirectoryError> {
        Ok(self.journal.append(record)?)
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
pub fn read(path: &Path) -> Result<StoredTuning, DirectoryError> {
    let config = read_config(path)?;
    let mut replay = Replay::new(&config.config);
    let mut reader = JournalReader::new(&path.join(JOURNAL));
    while let Some((record, place)) = reader.next_line()? {
        replay.take(record).map_err(|reason| place.error(reason))?;
    }
    Ok(StoredTuning { config, replay })
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
