//! The search: which move is best, and what it is worth.
//!
//! Two of them: [`chessbin`] is the search of the `ChessBin` articles, which gives the values of plain
//! min-max; [`touchstone`] cuts away whatever is not worth looking at. They share the table, the
//! limits and what they tell.
//!
//! Values in, values out: nothing here reads a clock or prints. A search is told when to end by
//! [`Limits`] and [`Signals`], and asks a [`Clock`] for the time.

pub mod chessbin;
mod iterations;
mod limits;
mod line;
mod profile;
mod report;
mod searcher;
mod stopper;
mod strength;
mod table;
mod time;
pub mod touchstone;
mod value;

pub use limits::{Clock, Limits, PlayerClock, Request, Signals};
pub use profile::{ParseProfileError, Profile};
pub use report::{Found, Line, Report, ScoreBound};
pub use searcher::Searcher;
pub use strength::Strength;
pub use table::HashError;
pub use value::{MATE, mate_distance};

/// The longest line that is looked at, in plies; no iteration is so deep that quiescence would lack
/// room below it.
pub const MAX_PLY: usize = 160;

/// The deepest iteration, in plies.
pub const MAX_DEPTH: u32 = 120;

/// The stack that the thread of a search should have, in bytes: several times what [`MAX_PLY`]
/// nodes take, unoptimised.
pub const STACK_BYTES: usize = 8 << 20;
