//! Finds table files in folders, and determines which can be probed; errors. An edge: reads folders and
//! files.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::inventory::{Found, Inventory};
use crate::material::Material;

/// The magic number of a WDL table.
const WDL_MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
/// The magic number of a DTZ table.
const DTZ_MAGIC: [u8; 4] = [0xd7, 0x66, 0x0c, 0xa5];

/// Table files that were found and checked, and can be opened.
#[derive(Clone, Debug)]
pub struct TableFiles {
    /// The folders, separated by colons, none of them empty.
    pub(super) paths: String,
    pub(super) inventory: Inventory,
}

impl TableFiles {
    /// Finds tables in the folders of a text, separated by `:`.
    ///
    /// # Errors
    ///
    /// When no folder is given, one cannot be read or contains no table, a file with the name of a
    /// table is invalid, or no table is complete with those that its captures lead to.
    pub fn find(paths: &str) -> Result<Self, TablebaseError> {
        let folders = paths.split(':').filter(|folder| !folder.is_empty());
        Self::in_folders(folders.map(Path::new))
    }

    /// Finds tables in these folders.
    ///
    /// # Errors
    ///
    /// As for [`TableFiles::find`], and when a folder's name is not UTF-8 or contains a `:`.
    pub fn in_folders<'a>(
        folders: impl IntoIterator<Item = &'a Path>,
    ) -> Result<Self, TablebaseError> {
        let mut found = Found::default();
        let mut names = Vec::new();
        for folder in folders {
            search(folder, &mut found)?;
            names.push(check_name(folder)?);
        }
        if names.is_empty() {
            return Err(TablebaseError::Nowhere);
        }
        let paths = names.join(":");
        let inventory = Inventory::new(&found);
        if inventory.tables == 0 {
            return Err(TablebaseError::Incomplete { paths });
        }
        Ok(Self { paths, inventory })
    }
}

/// A folder's name in the form that the library accepts.
fn check_name(folder: &Path) -> Result<&str, TablebaseError> {
    let text = folder.to_str();
    let text = text.filter(|text| !text.contains([':', '\0']) && *text != "<empty>");
    text.ok_or_else(|| TablebaseError::Name {
        path: folder.to_owned(),
    })
}

/// Adds the tables of a folder to those found.
fn search(folder: &Path, found: &mut Found) -> Result<(), TablebaseError> {
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
        let (magic, kind) = match ending {
            "rtbw" => (WDL_MAGIC, &mut found.wdl),
            "rtbz" => (DTZ_MAGIC, &mut found.dtz),
            _ => continue,
        };
        if let Some(material) = Material::from_name(stem) {
            check_table(entry.path(), magic)?;
            is_empty = false;
            kind.insert(material);
        }
    }
    if is_empty {
        return Err(TablebaseError::Empty {
            path: folder.to_owned(),
        });
    }
    Ok(())
}

/// Whether a file has the magic number and a possible length of a table: blocks of 64 bytes, then a
/// checksum of 16.
#[expect(clippy::disallowed_methods, reason = "the user names the folder")]
fn check_table(path: PathBuf, magic: [u8; 4]) -> Result<(), TablebaseError> {
    let look = || -> io::Result<bool> {
        let mut file = File::open(&path)?;
        let about = file.metadata()?;
        if !about.is_file() || about.len() % 64 != 16 {
            return Ok(false);
        }
        let mut start = [0; 4];
        file.read_exact(&mut start)?;
        Ok(start == magic)
    };
    match look() {
        Ok(true) => Ok(()),
        Ok(false) => Err(TablebaseError::Damaged { path }),
        Err(source) => Err(TablebaseError::File { path, source }),
    }
}

/// Why tablebases cannot be opened.
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
    /// A folder's name is not usable: the library takes folders as one text, separated by colons.
    #[error("the folder of endgame tables {} must be text without ':'", .path.display())]
    Name {
        /// The folder's path.
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
    /// A file has the name of a table, but not the length or the magic number of one.
    #[error("{} is not a complete endgame table", .path.display())]
    Damaged {
        /// The file's path.
        path: PathBuf,
    },
    /// No table is complete, that is, found together with the tables that its captures lead to.
    #[error(
        "the endgame tables in {paths} cannot be used without those of fewer pieces that their \
         captures lead to"
    )]
    Incomplete {
        /// The folders, separated by colons.
        paths: String,
    },
    /// There can be only one [`super::Tablebase`] at a time.
    #[error("endgame tables are open already")]
    AlreadyOpen,
    /// The library rejects the tables for an unknown reason.
    #[error("the endgame tables in {paths} cannot be opened")]
    Rejected {
        /// The folders, separated by colons.
        paths: String,
    },
}
