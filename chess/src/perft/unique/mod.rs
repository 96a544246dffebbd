//! Unique positions: the distinct positions of a ply and the number of move sequences to each.
//!
//! Two positions of a ply are the same if pieces, castling rights and, where an en passant capture
//! is legal, the en passant square agree ([`Position::is_repetition_of`]); the clocks are ignored.
//! Positions are compared in full, never by a hash.
//!
//! [`UniqueCounter`] computes a ply from the set of the previous one within a given memory limit; a
//! set that is too large is counted part by part. The set, a [`Frontier`], is also a way to split
//! perft: the sum of the counts below its positions, each multiplied by its number of sequences, is
//! the total count.
//!
//! [`Position::is_repetition_of`]: crate::rules::Position::is_repetition_of

mod counter;
mod frontier;
mod packed;
mod pass;
#[cfg(test)]
mod tests;

pub use counter::{NextPly, UniqueCount, UniqueCounter};
pub use frontier::Frontier;

use super::CountError;

/// Why the unique positions of a ply were not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UniqueError {
    /// An error of any perft count.
    #[error(transparent)]
    Count(#[from] CountError),
    /// The memory limit is too low.
    #[error("ply {ply} cannot be counted in {given} MiB of memory, it takes about {needed} MiB")]
    Memory {
        /// The ply that could not be counted.
        ply: u32,
        /// Estimated memory needed, in MiB.
        needed: u64,
        /// The memory limit, in MiB.
        given: u64,
    },
}
