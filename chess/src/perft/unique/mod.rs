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

mod frontier;
mod packed;
#[cfg(test)]
mod tests;

pub use frontier::Frontier;
pub use packed::PackedPosition;

use std::sync::atomic::AtomicBool;

use super::{CountError, add};
use frontier::{FrontierEntry, MEBIBYTE, PARTS, Pass, memory_error, sequences};

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
        /// In MiB, estimated.
        needed: u64,
        /// The memory limit, in MiB.
        given: u64,
    },
}

static NEVER: AtomicBool = AtomicBool::new(false);

/// The number of positions of a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UniqueCount {
    /// The ply; 0 is the starting point.
    pub ply: u32,
    /// Number of unique positions.
    pub positions: u64,
    /// Number of move sequences that lead to them: perft.
    pub sequences: u64,
}

/// A ply that was counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextPly {
    /// The counts.
    pub count: UniqueCount,
    /// The positions, or, if they do not fit in memory, the error that counting the following ply
    /// would fail with.
    pub frontier: Result<Frontier, UniqueError>,
}

/// Counts unique positions ply by ply, on all threads of the current rayon pool. The results depend
/// neither on the number of threads nor on the memory.
///
/// ```
/// use chess::perft::{Frontier, UniqueCounter};
/// use chess::rules::Position;
///
/// let counter = UniqueCounter::new(64);
/// let mut frontier = Frontier::new(&Position::startpos());
/// for expected in [20, 400, 5_362] {
///     let next = counter.next(&frontier, |_, _| {})?;
///     assert_eq!(next.count.positions, expected);
///     frontier = next.frontier?;
/// }
/// # Ok::<(), chess::perft::UniqueError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct UniqueCounter<'a> {
    memory: usize,
    cancel: &'a AtomicBool,
}

impl<'a> UniqueCounter<'a> {
    /// Creates a counter that keeps positions in at most `mebibytes` MiB, at least one.
    pub fn new(mebibytes: usize) -> Self {
        Self {
            memory: mebibytes.max(1).saturating_mul(MEBIBYTE),
            cancel: &NEVER,
        }
    }

    /// Counting fails with [`CountError::Cancelled`](super::CountError::Cancelled) soon
    /// after `cancel` becomes true.
    #[must_use]
    pub const fn cancel(mut self, cancel: &'a AtomicBool) -> Self {
        self.cancel = cancel;
        self
    }

    /// Counts the ply after that of `frontier`. `observe` is called from time to time with the
    /// number of positions of `frontier` that are done and their total; when memory runs short the
    /// former may decrease.
    ///
    /// # Errors
    ///
    /// If a count does not fit in 64 bits, counting is cancelled, or the memory does not suffice
    /// even for a small part of the ply beside `frontier`.
    pub fn next(
        &self,
        frontier: &Frontier,
        observe: impl Fn(usize, usize),
    ) -> Result<NextPly, UniqueError> {
        let mut count = UniqueCount {
            ply: frontier.ply + 1,
            positions: 0,
            sequences: 0,
        };
        let total = frontier.len();
        let mut first = 0;
        let mut width = PARTS;
        loop {
            let mut pass = Pass::new(frontier, first..first + width, self.memory);
            pass.run(self.cancel, |done, width| {
                observe((first * total + width * done) / PARTS, total);
            })?;
            let parts = pass.into_parts();
            width = parts.len();
            first += width;
            count.positions += parts.iter().map(Vec::len).sum::<usize>() as u64;
            count.sequences = add(count.sequences, sequences(&parts)?)?;
            if first == PARTS {
                let frontier = if width == PARTS {
                    Ok(Frontier {
                        ply: count.ply,
                        side_to_move: !frontier.side_to_move,
                        parts,
                    })
                } else {
                    // It cannot be kept beside the previous one.
                    let positions = usize::try_from(count.positions).unwrap_or(usize::MAX);
                    let bytes = positions.saturating_mul(size_of::<FrontierEntry>());
                    let both = bytes.saturating_add(frontier.bytes());
                    Err(memory_error(count.ply + 1, both, self.memory))
                };
                return Ok(NextPly { count, frontier });
            }
        }
    }
}
