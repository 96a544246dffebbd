//! Time controls: their notation, and the clock of one player.
//!
//! A time control is one or more stages, `[MOVES/]SECONDS[+INCREMENT]`, separated by colons as in
//! the PGN tag `TimeControl` (standard, 9.6.1). Seconds have up to three decimals and are parsed
//! exactly.
//!
//! | text | meaning |
//! |---|---|
//! | `10+0.1` | ten seconds for the game, 0.1 more after each move |
//! | `60` | sixty seconds for the game |
//! | `40/60+0.6` | sixty seconds for every 40 moves, 0.6 more after each move |
//! | `40/60:20/30:10+0.5` | 40 moves in 60 seconds, 20 in 30, then 10 for the rest with an increment |
//! | `1:30+1` | minutes and seconds, as cutechess and fastchess read them |
//! | `inf` | no clock, see [`parse_clock`] |
//!
//! A last stage with a number of moves repeats forever. Time left over from one stage is added to
//! the next.
//!
//! A colon after a single number can only mean minutes, since a stage without a number of moves
//! never ends. `40/1:30` could mean 40 moves in a minute and a half, or 40 moves in a second and
//! then half a minute; it is rejected. Write `40/90` for the former, `40/1+0:30` for the latter.

mod clock;
mod text;

pub use clock::{Clock, Flag, Remaining};
pub use text::{ParseTimeControlError, TimeControlReason, parse_clock, write_clock};

/// Maximum time and increment, in milliseconds: the range of the 32-bit integers engines parse
/// into.
pub const MAX_TIME_MS: u64 = i32::MAX as u64;
