//! Finds table files in folders, and maps them into memory at their first use; errors. An edge: reads
//! folders and files.
#![expect(unsafe_code, reason = "files are mapped into memory here")]

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use memmap2::Mmap;

use crate::format::{TableKind, TableLayout};
use crate::material::Material;
use crate::reader::FormatError;

/// A table that is opened at its first use.
#[derive(Debug)]
pub(crate) struct TableFile {
    kind: TableKind,
    material: Material,
    path: PathBuf,
    open: OnceLock<Result<(TableLayout, Mmap), TablebaseError>>,
    /// What was found wrong with its blocks.
    fault: OnceLock<TablebaseError>,
}

impl TableFile {
    /// What `read` returns of the table and its bytes; `None` also says that they are damaged, and
    /// then the file is not read again.
    #[inline(always)]
    pub(crate) fn read<T>(&self, read: impl FnOnce(&TableLayout, &[u8]) -> Option<T>) -> Option<T> {
        let (table, bytes) = self.open.get_or_init(|| self.open()).as_ref().ok()?;
        if self.fault.get().is_some() {
            return None;
        }
        let found = read(table, bytes);
        if found.is_none() {
            self.fault.get_or_init(|| self.damaged(FormatError::Blocks));
        }
        found
    }

    /// Why the table cannot be read, if that has been found out.
    pub(crate) fn error(&self) -> Option<&TablebaseError> {
        let error = self.open.get().and_then(|open| open.as_ref().err());
        error.or_else(|| self.fault.get())
    }

    #[cold]
    #[expect(clippy::disallowed_methods, reason = "the user names the folder")]
    fn open(&self) -> Result<(TableLayout, Mmap), TablebaseError> {
        let map = || -> io::Result<Mmap> {
            let file = File::open(&self.path)?;
            // SAFETY: the bytes are only read, as a slice that lives as long as the mapping. They
            // must not change meanwhile, which the documentation of `Tablebase` demands of the user,
            // as every program that maps tables does: they are written once, when downloaded.
            let map = unsafe { Mmap::map(&file)? };
            // A probe reads a few bytes anywhere; without the advice, the system reads much around.
            #[cfg(unix)]
            let _ = map.advise(memmap2::Advice::Random);
            Ok(map)
        };
        let map = map().map_err(|source| TablebaseError::File {
            path: self.path.clone(),
            source,
        })?;
        let table = TableLayout::read(self.kind, self.material, &map);
        table
            .map(|table| (table, map))
            .map_err(|reason| self.damaged(reason))
    }

    fn damaged(&self, reason: FormatError) -> TablebaseError {
        TablebaseError::Damaged {
            path: self.path.clone(),
            reason,
        }
    }
}

/// The tables of one material, named as in the file name.
#[derive(Debug, Default)]
pub(crate) struct TableFiles {
    pub(crate) wdl: Option<TableFile>,
    pub(crate) dtz: Option<TableFile>,
}

/// Finds the tables in these folders. Of several files for one table, the first is used.
pub(crate) fn find<'a>(
    folders: impl IntoIterator<Item = &'a Path>,
) -> Result<HashMap<Material, TableFiles>, TablebaseError> {
    let mut found = HashMap::new();
    let mut last = None;
    for folder in folders {
        search(folder, &mut found)?;
        last = Some(folder);
    }
    let path = last.ok_or(TablebaseError::Nowhere)?;
    if found.values().all(|files: &TableFiles| files.wdl.is_none()) {
        let path = path.to_owned();
        return Err(TablebaseError::NoResults { path });
    }
    Ok(found)
}

/// Adds the tables of a folder to those found.
fn search(folder: &Path, found: &mut HashMap<Material, TableFiles>) -> Result<(), TablebaseError> {
    let failed = |source| TablebaseError::Folder {
        path: folder.to_owned(),
        source,
    };
    let mut is_empty = true;
    for entry in folder.read_dir().map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let Some((stem, ending)) = name.to_str().and_then(|name| name.rsplit_once('.')) else {
            continue;
        };
        let kind = match ending {
            "rtbw" => TableKind::Wdl,
            "rtbz" => TableKind::Dtz,
            _ => continue,
        };
        if let Some(material) = Material::from_name(stem) {
            let path = entry.path();
            check_table(&path, kind)?;
            is_empty = false;
            let files = found.entry(material).or_default();
            let file = match kind {
                TableKind::Wdl => &mut files.wdl,
                TableKind::Dtz => &mut files.dtz,
            };
            file.get_or_insert(TableFile {
                kind,
                material,
                path,
                open: OnceLock::new(),
                fault: OnceLock::new(),
            });
        }
    }
    if is_empty {
        return Err(TablebaseError::Empty {
            path: folder.to_owned(),
        });
    }
    Ok(())
}

/// Whether a file has the magic number and a possible length of a table.
#[expect(clippy::disallowed_methods, reason = "the user names the folder")]
fn check_table(path: &Path, kind: TableKind) -> Result<(), TablebaseError> {
    let look = || -> io::Result<Result<(), FormatError>> {
        let mut file = File::open(path)?;
        let about = file.metadata()?;
        if !about.is_file() || !TableKind::may_have_length(about.len()) {
            return Ok(Err(FormatError::Length));
        }
        let mut start = [0; 4];
        file.read_exact(&mut start)?;
        let is_right = start == kind.magic();
        Ok(if is_right {
            Ok(())
        } else {
            Err(FormatError::Magic)
        })
    };
    let path = path.to_owned();
    match look() {
        Ok(Ok(())) => Ok(()),
        Ok(Err(reason)) => Err(TablebaseError::Damaged { path, reason }),
        Err(source) => Err(TablebaseError::File { path, source }),
    }
}

/// Why tablebases, or one table, cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    /// No folder was given.
    #[error("no folder of endgame tables was named")]
    Nowhere,
    /// A folder cannot be read.
    #[error("cannot read the folder of endgame tables {}: {source}", .path.display())]
    Folder {
        /// The folder's path.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// A folder contains no table.
    #[error("no endgame table (*.rtbw, *.rtbz) in {}", .path.display())]
    Empty {
        /// The folder's path.
        path: PathBuf,
    },
    /// The folders contain distances only, which cannot be used without results.
    #[error("no endgame table with results (*.rtbw) in {}", .path.display())]
    NoResults {
        /// The path of the last folder.
        path: PathBuf,
    },
    /// A table cannot be read.
    #[error("cannot read the endgame table {}: {source}", .path.display())]
    File {
        /// The file's path.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// A file has the name of a table, but is none.
    #[error("the endgame table {} is damaged: {reason}", .path.display())]
    Damaged {
        /// The file's path.
        path: PathBuf,
        /// What is wrong with it.
        reason: FormatError,
    },
}
