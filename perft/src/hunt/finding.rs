//! What a hunt has found, as plain data.

use chess::perft::CountError;

use super::fault::Fault;
use super::question::Question;
use crate::subject::Route;

/// What a hunt has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The question with which the hunt began.
    pub asked: Question,
    /// From there, through all moves, to the first position that is wrong by itself.
    pub path: Route,
    /// The shortest question that shows the fault at that position.
    pub found: Question,
    /// The smallest question that shows the fault.
    pub shown: Question,
    /// What is wrong there.
    pub fault: Fault,
    /// The counts there.
    pub counts: Counts,
    /// How many questions were put.
    pub questions: u32,
    /// Whether the mailbox generator lists the same moves there as we do. When not, we are in
    /// doubt, not the subject.
    pub oracle_agrees: bool,
    /// Whether the hunt came to its own end.
    pub end: End,
}

/// The truth and what the subject says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// What we count.
    pub ours: u64,
    /// What the subject counts; `None` when it gave no count.
    pub theirs: Option<u64>,
}

/// Why a hunt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing is left to try.
    Complete,
    /// As many questions were put as were allowed.
    Questions,
    /// As many questions stayed without an answer as were allowed.
    Timeouts,
    /// The user ended the run.
    Cancelled,
}

impl End {
    /// A stable word for it.
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
    /// We cannot count so far ourselves.
    #[error("cannot tell what is right: {0}")]
    Uncountable(#[from] CountError),
    /// It ended before the first answer.
    #[error("the hunt ended before the first answer ({})", .0.as_str())]
    Unanswered(End),
}
