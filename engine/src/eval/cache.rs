//! What evaluations keep from one position of a search to the next.

use super::network::Accumulators;
use super::touchstone::PawnCache;

/// What evaluations keep from one position of a search to the next, for
/// [`Evaluation::evaluate_cached`](super::Evaluation::evaluate_cached): it makes values come sooner,
/// and changes none. Less than half a MiB.
#[derive(Clone, Debug)]
pub struct Cache {
    pub(super) pawns: PawnCache,
    pub(super) accumulators: Accumulators,
}

impl Cache {
    /// An empty cache.
    pub fn new() -> Self {
        Self {
            pawns: PawnCache::new(),
            accumulators: Accumulators::new(),
        }
    }
}

impl Default for Cache {
    fn default() -> Self {
        Self::new()
    }
}
