//! What a search does, and what it may ask.

use super::Features;
use crate::search::Limits;
use tablebase::Probing;

/// What a search does, and what it may ask.
#[derive(Clone, Copy, Debug)]
pub struct Config<'a> {
    /// What it does besides the plain search.
    pub features: Features,
    /// Endgame tables.
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
    /// The same as far as these limits allow: a proof of a mate may not leave out any move.
    pub(in crate::search) fn within(mut self, limits: &Limits) -> Self {
        if limits.mate.is_some() {
            self.features = self.features.without_pruning();
        }
        self
    }
}
