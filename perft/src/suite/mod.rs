//! Suites of positions with known counts: [`check`] compares them with our own counts, [`faults`] is the
//! model of wrong generators that tells what a suite catches, [`generate`] makes suites, [`jsonl`] reads
//! those of perftcheck, and [`positions`] finds the positions of suites by name.
//!
//! Deliberately absent: engines, and reading of EPD (see `epd`).

pub(crate) mod check;
pub mod faults;
pub(crate) mod generate;
pub(crate) mod jsonl;
pub(crate) mod positions;
