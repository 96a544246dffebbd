//! The journal as a file: the edge.

use std::fs::{File, TryLockError};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use kit::read;

use super::journal::{Header, Journal, JournalError, count_line};

/// A journal file that this run alone writes.
#[derive(Debug)]
pub(crate) struct JournalFile {
    file: File,
    path: PathBuf,
}

/// Why a journal could not be opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error("cannot open {}", path.display())]
    Open { path: PathBuf, source: io::Error },
    #[error("{} is not a regular file, expected a journal or a new name", path.display())]
    NoFile { path: PathBuf },
    #[error("another run is writing to {}", path.display())]
    InUse { path: PathBuf },
    #[error("{}", path.display())]
    Content { path: PathBuf, source: JournalError },
}

impl OpenError {
    /// Whether the user named a wrong file; otherwise the file itself or the machine is at fault.
    pub(crate) fn is_bad_input(&self) -> bool {
        match self {
            Self::NoFile { .. } => true,
            Self::Content { source, .. } => !matches!(source, JournalError::Contradiction { .. }),
            Self::Open { source, .. } => read::is_of_content(source),
            Self::InUse { .. } => false,
        }
    }
}

impl JournalFile {
    /// Opens or creates a journal with this `header`; returns its counts.
    pub(crate) fn open(
        path: &Path,
        header: &Header,
    ) -> Result<(Self, Vec<Option<u64>>), OpenError> {
        let owned = || path.to_owned();
        let failed = |source| OpenError::Open {
            path: owned(),
            source,
        };
        // Checked first, because opening a pipe may block forever.
        if std::fs::metadata(path).is_ok_and(|data| !data.is_file()) {
            return Err(OpenError::NoFile { path: owned() });
        }
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(failed)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(OpenError::InUse { path: owned() }),
            // Some file systems have no locks; correctness does not depend on them.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let bytes = read::all(&file, read::DATA).map_err(failed)?;
        let journal = Journal::parse(&bytes, header).map_err(|source| OpenError::Content {
            path: owned(),
            source,
        })?;
        begin(&mut file, journal.whole, header).map_err(failed)?;
        let file = Self {
            file,
            path: owned(),
        };
        Ok((file, journal.counts))
    }

    /// Appends the count of a unit. Once this returns, the count survives a kill of the program.
    pub(crate) fn append(&mut self, unit: usize, nodes: u64) -> anyhow::Result<()> {
        // `File` is unbuffered: one line is one write.
        self.file
            .write_all(count_line(unit, nodes).as_bytes())
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// Truncates a torn line, and writes the header if there is none.
fn begin(file: &mut File, whole: usize, header: &Header) -> io::Result<()> {
    file.set_len(whole as u64)?;
    file.seek(SeekFrom::End(0))?;
    if whole == 0 {
        file.write_all(header.to_line().as_bytes())?;
    }
    Ok(())
}
