//! The paths of the files in a run directory, and its configuration.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use kit::output;
use tempfile::{NamedTempFile, TempPath};

use super::error::LedgerError;
use super::pgn::UtcTime;
use super::stored::Stored;

pub(super) const CONFIG: &str = "config.json";
pub(super) const LEDGER: &str = "ledger.jsonl";
pub(super) const PGN: &str = "games.pgn";
pub(super) const QUARANTINED: &str = "set-aside.jsonl";
pub(super) const FAILURES: &str = "failures";
pub(super) const LOCK: &str = "lock";
/// [`PGN`] while it is being rewritten.
const NEW_PGN: &str = "games.pgn.new";

/// The paths of the files in a run directory.
#[derive(Clone, Debug)]
pub(super) struct RunFiles {
    pub(super) directory: PathBuf,
}

impl RunFiles {
    pub(super) fn new(directory: &Path) -> Self {
        let directory = directory.to_owned();
        Self { directory }
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// Starts `games.pgn` anew.
    pub(super) fn rewrite_pgn(&self) -> Result<NewFile, LedgerError> {
        NewFile::begin(self.path(PGN), self.path(NEW_PGN))
    }

    /// Opens `games.pgn` to append games.
    pub(super) fn open_pgn(&self) -> Result<File, LedgerError> {
        let path = self.path(PGN);
        let mut options = OpenOptions::new();
        let pgn = options.create(true).append(true).open(&path);
        pgn.map_err(write_error(&path))
    }

    /// Creates the directory, which must be absent or empty.
    pub(super) fn create_directory(&self) -> Result<(), LedgerError> {
        let path = &self.directory;
        let written = write_error(path);
        if let Some(parent) = path.parent().filter(|path| !path.as_os_str().is_empty()) {
            std::fs::create_dir_all(parent).map_err(&written)?;
        }
        // Creating is the check at once: of two runs only one can have created it.
        match std::fs::create_dir(path) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => self.check_empty(),
            Err(error) => Err(written(error)),
        }
    }

    fn check_empty(&self) -> Result<(), LedgerError> {
        let path = &self.directory;
        if path.read_dir().is_ok_and(|mut all| all.next().is_none()) {
            return Ok(());
        }
        Err(LedgerError::Exists { path: path.clone() })
    }

    /// Checks that the directory could be created, or is empty and writable. Leaves nothing behind.
    pub(super) fn check_directory(&self) -> Result<(), LedgerError> {
        let path = &self.directory;
        let written = write_error(path);
        if path.exists() {
            self.check_empty()?;
        }
        // The first ancestor that exists: the missing directories would be created in it.
        let absolute = std::path::absolute(path).map_err(&written)?;
        let there = absolute.ancestors().find(|folder| folder.exists());
        let there = there.unwrap_or(&absolute);
        // Only trying shows whether a folder can be written to: permissions do not know of
        // read-only disks.
        tempfile::Builder::new()
            .prefix(".touchstone-")
            .tempdir_in(there)
            .map_err(|error| written(error.kind().into()))?;
        Ok(())
    }

    pub(super) fn read_config(&self) -> Result<Stored, LedgerError> {
        let path = self.path(CONFIG);
        let text = kit::read::text(&path, kit::read::DATA).map_err(|source| {
            if source.kind() == io::ErrorKind::NotFound {
                let path = self.directory.clone();
                return LedgerError::NotARun { path };
            }
            read_error(&path)(source)
        })?;
        Stored::from_json(&text, &path)
    }
}

pub(super) fn read_error(path: &Path) -> impl Fn(io::Error) -> LedgerError + use<> {
    let path = path.to_owned();
    move |source| LedgerError::Read {
        path: path.clone(),
        source,
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

// Names of directories and files. Pure.

/// The default name of a run directory: the start time and the engines.
///
/// ```
/// use selfplay::ledger::{UtcTime, default_name};
///
/// let began = UtcTime::of_milliseconds(1_234_567_890_000);
/// assert_eq!(default_name(began, ["new/1", "base"]), "selfplay-20090213-233130-new_1-base");
/// ```
pub fn default_name<'a>(began: UtcTime, engines: impl IntoIterator<Item = &'a str>) -> String {
    const MAX_NAMES: usize = 2;
    let names: Vec<String> = engines.into_iter().map(plain).collect();
    let UtcTime {
        year,
        month,
        day,
        hour,
        minute,
        second,
    } = began;
    let mut name = format!("selfplay-{year:04}{month:02}{day:02}-{hour:02}{minute:02}{second:02}");
    for engine in names.iter().take(MAX_NAMES) {
        name = name + "-" + engine;
    }
    if names.len() > MAX_NAMES {
        name = format!("{name}-and-{}", names.len() - MAX_NAMES);
    }
    name
}

/// The path of the transcript of a game that ended by a fault, relative to the run directory.
pub fn failure_name(game: u64) -> String {
    format!("failures/game-{:06}.txt", game + 1)
}

/// Replaces characters that not every file system allows in names.
fn plain(name: &str) -> String {
    const MAX_CHARS: usize = 30;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let chars = name.chars().take(MAX_CHARS);
    chars.map(|c| if is_plain(c) { c } else { '_' }).collect()
}

// The lock that lets only one process at a time write a run directory.

/// Maximum length of a process id and its line end.
const NUMBER: u64 = 32;

/// How long a report may hold the lock to find out whether the run is running.
const LOOK: Duration = Duration::from_millis(20);
const LOOKS: u32 = 10;

/// Held until dropped; the system releases it however the process ends.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock; the error names the process that holds it.
    pub(super) fn take(files: &RunFiles) -> Result<Self, LedgerError> {
        let path = files.path(LOCK);
        let failed = write_error(&path);
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).read(true).write(true);
        let mut file = options.open(&path).map_err(&failed)?;
        // A report on the run holds the lock for a moment.
        let mut locked = file.try_lock();
        for _ in 0..LOOKS {
            if !matches!(locked, Err(TryLockError::WouldBlock)) {
                break;
            }
            std::thread::sleep(LOOK);
            locked = file.try_lock();
        }
        match locked {
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

// A file of the run directory, rewritten through a temporary neighbour and renamed once complete.

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
            // The file keeps the permissions that its user gave it.
            let kept = new.as_file().set_permissions(old.permissions());
            kept.map_err(&failed)?;
        }
        // Synced before the rename: after a power loss, the name must not stand for an incomplete
        // file.
        new.as_file().sync_all().map_err(&failed)?;
        output::replace(&self.path, new).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_plain() {
        let began = UtcTime::of_milliseconds(0);
        let long = "x".repeat(100);
        let expected = format!("selfplay-19700101-000000-{}-__b-and-2", "x".repeat(30));
        assert_eq!(default_name(began, [&*long, "ä b", "c", "d"]), expected);
        assert_eq!(failure_name(16), "failures/game-000017.txt");
    }
}
