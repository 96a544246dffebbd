//! Making perft suites: the fewest nodes that catch the most faults.
//!
//! Positions come from the bank of faults, or from `sources`: suites and games. Each is measured: which faults do
//! its counts show, depth by depth (see [`crate::suite::faults`])? From all measured positions, a cheap cover
//! is chosen and written as a suite. Two generators confirm its counts. A suite depends only on the request,
//! not on the machine or the number of threads.

mod choose;
mod measure;
pub(crate) mod sources;
mod write;

pub(crate) use choose::{Chosen, choose};
pub(crate) use measure::{CountLimits, Measured, measure};
pub(crate) use write::{Heading, write};
