//! The search of profile `ChessBin`: negamax alpha-beta with iterative deepening, quiescence at the
//! leaves and a one-ply end-game extension, after the `ChessBin` articles "Move Searching and Alpha
//! Beta" and "Chess Engine Features".
//!
//! The score at depth `d` equals that of plain minimax at that depth: the transposition table, move
//! ordering and windows only save time. There is one exception: with four or more plies left, a TT
//! score may ignore that a position of the current line could recur twice below it and thus be a
//! draw.

mod alpha_beta;
mod features;
mod level;
mod order;
mod path;
mod root;

pub(super) use alpha_beta::ChessBinSearch;
pub use features::ChessBinFeatures;
pub use level::Level;
pub(super) use path::PositionPath;
pub(super) use root::ChessBinRoot;
