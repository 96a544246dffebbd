//! Static evaluations: asked of an engine, written as CSV, compared with others, checked by
//! symmetries.
//!
//! `pattern`, [`diff`], `check`, [`table`] and `report` are pure; `ask` drives an engine and `run`
//! several side by side.

pub(crate) mod ask;
pub(crate) mod check;
pub mod diff;
pub(crate) mod pattern;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod score;
pub mod table;
