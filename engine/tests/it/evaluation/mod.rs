//! The evaluations: against their reference implementations on 64 squares, their symmetry, and values computed by hand.

mod chessbin;
mod end_games;
mod network;
mod reference;
mod visit;

pub(crate) const SEED: u64 = 20_261_121;
