//! The evaluations: against their twins on 64 squares, their symmetry, and values reckoned by hand.
//!
//! `TOUCHSTONE_POSITIONS` sets how many positions of random games are tried, 100,000 when it is
//! not set.

#![expect(clippy::print_stdout, reason = "a failing test shows its seed")]

mod chessbin;
mod network;
mod scale;
mod terms;
mod touchstone;
mod twin;
mod visit;

pub(crate) const SEED: u64 = 20_261_121;
