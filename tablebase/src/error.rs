//! Why there are no tables.

use std::io;
use std::path::PathBuf;

/// Tables that cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
    /// No folder was named.
    #[error("no folder of endgame tables was named")]
    Nowhere,
    /// A folder cannot be looked into.
    #[error("cannot read the folder of endgame tables {}: {source}", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// There is no table in a folder.
    #[error("no endgame table (*.rtbw, *.rtbz) in {}", .path.display())]
    Empty {
        /// The folder.
        path: PathBuf,
    },
    /// The library takes folders as one text, parted by colons.
    #[error("the folder of endgame tables {} must be text without ':'", .path.display())]
    Name {
        /// The folder.
        path: PathBuf,
    },
    /// A table cannot be read.
    #[error("cannot read the endgame table {}: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file has the name of a table, but not the length or the first bytes of one.
    #[error("{} is no endgame table, or not the whole of one", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// There are tables, but none is complete with those that its captures lead to.
    #[error(
        "the endgame tables in {paths} cannot be used without those of fewer pieces that their \
         captures lead to"
    )]
    Incomplete {
        /// The folders, parted by colons.
        paths: String,
    },
    /// There can be one [`super::Tablebase`] only at a time.
    #[error("endgame tables are open already")]
    AlreadyOpen,
    /// The library refuses them, for a reason of its own.
    #[error("the endgame tables in {paths} cannot be opened")]
    Refused {
        /// The folders, parted by colons.
        paths: String,
    },
}
