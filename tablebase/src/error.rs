//! Errors when opening tablebases.

use std::io;
use std::path::PathBuf;

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
    #[error("{} is no endgame table, or not the whole of one", .path.display())]
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
    Refused {
        /// The folders, separated by colons.
        paths: String,
    },
}
