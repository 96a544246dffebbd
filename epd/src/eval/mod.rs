//! Static evaluations: queried from an engine, written as CSV, compared, checked for symmetry.
//!
//! `ask` drives engines; all others are pure.

pub(crate) mod ask;
pub(crate) mod check;
pub mod diff;
pub(crate) mod pattern;
pub(crate) mod report;
pub mod table;
