//! The grammars, and what is checked of each.

mod crowd;
mod epd;
mod fen;
mod perft;
mod pgn;
mod selfplay;
mod uci;

use crate::target::FuzzTarget;

/// The groups of targets, in the order of the crates.
const GROUPS: [&[FuzzTarget]; 7] = [
    fen::TARGETS,
    uci::TARGETS,
    pgn::TARGETS,
    epd::TARGETS,
    perft::TARGETS,
    selfplay::TARGETS,
    crowd::TARGETS,
];

/// Every target.
pub fn all() -> impl Iterator<Item = &'static FuzzTarget> {
    GROUPS.into_iter().flatten()
}
