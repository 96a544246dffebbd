//! The result of a hunt, as plain data.

use chess::perft::CountError;

use super::fault::Fault;
use super::question::Question;
use crate::subject::Route;

/// The result of a hunt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The question with which the hunt began.
    pub asked: Question,
    /// All moves from there to the first position that is wrong by itself.
    pub path: Route,
    /// The shortest question that shows the fault at that position.
    pub found: Question,
    /// The smallest question that shows the fault.
    pub shown: Question,
    /// The fault at the position shown.
    pub fault: Fault,
    /// The counts there, ours and the subject's.
    pub counts: Counts,
    /// Number of questions asked.
    pub questions: u32,
    /// Whether the mailbox generator lists the same moves there as we do. If not, our own
    /// generators are in doubt, not the subject.
    pub oracle_agrees: bool,
    /// Whether the hunt ran to completion.
    pub end: End,
}

/// The correct count and the subject's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Our count.
    pub ours: u64,
    /// The subject's count; `None` if it gave none.
    pub theirs: Option<u64>,
}

/// Why a hunt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing is left to try.
    Complete,
    /// The limit on questions was reached.
    Questions,
    /// The limit on timeouts was reached.
    Timeouts,
    /// The user ended the run.
    Cancelled,
}

impl End {
    /// A stable word for machine-readable output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Questions => "questions",
            Self::Timeouts => "timeouts",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Why a hunt found nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HuntError {
    /// We cannot count that far ourselves.
    #[error("cannot tell what is right: {0}")]
    Uncountable(#[from] CountError),
    /// Asking ended before the first answer.
    #[error("the hunt ended before the first answer ({})", .0.as_str())]
    Unanswered(End),
}
