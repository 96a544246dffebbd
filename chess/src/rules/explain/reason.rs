//! What the steps of the reasoning come to.

use super::Rule;
use crate::rules::Bitboard;

/// A rule and how it applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reason {
    pub(super) rule: Rule,
    /// The part of the sentence behind the colon; empty when there is nothing to say.
    pub(super) because: String,
    /// The squares that the reason speaks of.
    pub(super) squares: Bitboard,
}

impl Reason {
    pub(super) fn new(rule: Rule, squares: Bitboard, because: String) -> Self {
        Self {
            rule,
            because,
            squares,
        }
    }
}
