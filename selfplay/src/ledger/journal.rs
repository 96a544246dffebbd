//! `ledger.jsonl`: a line for each game.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::error::{LedgerError, RecordFault};
use super::files::write_error;
use crate::model::{GameRecord, Termination};

/// How long a ledger is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    /// How many bytes the complete lines have.
    pub(super) whole: u64,
    /// How many bytes the torn last line has.
    pub(super) torn: u64,
}

/// Reads a ledger, and gives each record with the number of its line, from 1. One that is not there has no
/// game: a run may be killed before its first.
#[expect(clippy::disallowed_methods, reason = "the edge reads the ledger")]
pub(super) fn read(
    path: &Path,
    mut take: impl FnMut(usize, GameRecord) -> Result<(), LedgerError>,
) -> Result<Extent, LedgerError> {
    let failed = |source| LedgerError::Read {
        path: path.to_owned(),
        source,
    };
    let mut input = match File::open(path) {
        Ok(file) => BufReader::new(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Extent::default()),
        Err(error) => return Err(failed(error)),
    };
    let mut extent = Extent::default();
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        let length = input.read_until(b'\n', &mut bytes).map_err(failed)? as u64;
        let Some(line) = bytes.strip_suffix(b"\n") else {
            extent.torn = length;
            break;
        };
        let record = parse(line).map_err(|reason| record_error(path, number, reason))?;
        take(number, record)?;
        extent.whole += length;
    }
    Ok(extent)
}

/// What is wrong with a line.
pub(super) fn record_error(path: &Path, line: usize, reason: RecordFault) -> LedgerError {
    let path = path.to_owned();
    LedgerError::Record { path, line, reason }
}

fn parse(line: &[u8]) -> Result<GameRecord, RecordFault> {
    let text = std::str::from_utf8(line).map_err(|error| RecordFault::NotUtf8 {
        offset: error.valid_up_to() + 1,
    })?;
    let record: GameRecord = serde_json::from_str(text).map_err(|error| RecordFault::Json {
        column: error.column(),
        reason: super::read::reason(&error),
    })?;
    let what = match (&record.fault, record.termination) {
        (None, Termination::Fault) => "does not say whose",
        (Some(_), termination) if termination != Termination::Fault => "has a fault",
        (Some(fault), _) if record.half_points(fault.engine) != Some(0) => {
            "was not lost by whose fault it is"
        }
        _ => return Ok(record),
    };
    let termination = record.termination.as_str();
    Err(RecordFault::Fault { termination, what })
}

/// A ledger that grows.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    /// When the oldest line was written that may not be on the disk.
    unsynced_since: Option<Instant>,
}

/// For how long a line may not be on the disk.
const SYNC: Duration = Duration::from_secs(1);

impl Journal {
    /// Opens a ledger at the end of its whole lines; what is behind them is cut off.
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
        let unsynced_since = None;
        Ok(Self {
            path,
            file,
            unsynced_since,
        })
    }

    /// Records a game: one write.
    pub(super) fn append(&mut self, record: &GameRecord) -> Result<(), LedgerError> {
        let mut line = serde_json::to_vec(record).expect("a record has no map");
        line.push(b'\n');
        self.file
            .write_all(&line)
            .map_err(write_error(&self.path))?;
        self.unsynced_since.get_or_insert_with(now);
        self.sync_if_due()
    }

    /// Forces what was written a second ago or earlier to the disk.
    pub(super) fn sync_if_due(&mut self) -> Result<(), LedgerError> {
        match self.unsynced_since {
            Some(since) if now() - since >= SYNC => self.sync(),
            _ => Ok(()),
        }
    }

    /// Forces all that was written to the disk.
    pub(super) fn sync(&mut self) -> Result<(), LedgerError> {
        if self.unsynced_since.is_some() {
            self.file.sync_data().map_err(write_error(&self.path))?;
            self.unsynced_since = None;
        }
        Ok(())
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the edge forces files to the disk in time"
)]
fn now() -> Instant {
    Instant::now()
}
