//! The search: which move is best, and what it is worth.
//!
//! Negamax with alpha-beta, one ply deeper in each iteration, with quiescence at the leaves and one
//! ply more in the end game, after the `ChessBin` articles "Move Searching and Alpha Beta" and
//! "Chess Engine Features". The value of a search to depth `d` is the value that plain min-max
//! gives to that depth: table, ordering and bounds save time and change nothing. One thing remains:
//! with four plies or more left to search, a value of the table may not know that a position of this
//! line could come back twice below it, and so be a draw.
//!
//! Values in, values out: nothing here reads a clock, prints or starts a thread. A search runs on
//! the caller's thread, is told when to end by [`Limits`] and [`Signals`], and asks a [`Clock`] for
//! the time.

mod alpha_beta;
mod features;
mod limits;
mod line;
mod order;
mod path;
mod profile;
mod quiescence;
mod report;
mod root;
mod searcher;
mod stopper;
mod strength;
mod table;
mod time;
mod value;

pub use features::Features;
pub use limits::{Clock, Limits, Signals};
pub use profile::{ParseProfileError, Profile};
pub use report::{Found, Line, Report};
pub use searcher::{Request, Searcher};
pub use strength::Strength;
pub use table::HashError;
pub use time::PlayerClock;
pub use value::{MATE, mate_distance};

/// The longest line that is looked at, in plies; no iteration is so deep that quiescence would lack
/// room below it.
pub const MAX_PLY: usize = 160;

/// The deepest iteration, in plies.
pub const MAX_DEPTH: u32 = 120;

/// The stack that the thread of a search should have, in bytes: several times what [`MAX_PLY`]
/// nodes take, unoptimised.
pub const STACK_BYTES: usize = 8 << 20;
