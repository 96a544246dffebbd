//! Verdict on an engine's move lists.

use super::against::Against;
use super::cases::{Case, Source};

/// A case and the engine's result.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The case.
    pub case: Case,
    /// The result.
    pub outcome: Outcome,
}

/// The result of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The engine listed moves.
    Listed {
        /// Number of moves.
        moves: usize,
        /// The differences.
        against: Against,
    },
    /// The engine gave no list; the reason.
    Failed(String),
}

/// A run.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// The name in the engine's `id name`.
    pub engine: Option<String>,
    /// Each case, in order.
    pub checked: Vec<Checked>,
    /// Why the run ended before the last case.
    pub stopped: Option<String>,
}

impl Verdict {
    /// Number of lists that agree.
    pub fn agreed(&self) -> usize {
        self.count(|outcome| matches!(outcome, Outcome::Listed { against, .. } if against.agrees()))
    }

    /// Number of lists that differ.
    pub fn differing(&self) -> usize {
        self.count(
            |outcome| matches!(outcome, Outcome::Listed { against, .. } if !against.agrees()),
        )
    }

    /// Number of positions for which the engine gave no list.
    pub fn failed(&self) -> usize {
        self.count(|outcome| matches!(outcome, Outcome::Failed(_)))
    }

    /// Number of trusted lists from our generator, for lack of `lm` in the file.
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
