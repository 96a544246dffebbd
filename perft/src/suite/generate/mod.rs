//! Making perft suites: the fewest nodes that catch the most mutants.
//!
//! Positions come from `sources`: random play, random placements, files. Each is measured against
//! the bank of [`crate::suite::mutants`]: which mutants does it catch, and at which depth? From all
//! measured positions, a greedy cover is chosen and written as a suite. Two generators confirm its
//! counts. If asked, the suite also reaches every signature of [`crate::suite::coverage`] that the candidates do.
//!
//! Every candidate has its own stream of random numbers. A suite therefore depends only on the
//! request, not on the machine or the number of threads.

mod choose;
mod measure;
mod reach;
pub(crate) mod sources;
mod target;
mod write;

pub(crate) use choose::{Choice, Goal, choose};
pub(crate) use measure::{Bank, CountLimits, Level, Measured, measure};
pub(crate) use reach::{Reach, reach};
pub use target::Target;
pub(crate) use target::TargetSet;
pub(crate) use write::{Heading, write};
