//! How good a position is for the side to move, without looking ahead.
//!
//! An [`Evaluation`] is a pure function of the [`Position`]: two ways to one position cannot be
//! valued differently. It knows nothing of mates and draws, which are the
//! search's business. [`ChessBin`] is the evaluation of the `ChessBin` articles, [`Touchstone`] the
//! engine's own; [`Trace`] takes any value apart.

mod chessbin;
pub mod network;
mod phase;
mod taper;
mod touchstone;
mod trace;

pub use chessbin::ChessBin;
pub use network::Network;
pub use phase::{Phase, Phased};
pub use taper::Taper;
pub use touchstone::{Coefficients, Field, Touchstone};
pub use trace::{Row, Trace};

use chess::rules::Position;
use network::Accumulators;
use touchstone::PawnCache;

/// No value reaches this, nor its negative: what lies beyond is free for scores of mates.
pub const LIMIT: i32 = 20_000;

/// A way to value positions.
pub trait Evaluation {
    /// The value in centipawns for the side to move, between `-LIMIT` and `LIMIT`, both excluded.
    ///
    /// The colour-mirrored position has the same value. Ends of the game are not looked for: a
    /// mate is valued like any other check, a dead draw by what stands on the board.
    fn evaluate(&self, position: &Position) -> i32;

    /// The same value, sooner where the cache knows something of a position like it: one of this ply,
    /// or of the one above, or with the same pawns.
    fn evaluate_cached(&self, position: &Position, _ply: usize, _cache: &mut Cache) -> i32 {
        self.evaluate(position)
    }

    /// The same value taken apart: [`Trace::value`] is what [`Evaluation::evaluate`] returns.
    fn trace(&self, position: &Position) -> Trace;
}

/// What evaluations keep from one position of a search to the next, for
/// [`Evaluation::evaluate_cached`]: it makes values come sooner,
/// and changes none. Less than half a MiB.
#[derive(Clone, Debug)]
pub struct Cache {
    pawns: PawnCache,
    accumulators: Accumulators,
}

impl Cache {
    /// An empty cache.
    pub fn new() -> Self {
        Self {
            pawns: PawnCache::new(),
            accumulators: Accumulators::new(),
        }
    }
}

impl Default for Cache {
    fn default() -> Self {
        Self::new()
    }
}
