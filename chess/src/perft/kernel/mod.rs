//! The kernels: fast counting of leaf nodes.
//!
//! A [`Board`] is turned so that the side to move always plays up the board: the same code serves
//! both colours, and a position and its colour-mirrored counterpart are identical.
//!
//! To be read from top to bottom; no module uses one below it. `docs/perft-kernel.md` shows a
//! batch.
//!
//! ```text
//! a move, a board     step, board
//! boards in lanes     lanes, rays
//! what limits moves   threats, analysis
//! moves as bytes      movegen, listing
//! replies foreseen    forecast
//! counting            scratch, scalar, batch
//! choice; plies above name, leaves, descent
//! ```

mod analysis;
mod batch;
mod board;
mod descent;
mod forecast;
mod lanes;
mod leaves;
mod listing;
mod movegen;
mod name;
mod rays;
mod scalar;
mod scratch;
mod step;
mod threats;

use board::Board;
pub(super) use descent::DescentContext;
use leaves::Leaves;
pub use name::{Kernel, ParseKernelError};
use scratch::Scratch;

use super::CountError;
use crate::rules::Position;

impl Kernel {
    /// Whether this CPU can run the kernel, and this build has it.
    pub fn is_available(self) -> bool {
        Leaves::new(self).is_some()
    }

    /// The fastest kernel that this CPU can run.
    pub fn fastest() -> Self {
        // They are declared from slow to fast, except for the reference implementation.
        let is_fast = |kernel: &Self| *kernel != Self::Portable && kernel.is_available();
        let mut fastest_first = Self::ALL.into_iter().rev();
        fastest_first.find(is_fast).unwrap_or(Self::Plain)
    }

    pub(super) fn count(
        self,
        position: &Position,
        depth: u32,
        job: &DescentContext<'_>,
    ) -> Result<u64, CountError> {
        if depth == 0 {
            return Ok(1);
        }
        let leaves = Leaves::new(self).unwrap_or(Leaves::Plain);
        job.descend(
            leaves,
            &job.child(Board::from(position), depth),
            depth,
            &mut Scratch::new(),
        )
    }
}
