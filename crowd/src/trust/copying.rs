//! What speaks for a common source of the answers of several people.

use std::collections::BTreeSet;

use crate::model::MoveClass;

/// The probability that a dependent person repeats an error, rather than answer on their own.
pub(super) const COPIED: f64 = 0.8;
/// Required logarithm of the likelihood ratio of dependence to independence: of the two million pairs
/// of 2,000 independent people, 0.2 reach it by chance.
pub(super) const REQUIRED: f64 = 16.0;

/// Those who answered for a move whose answer is known.
pub(super) struct Respondents {
    pub(super) class: MoveClass,
    pub(super) everybody: BTreeSet<i64>,
    pub(super) wrong: BTreeSet<i64>,
}

impl Respondents {
    pub(super) fn from_class(class: MoveClass) -> Self {
        Self {
            class,
            everybody: BTreeSet::new(),
            wrong: BTreeSet::new(),
        }
    }

    /// The logarithm of the likelihood ratio of dependence of two people, at least one of whom is
    /// wrong here; 0 if one of them did not answer.
    #[expect(clippy::cast_precision_loss, reason = "far fewer people than 2^53")]
    pub(super) fn evidence(&self, one: i64, other: i64) -> f64 {
        if !self.everybody.contains(&one) || !self.everybody.contains(&other) {
            return 0.0;
        }
        let wrong = [one, other].map(|worker| self.wrong.contains(&worker));
        if wrong != [true, true] {
            return libm::log(1.0 - COPIED);
        }
        // A wrong and a correct answer are added to those of third people (Laplace's rule of
        // succession). Without third people the chance is a half.
        let chance = (self.wrong.len() - 1) as f64 / self.everybody.len() as f64;
        libm::log((COPIED + (1.0 - COPIED) * chance) / chance)
    }
}
