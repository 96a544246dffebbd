//! Static evaluations: queried from an engine, written as CSV, compared, checked for symmetry, and judged
//! by the results of games; and positions labelled with results and scores.
//!
//! `ask` drives engines; all others are pure.

pub(crate) mod ask;
pub(crate) mod check;
pub(crate) mod data;
pub mod diff;
pub(crate) mod label;
pub(crate) mod pattern;
pub(crate) mod report;
pub(crate) mod score;
pub mod table;
