//! Syzygy endgame tablebases: exact results of positions with few pieces.
//!
//! A [`Tablebase`] supports two kinds of probes. [`Tablebase::probe_wdl`] returns the result of a
//! position, for nodes within a search. [`Tablebase::probe_root`] ranks the moves of a root
//! position, so that a win is converted before the fifty-move rule applies. [`Probing`] combines
//! tables with the user's probe limits.
//!
//! The tables and their format are Ronald de Man's. `format` knows the layout of a file and `pairs`
//! its compression, `encoding` numbers positions, `probe` completes what is stored by a search of
//! captures. Nothing is global: any number of tablebases can be open. A damaged file gives an error,
//! [`Tablebase::errors`], and is treated as missing.
//!
//! This is an edge: files are read here, by `files`; the rest is pure. Absent: generating tables,
//! distance to mate, other variants than chess.

mod counting;
mod encoding;
mod files;
mod format;
mod material;
mod pairs;
mod probe;
mod probing;
mod rank;
mod reader;
#[cfg(test)]
mod synthetic;

pub use files::TablebaseError;
pub use probe::Tablebase;
pub use probing::Probing;
pub use rank::{RootRank, TablebaseWdl, best_moves};
pub use reader::FormatError;
