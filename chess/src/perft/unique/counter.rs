//! The door: how the positions of a ply are counted, and within which memory.

use std::sync::atomic::AtomicBool;

use super::super::add;
use super::UniqueError;
use super::frontier::{Entry, Frontier, PARTS, sequences};
use super::pass::{MEBIBYTE, Pass, memory_error};

static NEVER: AtomicBool = AtomicBool::new(false);

/// How many positions a ply has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UniqueCount {
    /// The ply; 0 is the position one started from.
    pub ply: u32,
    /// Its positions, each counted once.
    pub positions: u64,
    /// The sequences of moves that lead to them: perft.
    pub sequences: u64,
}

/// A ply that has been counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextPly {
    /// How many positions it has.
    pub count: UniqueCount,
    /// The positions, or, where they do not fit the memory, the error that the ply after this
    /// one is bound to meet.
    pub frontier: Result<Frontier, UniqueError>,
}

/// Counts unique positions, ply by ply, on all threads of the current rayon pool. Results do not
/// depend on the threads or the memory.
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
    /// A counter that keeps positions in at most `mebibytes` MiB, at least one.
    pub fn new(mebibytes: usize) -> Self {
        Self {
            memory: mebibytes.max(1).saturating_mul(MEBIBYTE),
            cancel: &NEVER,
        }
    }

    /// Counting ends with [`CountError::Cancelled`](crate::perft::CountError::Cancelled) soon after `cancel` becomes true.
    #[must_use]
    pub const fn cancel(mut self, cancel: &'a AtomicBool) -> Self {
        self.cancel = cancel;
        self
    }

    /// Counts the ply after that of `frontier`. Now and then `observe` is told of how many
    /// positions of `frontier` the moves have been made, and of how many there are; where memory
    /// runs short the first may fall back.
    ///
    /// # Errors
    ///
    /// When a count does not fit 64 bits, counting is cancelled, or the memory does not suffice
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
                    Ok(frontier.followed_by(parts))
                } else {
                    Err(self.too_many(frontier, &count))
                };
                return Ok(NextPly { count, frontier });
            }
        }
    }

    /// The error that a ply cannot be kept beside the one before.
    fn too_many(&self, frontier: &Frontier, count: &UniqueCount) -> UniqueError {
        let positions = usize::try_from(count.positions).unwrap_or(usize::MAX);
        let bytes = positions.saturating_mul(size_of::<Entry>());
        let both = bytes.saturating_add(frontier.bytes());
        memory_error(count.ply + 1, both, self.memory)
    }
}
