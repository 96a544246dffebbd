//! What holding an engine against trusted lists has come to.

use super::against::Against;
use super::cases::{Case, Source};

/// A case and what the engine did.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The case.
    pub case: Case,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The engine has listed moves.
    Listed {
        /// How many.
        moves: usize,
        /// How they differ.
        against: Against,
    },
    /// It has not: why.
    Failed(String),
}

/// A run.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// What the engine calls itself.
    pub engine: Option<String>,
    /// Each case, in order.
    pub checked: Vec<Checked>,
    /// Why not every case was asked.
    pub stopped: Option<String>,
}

impl Verdict {
    /// How many lists are the same.
    pub fn agreed(&self) -> usize {
        self.count(|outcome| matches!(outcome, Outcome::Listed { against, .. } if against.agrees()))
    }

    /// How many lists differ.
    pub fn differing(&self) -> usize {
        self.count(
            |outcome| matches!(outcome, Outcome::Listed { against, .. } if !against.agrees()),
        )
    }

    /// Of how many positions the engine gave no list.
    pub fn failed(&self) -> usize {
        self.count(|outcome| matches!(outcome, Outcome::Failed(_)))
    }

    /// How many trusted lists are the generator's, since the file says nothing.
    pub fn by_generator(&self) -> usize {
        let sources = self.checked.iter().map(|checked| checked.case.source);
        sources
            .filter(|&source| source == Source::Generator)
            .count()
    }

    fn count(&self, is_wanted: impl Fn(&Outcome) -> bool) -> usize {
        let outcomes = self.checked.iter().map(|checked| &checked.outcome);
        outcomes.filter(|outcome| is_wanted(outcome)).count()
    }
}
