//! The board of the day: one position for everybody, whose moves are listed against the clock. Pure: no
//! I/O, no clock.
//!
//! | module | question |
//! |---|---|
//! | `pool` | which positions may be a board of the day, and how hard are they? |
//! | `choice` | which of them is that of a day? |
//!
//! No position of the crowd is ever a board of the day, since its answer is shown the day after. Streaks are
//! those of `trust`.

mod choice;
mod pool;

pub use choice::{REST_DAYS, choose};
pub use pool::{Grade, PoolEntry, pool};
