//! The search of profile `ChessBin`: negamax with alpha-beta, one ply deeper in each iteration, with
//! quiescence at the leaves and one ply more in the end game, after the `ChessBin` articles "Move
//! Searching and Alpha Beta" and "Chess Engine Features".
//!
//! The value of a search to depth `d` is the value that plain min-max gives to that depth: table,
//! ordering and bounds save time and change nothing. One thing remains: with four plies or more
//! left to search, a value of the table may not know that a position of this line could come back
//! twice below it, and so be a draw.

mod alpha_beta;
mod features;
mod order;
mod path;
mod quiescence;
mod root;

pub(super) use alpha_beta::Search;
pub use features::Features;
pub(super) use path::Path;
pub(super) use root::Root;
