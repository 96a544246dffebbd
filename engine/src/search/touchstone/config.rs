//! Search configuration: features and tablebases.

use super::Features;
use crate::search::Limits;
use tablebase::Probing;

/// Search configuration.
#[derive(Clone, Copy, Debug)]
pub struct Config<'a> {
    /// Features besides plain alpha-beta.
    pub features: Features,
    /// Endgame tablebases.
    pub tables: Option<&'a Probing>,
}

impl Default for Config<'_> {
    fn default() -> Self {
        Self {
            features: Features::TOUCHSTONE,
            tables: None,
        }
    }
}

impl Config<'_> {
    /// The configuration adapted to the limits: a proof of a mate must not prune any move.
    pub(in crate::search) fn within(mut self, limits: &Limits) -> Self {
        if limits.mate.is_some() {
            self.features = self.features.without_pruning();
        }
        self
    }
}
