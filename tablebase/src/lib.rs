//! Syzygy endgame tables: what is known for certain of positions with few pieces.
//!
//! A [`Tablebase`] answers two questions. [`Tablebase::probe_wdl`] says how a position ends, for
//! nodes within a search. [`Tablebase::probe_root`] ranks the moves of a position so that a win is
//! not only seen but brought home before fifty moves are over, for the root. [`Probing`] joins
//! tables with how the user wants them asked.
//!
//! The tables and their format are Ronald de Man's. They are read by the library `pyrrhic-rs`,
//! which keeps its state in the process: there is one [`Tablebase`] at a time, which any number of
//! threads share. [`TableFiles`] says which tables can be asked, and the library is asked for no
//! other, for at one that is missing it forgets what it has. So is nothing asked about a material
//! of which some capture leads to a table that is not there.
//!
//! This is an edge: files are read here. Absent: making tables, distance to mate.

mod error;
mod files;
mod inventory;
mod library;
mod material;
mod probe;
mod probing;
mod rank;
mod wdl;

pub use error::TablebaseError;
pub use files::TableFiles;
pub use probe::Tablebase;
pub use probing::Probing;
pub use rank::{RootRank, best_moves};
pub use wdl::Wdl;
