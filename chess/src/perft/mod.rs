//! Perft: counting the leaf nodes of the tree of legal moves.
//!
//! [`count`] and [`Counter`] are the only entry points. Behind them are the kernels, which never
//! make the moves of the last ply (bulk counting), an exact hash table, and the split into subtrees
//! for many threads; for `bulk(false)` there is a plain walk that makes every move, the slow
//! reference implementation.
//!
//! [`UniqueCounter`] counts the unique positions of a ply and the sequences of moves to each.
//!
//! Depth 0 counts the position itself: 1.
//!
//! ```
//! use chess::perft::{self, Counter, CountTable};
//! use chess::rules::Position;
//!
//! let start = Position::startpos();
//! assert_eq!(perft::count(&start, 3), Ok(8_902));
//!
//! let table = CountTable::new(1)?;
//! let divide = Counter::new().table(&table).divide_parallel(&start, 4)?;
//! assert_eq!(divide.len(), 20);
//! assert_eq!(divide.iter().map(|&(_, count)| count).sum::<u64>(), 197_281);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod breakdown;
mod counter;
mod kernel;
mod table;
mod unique;

pub use breakdown::{Breakdown, breakdown, breakdown_parallel};
pub use counter::{Counter, SubtreeCount, count};
pub use kernel::{Kernel, ParseKernelError};
pub use table::CountTable;
pub use unique::{Frontier, NextPly, PackedPosition, UniqueCount, UniqueCounter, UniqueError};

/// The largest depth that is counted. Counts overflow 64 bits at a tenth of it, unless there are
/// hardly any moves, and the recursion stays well within a thread's stack.
pub const MAX_DEPTH: u32 = 255;

/// Why a count was not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what the variants and fields are"
)]
pub enum CountError {
    #[error("the count does not fit 64 bits")]
    Overflow,
    #[error("depth {0} is larger than {MAX_DEPTH}, the largest that is counted")]
    Depth(u32),
    #[error("counting was cancelled")]
    Cancelled,
}

/// Says when a depth is larger than is counted.
fn check_depth(depth: u32) -> Result<(), CountError> {
    if depth > MAX_DEPTH {
        Err(CountError::Depth(depth))
    } else {
        Ok(())
    }
}

/// Adds, or says that the sum does not fit.
fn add(a: u64, b: u64) -> Result<u64, CountError> {
    a.checked_add(b).ok_or(CountError::Overflow)
}
