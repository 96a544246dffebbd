//! Reads the records of a run directory one at a time, during the run or later. Only one record is
//! held in memory, however long the run is.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::Path;

use kit::journal::JournalReader;

use super::error::LedgerError;
use super::files::{LEDGER, LOCK, RunFiles, read_error};
use super::quarantine;
use super::replay::check_fault;
use super::stored::Stored;
use super::writer::check_engines;
use crate::model::{GameRecord, Quarantine, RunConfig};

/// Reads a run directory without locking or writing, so that the run is not affected.
#[derive(Debug)]
pub struct Follower {
    files: RunFiles,
    config: RunConfig,
    reader: JournalReader<GameRecord>,
}

impl Follower {
    /// Opens a run directory and reads its configuration.
    pub fn open(directory: &Path) -> Result<(Stored, Self), LedgerError> {
        let files = RunFiles::new(directory);
        let stored = files.read_config()?;
        let follower = Self {
            reader: JournalReader::new(&files.path(LEDGER)),
            config: stored.config.clone(),
            files,
        };
        Ok((stored, follower))
    }

    /// The next record; `None` if there is none yet. A last line without its end is not a record:
    /// it is being written, or was torn. Later calls see records added since.
    ///
    /// # Errors
    ///
    /// If the ledger cannot be read or a line is not a record. Whether records fit the schedule is
    /// not checked here but by [`crate::play::schedule::Schedule::record`].
    pub fn next_record(&mut self) -> Result<Option<GameRecord>, LedgerError> {
        let Some((record, place)) = self.reader.next_line()? else {
            return Ok(None);
        };
        // Readers index lists by engine, so an unknown engine must not get through.
        let is_sound = check_fault(&record).and_then(|()| check_engines(&self.config, &record));
        is_sound.map_err(|fault| place.error(fault))?;
        Ok(Some(record))
    }

    /// The quarantined workers of a lab, whose games do not count.
    pub fn quarantined(&self) -> Result<Vec<Quarantine>, LedgerError> {
        quarantine::read(&self.files)
    }

    /// Returns true if a process holds the lock of the directory, as it does while it plays.
    #[expect(
        clippy::disallowed_methods,
        reason = "the edge reads the run directory"
    )]
    pub fn is_running(&self) -> Result<bool, LedgerError> {
        let path = self.files.path(LOCK);
        let failed = read_error(&path);
        let lock = match File::open(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            lock => lock.map_err(&failed)?,
        };
        // Shared, so that two reports at the same time do not take each other for the run.
        match lock.try_lock_shared() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::EngineIndex;
    use crate::play::ledger::files::CONFIG;
    use crate::play::ledger::samples::{record, stored};

    #[test]
    fn engines_that_are_not_of_the_run_do_not_get_through() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = RunFiles::new(folder.path());
        let stored = stored();
        let text = stored.to_json().expect("all is text");
        kit::output::to_file(&files.path(CONFIG), text).expect("written");
        let (found, mut follower) = Follower::open(folder.path()).expect("a run");
        assert_eq!(found, stored);
        assert_eq!(follower.next_record().expect("none yet"), None);

        let mut stranger = record(6, 4);
        stranger.plan.white = EngineIndex(256);
        let lines = [record(0, 4), stranger]
            .iter()
            .map(kit::journal::to_line)
            .collect::<String>();
        kit::output::append(&files.path(LEDGER), &lines).expect("written");
        assert_eq!(follower.next_record().expect("whole"), Some(record(0, 4)));
        let error = follower.next_record().expect_err("no engine of the run");
        let expected = "ledger.jsonl:2: engine 256 plays, expected 0 to 1";
        assert!(error.to_string().ends_with(expected), "{error}");
    }
}
