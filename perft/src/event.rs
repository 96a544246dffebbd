//! What happens while the counts of suites are checked: plain values, sent from the threads to the one
//! loop that owns the state of the run.

use std::time::Duration;

use chess::perft::CountError;

/// One count of a suite is finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SuiteCountDone {
    /// Index of the count in the plan.
    pub(crate) index: usize,
    pub(crate) result: SuiteCountResult,
    /// Wall-clock time of this count.
    pub(crate) time: Duration,
}

/// Whether a count of a suite is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SuiteCountResult {
    Agrees,
    Differs {
        counted: u64,
        /// The count of the second, independent generator, if the tree is small enough for it.
        oracle: Option<u64>,
    },
    /// The count exceeds 64 bits, so that the suite's cannot be right, or it is too deep.
    Uncountable(CountError),
}
