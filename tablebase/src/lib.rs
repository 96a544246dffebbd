//! Syzygy endgame tablebases: exact results of positions with few pieces.
//!
//! A [`Tablebase`] supports two kinds of probes. [`Tablebase::probe_wdl`] returns the result of a
//! position, for nodes within a search. [`Tablebase::probe_root`] ranks the moves of a root
//! position, so that a win is converted before the fifty-move rule applies. [`Probing`] combines
//! tables with the user's probe limits.
//!
//! The tables and their format are Ronald de Man's. They are read by the library `pyrrhic-rs`,
//! whose state is global to the process: there is only one [`Tablebase`] at a time, which any
//! number of threads share. [`TableFiles`] determines which tables can be probed. The library is
//! never asked for others, because after a missing table it forgets its state; nor for a material
//! with a capture that leads to a missing table.
//!
//! This is an edge: files are read here. Absent: generating tables, distance to mate.

mod files;
mod inventory;
mod library;
mod material;
mod probe;
mod rank;

pub use files::{TableFiles, TablebaseError};
pub use probe::{Probing, Tablebase};
pub use rank::{RootRank, Wdl, best_moves};
