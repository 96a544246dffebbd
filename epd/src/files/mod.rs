//! Operations on whole files of records: counting, filtering, splitting, merging, and extracting
//! from games.
//!
//! All of them work on a [`document`], which preserves comments and order; opening files and
//! printing is left to [`crate::cli`].

pub(crate) mod classify;
pub(crate) mod dedupe;
pub(crate) mod document;
pub(crate) mod filter;
pub(crate) mod openings;
pub(crate) mod split;
pub(crate) mod stats;
