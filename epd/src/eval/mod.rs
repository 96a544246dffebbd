//! Static evaluations: queried from an engine, written as CSV, compared, checked for symmetry.
//!
//! `pattern`, [`diff`], `check`, [`table`] and `report` are pure; `ask` drives one engine, and
//! `run` several concurrently.

pub(crate) mod ask;
pub(crate) mod check;
pub mod diff;
pub(crate) mod pattern;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod score;
pub mod table;
