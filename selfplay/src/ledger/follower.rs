//! Reading a run directory from its first record to its newest, one at a time, while it is written or
//! later: one record is held in memory, whatever the length of the run.

use std::fs::TryLockError;
use std::path::Path;

use super::error::LedgerError;
use super::files::Files;
use super::journal::{self, Reader, record_error};
use super::stored::Stored;
use super::writer::check_engines;
use crate::model::{GameRecord, RunConfig, SetAside};

/// Reads a run directory. Nothing is locked, nothing written, and the run does not notice.
#[derive(Debug)]
pub struct Follower {
    files: Files,
    config: RunConfig,
    reader: Reader,
}

impl Follower {
    /// Opens a run directory, and reads what decides the run.
    ///
    /// # Errors
    ///
    /// When it is no run directory, or its configuration cannot be read.
    pub fn open(directory: &Path) -> Result<(Stored, Self), LedgerError> {
        let files = Files::new(directory);
        let stored = files.read_config()?;
        let reader = Reader::new(files.ledger());
        let config = stored.config.clone();
        let follower = Self {
            files,
            config,
            reader,
        };
        Ok((stored, follower))
    }

    /// The next record; `None` if there is none yet. A last line without its end is no record: it is
    /// being written, or was torn. A later call sees what was added since.
    ///
    /// # Errors
    ///
    /// When the ledger cannot be read, or a line is no record. Whether records fit the schedule is not
    /// looked at: [`crate::schedule::Schedule::record`] does that.
    pub fn next_record(&mut self) -> Result<Option<GameRecord>, LedgerError> {
        let Some(record) = self.reader.next_record()? else {
            return Ok(None);
        };
        // Whoever follows counts by engine: one that the run does not have would be no place in a list.
        check_engines(&self.config, &record)
            .map_err(|reason| record_error(&self.files.ledger(), self.reader.lines(), reason))?;
        Ok(Some(record))
    }

    /// Workers of a fleet whose games do not count.
    ///
    /// # Errors
    ///
    /// When their list cannot be read.
    pub fn set_aside(&self) -> Result<Vec<SetAside>, LedgerError> {
        super::aside::read(&self.files)
    }

    /// Whether the ledger that is read was replaced by another, without the games of a worker that was
    /// set aside: then all is to be read anew.
    ///
    /// # Errors
    ///
    /// When the ledger cannot be looked at.
    pub fn is_replaced(&self) -> Result<bool, LedgerError> {
        self.reader.is_replaced()
    }

    /// Whether a process holds the lock of the directory, which it does as long as it plays.
    ///
    /// # Errors
    ///
    /// When the lock cannot be looked at.
    pub fn is_running(&self) -> Result<bool, LedgerError> {
        let path = self.files.lock();
        let failed = |source| LedgerError::Read {
            path: path.clone(),
            source,
        };
        let Some(lock) = journal::open_if_there(&path).map_err(failed)? else {
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
    use crate::ledger::samples::{config, record};
    use crate::model::EngineIndex;

    fn line(game: u64) -> String {
        serde_json::to_string(&record(game, 4)).expect("a record") + "\n"
    }

    #[test]
    fn a_torn_line_may_be_cut_off_and_written_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = Files::new(folder.path());
        let stored = Stored {
            config: config(),
            book: None,
            programs: std::collections::BTreeMap::new(),
            revisions: std::collections::BTreeMap::new(),
            fleet: None,
            version: "0".to_owned(),
        };
        let text = stored.to_json().expect("all is text");
        kit::output::to_file(&files.config(), text).expect("written");
        let (found, mut follower) = Follower::open(folder.path()).expect("a run");
        assert_eq!(found, stored);
        assert_eq!(follower.next_record().expect("none yet"), None);

        let first = line(0);
        let torn = &line(1)[..60];
        kit::output::append(&files.ledger(), &(first.clone() + torn)).expect("written");
        assert_eq!(follower.next_record().expect("whole"), Some(record(0, 4)));
        assert_eq!(follower.next_record().expect("torn"), None);

        // As a run that goes on does.
        let ledger = OpenOptions::new().append(true).open(files.ledger());
        let mut ledger = ledger.expect("there");
        ledger.set_len(first.len() as u64).expect("ours");
        ledger.write_all(line(5).as_bytes()).expect("ours");
        assert_eq!(follower.next_record().expect("whole"), Some(record(5, 4)));
        assert_eq!(follower.next_record().expect("the end"), None);

        let mut stranger = record(6, 4);
        stranger.plan.white = EngineIndex(256);
        let line = serde_json::to_string(&stranger).expect("a record") + "\n";
        kit::output::append(&files.ledger(), &line).expect("written");
        let error = follower.next_record().expect_err("no engine of the run");
        assert!(
            error
                .to_string()
                .ends_with("engine 256 plays, expected 0 to 1")
        );
    }
}
