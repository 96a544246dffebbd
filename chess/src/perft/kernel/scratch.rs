//! Memory for lists of moves, reused between nodes to avoid allocation.

use super::forecast::Moves;
use super::listing::Listing;

pub(super) struct Scratch {
    pub(super) upper: Listing,
    pub(super) lower: Lower,
}

/// For a node of depth 2.
pub(super) struct Lower {
    pub(super) listing: Listing,
    pub(super) moves: Moves,
}

impl Scratch {
    pub(super) const fn new() -> Self {
        Self {
            upper: Listing::new(),
            lower: Lower {
                listing: Listing::new(),
                moves: Moves::new(),
            },
        }
    }
}
