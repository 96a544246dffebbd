//! Making perft suites: the fewest nodes that catch the most mutants.
//!
//! Positions come from [`sources`]: random play, random placements, files. Each is measured
//! against the bank of [`crate::mutants`]: which of them does it catch, at which depth. Of all
//! that were measured a greedy cover is chosen, and written as a suite whose counts two
//! generators agree on.
//!
//! Every candidate draws from a stream of random numbers of its own, so that a suite depends on
//! the request alone: not on the machine, nor on the number of threads.

mod choose;
mod measure;
pub mod sources;
mod target;
mod write;

pub use choose::{Choice, Goal, choose};
pub use measure::{Bank, Level, Limits, Measured};
pub use target::{Target, TargetSet};
pub use write::{Heading, write};
