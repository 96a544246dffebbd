//! What happens while counting: plain values, sent from the workers to the one loop that owns the
//! state of the run.

use std::time::Duration;

use chess::perft::CountError;

/// One count of a suite has been tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitDone {
    /// Which unit of the plan.
    pub unit: usize,
    /// What came of it.
    pub result: UnitResult,
    /// How long it took.
    pub time: Duration,
}

/// What came of one count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnitResult {
    /// The suite and our generator agree.
    Agrees,
    /// They do not.
    Differs {
        /// What our generator counts.
        counted: u64,
        /// What the second, independent generator counts, where the tree is small enough for it.
        oracle: Option<u64>,
    },
    /// The count cannot be made: it does not fit 64 bits, so that the suite's cannot be right, or
    /// it is too deep.
    Uncountable(CountError),
}
