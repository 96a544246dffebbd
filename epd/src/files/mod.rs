//! Operations on whole files of records: counting, filtering, splitting, merging, and extracting
//! from games.
//!
//! All of them work on [`Document`]s, which preserve comments and order; opening files and printing
//! is left to [`crate::cli`].

pub(crate) mod classify;
pub(crate) mod dedupe;
mod document;
pub(crate) mod filter;
pub(crate) mod merge;
pub(crate) mod openings;
pub(crate) mod quiet;
pub(crate) mod range;
pub(crate) mod split;
pub(crate) mod stats;

pub use classify::{Phase, phase, position_key};
pub use document::{Document, Item};
