//! The evaluations: against their reference implementations on 64 squares, their symmetry, and values computed by hand.

mod chessbin;
mod network;
mod reference;
mod scale;
mod terms;
mod touchstone;
mod visit;

pub(crate) const SEED: u64 = 20_261_121;
