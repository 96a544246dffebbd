//! Unique positions: which positions are reached at a ply, and by how many sequences of moves.
//!
//! Two positions of a ply are the same if pieces, castling rights and, where some capture there is
//! legal, the en passant square agree ([`Position::is_repetition_of`]); the clocks are forgotten.
//! Positions are told apart by themselves, never by a hash.
//!
//! A ply is made from the set of the ply before, by [`UniqueCounter`], in the memory it is given;
//! a set too large is counted part by part. The set, a [`Frontier`], is what perft can be cut into:
//! the sum of the counts below its positions, each times its sequences, is the count of the whole.
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
    /// As for any other count.
    #[error(transparent)]
    Count(#[from] CountError),
    /// The memory given does not suffice.
    #[error("ply {ply} cannot be counted in {given} MiB of memory, it takes about {needed} MiB")]
    Memory {
        /// The ply that could not be counted.
        ply: u32,
        /// MiB that would do, estimated.
        needed: u64,
        /// MiB given.
        given: u64,
    },
}
