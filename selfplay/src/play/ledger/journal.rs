//! The journal `ledger.jsonl`: one line per game.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::error::{LedgerError, RecordFault, reason};
use super::files::{read_error, write_error};
use super::replay::check_fault;
use crate::model::GameRecord;
use crate::play::now;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    /// Number of bytes in complete lines.
    pub(super) whole: u64,
    /// Number of bytes in a torn last line.
    pub(super) torn: u64,
}

/// Reads the records of a ledger one at a time, during the run or later.
#[derive(Debug)]
pub(super) struct Reader {
    path: PathBuf,
    /// `None` until the file exists: a run may be killed before its first game.
    input: Option<BufReader<File>>,
    bytes: Vec<u8>,
    lines: usize,
    extent: Extent,
}

impl Reader {
    pub(super) fn new(path: PathBuf) -> Self {
        Self {
            path,
            input: None,
            bytes: Vec::new(),
            lines: 0,
            extent: Extent::default(),
        }
    }

    /// The next record; `None` if there is none yet. Later calls see records added since.
    pub(super) fn next_record(&mut self) -> Result<Option<GameRecord>, LedgerError> {
        if !self.read_line().map_err(read_error(&self.path))? {
            return Ok(None);
        }
        self.lines += 1;
        if self.bytes.len() as u64 > MAX_LINE {
            let reason = format!("the line has more than {MAX_LINE} bytes, which no record has");
            return Err(record_error(&self.path, self.lines, RecordFault(reason)));
        }
        let record = read_record(&self.bytes);
        record
            .map(Some)
            .map_err(|reason| record_error(&self.path, self.lines, reason))
    }

    /// Number of records read, which is the number of the last line read, from 1.
    pub(super) fn lines(&self) -> usize {
        self.lines
    }

    /// The length of the ledger as read so far.
    pub(super) fn extent(&self) -> Extent {
        self.extent
    }

    /// Reads a line without its end; returns false if it has no end yet.
    fn read_line(&mut self) -> io::Result<bool> {
        if self.input.is_none() {
            self.input =
                open_if_there(&self.path)?.map(|file| BufReader::with_capacity(1 << 16, file));
        }
        let Some(input) = &mut self.input else {
            return Ok(false);
        };
        self.bytes.clear();
        let mut line = input.take(MAX_LINE + 1);
        let length = line.read_until(b'\n', &mut self.bytes)? as u64;
        if self.bytes.pop_if(|&mut last| last == b'\n').is_some() {
            self.extent.whole += length;
            self.extent.torn = 0;
            return Ok(true);
        }
        if length > MAX_LINE {
            // Neither whole nor torn: `next_record` rejects it.
            return Ok(true);
        }
        self.extent.torn = length;
        // A torn line may be cut off and rewritten, so it is read again from its beginning.
        input.seek(SeekFrom::Start(self.extent.whole))?;
        Ok(false)
    }
}

/// Opens a file for reading; `None` if it does not exist.
#[expect(
    clippy::disallowed_methods,
    reason = "the edge reads the run directory"
)]
pub(super) fn open_if_there(path: &Path) -> io::Result<Option<File>> {
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

pub(super) fn record_error(path: &Path, line: usize, reason: RecordFault) -> LedgerError {
    let path = path.to_owned();
    LedgerError::Record { path, line, reason }
}

/// Maximum length of a line in bytes: about 50 times the record of a game of 1,000 moves.
const MAX_LINE: u64 = 16 << 20;

/// Parses one line of a ledger, without its end.
///
/// # Errors
///
/// If it is not the record of a game, or its parts contradict each other.
pub fn read_record(line: &[u8]) -> Result<GameRecord, RecordFault> {
    let text = std::str::from_utf8(line).map_err(|error| {
        let byte = error.valid_up_to() + 1;
        RecordFault(format!("byte {byte} of the line is not UTF-8"))
    })?;
    let record: GameRecord = serde_json::from_str(text)
        .map_err(|error| RecordFault(format!("column {}: {}", error.column(), reason(&error))))?;
    check_fault(&record)?;
    Ok(record)
}

pub(super) fn line(record: &GameRecord) -> String {
    serde_json::to_string(record).expect("a record has no map") + "\n"
}

#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    /// When the oldest line that may not be on disk was written.
    unsynced_since: Option<Instant>,
}

/// Maximum time for which a line may not be on disk.
const SYNC: Duration = Duration::from_secs(1);

impl Journal {
    /// Opens a ledger at the end of its complete lines and truncates what follows them.
    pub(super) fn open(path: PathBuf, whole: u64) -> Result<Self, LedgerError> {
        let failed = write_error(&path);
        let mut options = OpenOptions::new();
        let file = options.create(true).append(true).open(&path);
        let file = file.map_err(&failed)?;
        if file.metadata().map_err(&failed)?.len() > whole {
            file.set_len(whole)
                .and_then(|()| file.sync_data())
                .map_err(&failed)?;
        }
        Ok(Self {
            path,
            file,
            unsynced_since: None,
        })
    }

    pub(super) fn append(&mut self, record: &GameRecord) -> Result<(), LedgerError> {
        self.file
            .write_all(line(record).as_bytes())
            .map_err(write_error(&self.path))?;
        self.unsynced_since.get_or_insert_with(now);
        self.sync_if_due()
    }

    /// Syncs the file if a line was written a second ago or earlier.
    pub(super) fn sync_if_due(&mut self) -> Result<(), LedgerError> {
        match self.unsynced_since {
            Some(since) if now() - since >= SYNC => self.sync(),
            _ => Ok(()),
        }
    }

    pub(super) fn sync(&mut self) -> Result<(), LedgerError> {
        if self.unsynced_since.is_some() {
            self.file.sync_data().map_err(write_error(&self.path))?;
            self.unsynced_since = None;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::ledger::samples::record;

    #[test]
    fn an_endless_line_is_rejected_in_bounded_memory() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ledger.jsonl");
        let first = serde_json::to_string(&record(0, 4)).expect("a record") + "\n";
        // Longer than the limit, as a sparse file that takes no space on disk.
        kit::output::to_file(&path, &first).expect("written");
        let file = OpenOptions::new().append(true).open(&path);
        let file = file.expect("there");
        file.set_len(first.len() as u64 + 4 * MAX_LINE)
            .expect("ours");
        let mut reader = Reader::new(path);
        assert_eq!(reader.next_record().expect("whole"), Some(record(0, 4)));
        let error = reader.next_record().expect_err("no record").to_string();
        let expected = ":2: the line has more than 16777216 bytes, which no record has";
        assert!(error.ends_with(expected), "{error}");
        assert!(reader.bytes.capacity() as u64 <= 4 * MAX_LINE);
    }
}
