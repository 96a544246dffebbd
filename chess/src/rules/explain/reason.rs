//! The result of each step of the reasoning.

use super::Rule;
use crate::rules::Bitboard;

/// A rule and how it applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reason {
    pub(super) rule: Rule,
    /// The part of the sentence after the colon; may be empty.
    pub(super) because: String,
    /// The squares the reason refers to.
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
