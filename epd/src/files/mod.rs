//! What is done to whole files of records: counting, leaving out, dividing, joining, and making
//! them from games.
//!
//! All of it takes and gives [`Document`]s, which keep comments and order; what opens files and
//! prints is [`crate::cli`].

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
