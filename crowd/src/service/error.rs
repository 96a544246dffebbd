use rand::rngs::SysError;

use crate::store::StoreError;

/// A failure that the client is not responsible for.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system failed to provide random bytes.
    #[error("the system gave no random bytes")]
    Random(#[from] SysError),
    /// A background task failed.
    #[error("the work in the background ended early: {0}")]
    Background(String),
}

/// Why no position is assigned.
#[derive(Debug, thiserror::Error)]
pub enum AssignError {
    /// The contributor has had every position in that mode.
    #[error("there is no position left for you in this mode")]
    NothingLeft,
    /// There is no such campaign.
    #[error("there is no campaign '{0}'")]
    UnknownCampaign(String),
    /// Something failed.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

/// Why a token is rejected.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// There is no such assignment.
    #[error("there is no such assignment")]
    Unknown,
    /// It belongs to another contributor.
    #[error("this assignment was given to someone else")]
    NotYours,
    /// Something failed.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

/// Why events are rejected.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// There is no such assignment.
    #[error("there is no such assignment")]
    Unknown,
    /// It belongs to another contributor.
    #[error("this assignment was given to someone else")]
    NotYours,
    /// The assignment's time is over.
    #[error("the time for this assignment is over")]
    Expired,
    /// It was already finished or returned.
    #[error("this assignment is finished and takes no more events")]
    Frozen,
    /// Events are missing before these.
    #[error("event {expected} is expected next")]
    Gap {
        /// The sequence number that is expected.
        expected: u32,
    },
    /// A different event with that number already exists.
    #[error("event {seq} is there already and differs")]
    Conflict {
        /// Its sequence number.
        seq: u32,
    },
    /// Not a possible move in this diagram, or not one of the questions.
    #[error("event {seq}: {reason}")]
    Move {
        /// The sequence number of the event.
        seq: u32,
        /// What is wrong with its move.
        reason: String,
    },
    /// Sequence numbers do not begin at 1 or do not rise by 1, or the count is not that of all
    /// events.
    #[error("{0}")]
    Numbers(String),
    /// More events than a list may have.
    #[error("a list has at most {most} events")]
    TooMany {
        /// The maximum.
        most: u32,
    },
    /// Something failed.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

/// Why a queue item cannot be resolved.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// There is no such item.
    #[error("there is no item {0} in the queue")]
    Unknown(i64),
    /// It has already been resolved.
    #[error("item {0} is decided already")]
    Decided(i64),
    /// Something failed.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

/// Why a position cannot be retired.
#[derive(Debug, thiserror::Error)]
pub enum RetireError {
    /// There is no such position.
    #[error("there is no position {0}")]
    Unknown(i64),
    /// It is closed, gold, or in the queue.
    #[error("position {0} is not open; one that waits in the queue is decided there")]
    NotOpen(i64),
    /// Something failed.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

/// Why nothing was imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Some lines are invalid; the report lists them.
    #[error("{} of the lines cannot be taken; nothing was imported", .0.problems.len())]
    BadLines(super::ImportReport),
    /// The text has no position.
    #[error("there is no position in the text")]
    Empty,
    /// The name of the campaign is invalid.
    #[error(
        "'{0}' is no name of a campaign: 1 to 40 small letters, digits and hyphens are expected"
    )]
    CampaignName(String),
    /// Something failed.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

macro_rules! from_store {
    ($($error:ty),+) => {$(
        impl From<StoreError> for $error {
            fn from(error: StoreError) -> Self {
                Self::Service(ServiceError::Store(error))
            }
        }
    )+};
}

from_store!(
    AssignError,
    TokenError,
    RecordError,
    ResolveError,
    RetireError,
    ImportError
);
