//! Operations on whole files of records: counting, filtering, joining, and extracting from games.
//!
//! All of them work on [`items`], records with the comments above them, of which few are in memory at a
//! time; opening files and printing is left to [`crate::cli`]. A [`document`] is a whole file in memory,
//! for users of the library.

pub(crate) mod classify;
pub(crate) mod dedupe;
pub(crate) mod document;
pub(crate) mod filter;
pub(crate) mod ids;
pub(crate) mod items;
pub(crate) mod lint;
pub(crate) mod openings;
#[cfg(test)]
mod reference;
pub(crate) mod stats;
