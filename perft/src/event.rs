//! What happens while counting: plain values, sent from the workers to the one loop that owns the
//! state of the run.

use std::time::Duration;

use chess::perft::CountError;

/// One count of a suite is finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitDone {
    /// Index of the unit in the plan.
    pub unit: usize,
    /// Whether the suite's count is right.
    pub result: UnitResult,
    /// Wall-clock time of this count.
    pub time: Duration,
}

/// The result of one count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnitResult {
    /// The suite and our generator agree.
    Agrees,
    /// The suite's count is wrong.
    Differs {
        /// The count of our generator.
        counted: u64,
        /// The count of the second, independent generator, if the tree is small enough for it.
        oracle: Option<u64>,
    },
    /// The count cannot be made: it exceeds 64 bits, so that the suite's cannot be right, or it is
    /// too deep.
    Uncountable(CountError),
}
