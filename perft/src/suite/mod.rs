//! Suites of positions with known counts: [`check`] compares them with our own counts, [`mutants`] are
//! broken generators that show what a suite catches, [`generate`] makes suites, and [`positions`]
//! finds the positions of suites by name.
//!
//! Deliberately absent: engines, and reading of EPD (see `epd`).

pub(crate) mod check;
pub mod coverage;
pub mod faults;
pub mod generate;
pub mod mutants;
pub(crate) mod positions;
