//! Reads the records of a run directory one at a time, during the run or later. Only one record is
//! held in memory, however long the run is.

use std::fs::TryLockError;
use std::path::Path;

use super::error::LedgerError;
use super::files::{Files, LEDGER, LOCK, read_error};
use super::journal::{Reader, open_if_there, record_error};
use super::quarantine;
use super::stored::Stored;
use super::writer::check_engines;
use crate::model::{GameRecord, Quarantine, RunConfig};

/// Reads a run directory without locking or writing, so that the run is not affected.
#[derive(Debug)]
pub struct Follower {
    files: Files,
    config: RunConfig,
    reader: Reader,
}

impl Follower {
    /// Opens a run directory and reads its configuration.
    pub fn open(directory: &Path) -> Result<(Stored, Self), LedgerError> {
        let files = Files::new(directory);
        let stored = files.read_config()?;
        let follower = Self {
            reader: Reader::new(files.path(LEDGER)),
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
        let Some(record) = self.reader.next_record()? else {
            return Ok(None);
        };
        // Readers index lists by engine, so an unknown engine must not get through.
        check_engines(&self.config, &record).map_err(|reason| {
            record_error(&self.files.path(LEDGER), self.reader.lines(), reason)
        })?;
        Ok(Some(record))
    }

    /// The quarantined workers of a lab, whose games do not count.
    pub fn quarantined(&self) -> Result<Vec<Quarantine>, LedgerError> {
        quarantine::read(&self.files)
    }

    /// Returns true if a process holds the lock of the directory, as it does while it plays.
    pub fn is_running(&self) -> Result<bool, LedgerError> {
        let path = self.files.path(LOCK);
        let failed = read_error(&path);
        let Some(lock) = open_if_there(&path).map_err(&failed)? else {
            return Ok(false);
        };
        match lock.try_lock_shared() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::Write as _;

    use super::*;
    use crate::model::EngineIndex;
    use crate::play::{
        ledger::files::CONFIG,
        ledger::samples::{record, stored},
    };

    fn line(game: u64) -> String {
        serde_json::to_string(&record(game, 4)).expect("a record") + "\n"
    }

    #[test]
    fn a_torn_line_may_be_cut_off_and_written_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = Files::new(folder.path());
        let stored = stored();
        let text = stored.to_json().expect("all is text");
        kit::output::to_file(&files.path(CONFIG), text).expect("written");
        let (found, mut follower) = Follower::open(folder.path()).expect("a run");
        assert_eq!(found, stored);
        assert_eq!(follower.next_record().expect("none yet"), None);

        let first = line(0);
        let torn = &line(1)[..60];
        kit::output::append(&files.path(LEDGER), &(first.clone() + torn)).expect("written");
        assert_eq!(follower.next_record().expect("whole"), Some(record(0, 4)));
        assert_eq!(follower.next_record().expect("torn"), None);

        // As a resumed run does.
        let ledger = OpenOptions::new().append(true).open(files.path(LEDGER));
        let mut ledger = ledger.expect("there");
        ledger.set_len(first.len() as u64).expect("ours");
        ledger.write_all(line(5).as_bytes()).expect("ours");
        assert_eq!(follower.next_record().expect("whole"), Some(record(5, 4)));
        assert_eq!(follower.next_record().expect("the end"), None);

        let mut stranger = record(6, 4);
        stranger.plan.white = EngineIndex(256);
        let line = serde_json::to_string(&stranger).expect("a record") + "\n";
        kit::output::append(&files.path(LEDGER), &line).expect("written");
        let error = follower.next_record().expect_err("no engine of the run");
        let expected = "engine 256 plays, expected 0 to 1";
        assert!(error.to_string().ends_with(expected), "{error}");
    }
}
