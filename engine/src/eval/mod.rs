//! Static evaluation.
//!
//! An [`Evaluation`] is a pure function of the [`Position`], independent of the path to it. Mates
//! and draws are left to the search. [`ChessBin`] is the evaluation of the `ChessBin` articles, a
//! [`Network`] the engine's own; a [`EvalTrace`] breaks a score down into terms.

mod chessbin;
mod fade;
mod lone_king;
pub mod network;
mod taper;
mod trace;

pub use chessbin::ChessBin;
pub use network::Network;
pub use taper::{Phase, Phased, Taper};
pub use trace::{EvalTrace, TraceRow};

use chess::rules::Position;
use network::Accumulators;

/// Evaluations are strictly within `-LIMIT` and `LIMIT`; scores beyond are reserved for mates.
pub const LIMIT: i32 = 20_000;

/// A static evaluation.
pub trait Evaluation {
    /// The score in centipawns for the side to move, strictly between `-LIMIT` and `LIMIT`.
    ///
    /// The colour-mirrored position has the same score. The end of the game is not detected:
    /// checkmate scores like any other check, a dead draw by the material on the board.
    fn evaluate(&self, position: &Position) -> i32;

    /// The same score, computed faster if the cache holds data of a similar position: of this ply
    /// or of the previous one.
    fn evaluate_cached(&self, position: &Position, _ply: usize, _cache: &mut Cache) -> i32 {
        self.evaluate(position)
    }

    /// The same score broken down into terms: [`EvalTrace::value`] equals [`Evaluation::evaluate`].
    fn trace(&self, position: &Position) -> EvalTrace;
}

/// Data that evaluations keep between the positions of a search, for
/// [`Evaluation::evaluate_cached`]. It affects the speed only, never the score. Less than half a
/// MiB.
#[derive(Clone, Debug)]
pub struct Cache {
    accumulators: Accumulators,
}

impl Cache {
    /// An empty cache.
    pub fn new() -> Self {
        Self {
            accumulators: Accumulators::new(),
        }
    }
}

impl Default for Cache {
    fn default() -> Self {
        Self::new()
    }
}
