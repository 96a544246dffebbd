//! The journal of a resumable count as a file, which is appended and survives `kill -9`.

use std::fs::File;
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use kit::{BadInput, read};

use super::journal::{Header, Journal, JournalError, count_line};
use super::units::Cut;

/// A ply with this many positions keeps every core busy, and a kill loses little.
pub(crate) const CUT: Cut = Cut::Enough {
    units: 2000,
    below: 1,
};

/// A journal file that this run alone writes.
#[derive(Debug)]
pub(crate) struct JournalFile {
    file: File,
    pub(crate) path: PathBuf,
    /// The count of each unit, if known.
    pub(crate) counts: Vec<Option<u64>>,
}

impl JournalFile {
    /// Opens or creates a journal with this `header`.
    ///
    /// # Errors
    ///
    /// [`BadInput`] where the user named a wrong file; else the file itself or the machine is at fault.
    pub(crate) fn open(path: &Path, header: &Header) -> anyhow::Result<Self> {
        let name = path.display();
        let failed = |error: io::Error| {
            if read::is_of_content(&error) {
                BadInput(format!("cannot open {name}: {error}")).into()
            } else {
                anyhow::Error::from(error).context(format!("cannot open {name}"))
            }
        };
        // Checked first, because opening a pipe may block forever.
        if std::fs::metadata(path).is_ok_and(|data| !data.is_file()) {
            let expected = "expected a journal or a new name";
            return Err(BadInput(format!("{name} is not a regular file, {expected}")).into());
        }
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let Some(mut file) = kit::open_exclusively(&mut options, path).map_err(failed)? else {
            bail!("another run is writing to {name}");
        };
        let bytes = read::all(&file, read::DATA).map_err(failed)?;
        let journal = Journal::parse(&bytes, header).map_err(|error| match error {
            JournalError::Contradiction { .. } => {
                anyhow::Error::from(error).context(name.to_string())
            }
            error => BadInput(format!("{name}: {error}")).into(),
        })?;
        // Truncates a torn line, and writes the header if there is none.
        file.set_len(journal.whole as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        if journal.whole == 0 {
            file.write_all(header.to_line().as_bytes())
                .map_err(failed)?;
        }
        Ok(Self {
            file,
            path: path.to_owned(),
            counts: journal.counts,
        })
    }

    /// Appends the count of a unit. Once this returns, the count survives a kill of the program.
    pub(crate) fn append(&mut self, unit: usize, nodes: u64) -> anyhow::Result<()> {
        self.counts[unit] = Some(nodes);
        // `File` is unbuffered: one line is one write.
        self.file
            .write_all(count_line(unit, nodes).as_bytes())
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}
