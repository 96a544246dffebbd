//! The search: the best move and its score.
//!
//! There are two: [`chessbin`] is the search of the `ChessBin` articles, whose scores equal plain
//! minimax; [`touchstone`] is selective. They share the transposition table, the limits and the
//! reports.
//!
//! Nothing here reads a clock or prints: [`SearchLimits`] and [`SearchSignals`] end a search, and the time
//! comes from a [`RunningClock`].

pub mod chessbin;
mod iterations;
mod limits;
mod profile;
mod report;
mod searcher;
mod stopper;
mod table;
mod time;
pub mod touchstone;
mod value;

pub use limits::{NoClock, PlayerClock, RunningClock, SearchLimits, SearchRequest, SearchSignals};
pub use profile::{ParseProfileError, Profile, Strength};
pub use report::{PvLine, ScoreBound, SearchResult, SearchUpdate};
pub use searcher::Searcher;
pub use table::HashError;
pub use value::{MATE, mate_distance};

/// The maximal ply; every iteration leaves room below it for quiescence.
pub const MAX_PLY: usize = 160;

/// The maximal iteration depth, in plies.
pub const MAX_DEPTH: u32 = 120;

/// Recommended stack size of a search thread, in bytes: several times the need of [`MAX_PLY`] nodes
/// in unoptimised builds.
pub const STACK_BYTES: usize = 8 << 20;
