//! The evaluations: against their reference implementations on 64 squares, their symmetry, and values computed by hand.
//!
//! `TOUCHSTONE_POSITIONS` sets how many positions of random games are tried, 100,000 when it is
//! not set.

mod chessbin;
mod network;
mod reference;
mod scale;
mod terms;
mod touchstone;
mod visit;

pub(crate) const SEED: u64 = 20_261_121;
