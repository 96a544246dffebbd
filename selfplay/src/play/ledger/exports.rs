//! Files outside the run directory that games are written to as well: a PGN file, and the last
//! positions as EPD.
//!
//! They are appended to after the ledger, so that they never have a game that it lacks, unless the
//! machine lost power. A resumed run reads its own part of each file, from the length that the file
//! had before the run: games that are there in full are left, a torn last one is completed, missing
//! ones are appended. Nothing else in a file is changed.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Component, Path, PathBuf};

use super::error::LedgerError;
use super::files::{read_error, write_error};
use crate::model::{OutputConfig, OutputFile};

/// Notes the length of each file before the run.
///
/// # Errors
///
/// If a file exists and may not be appended to, or is not a regular file.
pub fn measure(output: &mut OutputConfig) -> Result<(), LedgerError> {
    for file in output.files_mut() {
        let path = file.path.clone();
        file.start = match path.metadata() {
            Ok(found) if found.is_file() && file.append => found.len(),
            Ok(found) if found.is_file() && file.overwrite => 0,
            Ok(found) if found.is_file() => return Err(LedgerError::OutputExists { path }),
            Ok(_) => return Err(LedgerError::OutputNoFile { path }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(source) => return Err(LedgerError::Read { path, source }),
        };
    }
    Ok(())
}

/// Checks that no file would be written twice.
///
/// # Errors
///
/// If both files are one, or a file is in the run directory.
pub fn check_outputs(output: &OutputConfig, directory: &Path) -> Result<(), LedgerError> {
    let files = [&output.pgn_file, &output.epd_file].map(|file| Some(&file.as_ref()?.path));
    if let [Some(path), Some(other)] = files
        && resolved(path) == resolved(other)
    {
        let path = path.clone();
        return Err(LedgerError::OutputTwice { path });
    }
    let directory = resolved(directory);
    let is_inside = |path: &&&PathBuf| resolved(path).starts_with(&directory);
    match files.iter().flatten().find(is_inside) {
        Some(path) => Err(LedgerError::OutputInside {
            path: (*path).clone(),
        }),
        None => Ok(()),
    }
}

/// An absolute path without links, of a file that may not exist yet.
fn resolved(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut folders = absolute.ancestors();
    let known = folders.find_map(|folder| Some((folder, folder.canonicalize().ok()?)));
    let Some((folder, mut resolved)) = known else {
        return absolute;
    };
    let missing = absolute.strip_prefix(folder).unwrap_or(&absolute);
    for part in missing.components() {
        if part == Component::ParentDir {
            resolved.pop();
        } else {
            resolved.push(part);
        }
    }
    resolved
}

/// What is written for one game.
#[derive(Clone, Copy)]
pub(super) struct GameText<'a> {
    pub(super) pgn: &'a str,
    pub(super) epd: &'a str,
}

/// The open files.
#[derive(Debug)]
pub(super) struct Exports {
    pgn: Option<Export>,
    epd: Option<Export>,
}

impl Exports {
    /// Opens the files of a run, each at the first game of the run.
    pub(super) fn open(output: &OutputConfig) -> Result<Self, LedgerError> {
        let open = |file: &Option<OutputFile>| file.as_ref().map(Export::open).transpose();
        Ok(Self {
            pgn: open(&output.pgn_file)?,
            epd: open(&output.epd_file)?,
        })
    }

    pub(super) const fn are_any(&self) -> bool {
        self.pgn.is_some() || self.epd.is_some()
    }

    /// Goes past the next recorded game of the run; writes it if it is missing or torn.
    pub(super) fn pass(&mut self, game: GameText<'_>) -> Result<(), LedgerError> {
        self.each(game, Export::pass)
    }

    /// Appends a game.
    pub(super) fn add(&mut self, game: GameText<'_>) -> Result<(), LedgerError> {
        self.each(game, Export::add)
    }

    fn each(
        &mut self,
        game: GameText<'_>,
        write: fn(&mut Export, &str) -> Result<(), LedgerError>,
    ) -> Result<(), LedgerError> {
        for (export, text) in [(&mut self.pgn, game.pgn), (&mut self.epd, game.epd)] {
            if let Some(export) = export {
                write(export, text)?;
            }
        }
        Ok(())
    }

    pub(super) fn sync(&self) -> Result<(), LedgerError> {
        for export in [&self.pgn, &self.epd].into_iter().flatten() {
            let synced = export.file.sync_data();
            synced.map_err(write_error(&export.path))?;
        }
        Ok(())
    }
}

#[derive(Debug)]
struct Export {
    path: PathBuf,
    file: File,
    overwrite: bool,
    /// Where the next game of the run begins.
    at: u64,
}

impl Export {
    fn open(output: &OutputFile) -> Result<Self, LedgerError> {
        let path = output.path.clone();
        let mut options = OpenOptions::new();
        // Not opened for appending only, since a torn game is completed in its place.
        options.create(true).truncate(false).read(true).write(true);
        let file = options.open(&path).map_err(write_error(&path))?;
        let length = file.metadata().map_err(read_error(&path))?.len();
        // A file that was moved away gets all games of the run.
        let at = output.start.min(length);
        Ok(Self {
            path,
            file,
            overwrite: output.overwrite,
            at,
        })
    }

    fn pass(&mut self, text: &str) -> Result<(), LedgerError> {
        let mut found = Vec::new();
        let length = text.len() as u64;
        self.file
            .seek(SeekFrom::Start(self.at))
            .and_then(|_| (&mut self.file).take(length).read_to_end(&mut found))
            .map_err(read_error(&self.path))?;
        if found.len() == text.len() && found == text.as_bytes() {
            self.at += length;
            return Ok(());
        }
        if found.len() < text.len() && text.as_bytes().starts_with(&found) {
            return self.write(text);
        }
        if self.at == 0 && self.overwrite {
            return self.add(text);
        }
        Err(self.changed())
    }

    fn add(&mut self, text: &str) -> Result<(), LedgerError> {
        if self.at == 0 && self.overwrite {
            // What was in it is kept until there is a game.
            self.file.set_len(0).map_err(write_error(&self.path))?;
        }
        let length = self.file.metadata().map_err(read_error(&self.path))?.len();
        // Another program has written to the file, and its text must not be overwritten.
        if length != self.at {
            return Err(self.changed());
        }
        self.write(text)
    }

    /// Writes a game at its place, which is the end of the file but for a torn game.
    fn write(&mut self, text: &str) -> Result<(), LedgerError> {
        self.file
            .seek(SeekFrom::Start(self.at))
            .and_then(|_| self.file.write_all(text.as_bytes()))
            .map_err(write_error(&self.path))?;
        self.at += text.len() as u64;
        Ok(())
    }

    fn changed(&self) -> LedgerError {
        LedgerError::OutputChanged {
            path: self.path.clone(),
            at: self.at,
        }
    }
}

/// Deletes what a run without a game has created.
pub(super) fn take_away(output: &OutputConfig) {
    for file in [&output.pgn_file, &output.epd_file].into_iter().flatten() {
        let is_empty = |path: &Path| path.metadata().is_ok_and(|found| found.len() == 0);
        if !file.append && is_empty(&file.path) {
            // A leftover file does no harm.
            let _ = std::fs::remove_file(&file.path);
        }
    }
}
