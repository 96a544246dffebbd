use rand::rngs::SysError;

use crate::store::StoreError;

/// A failure that is no fault of the person who asked.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system.
    #[error("the system gave no random bytes")]
    Random(#[from] SysError),
    /// Work in the background ended early.
    #[error("the work in the background ended early: {0}")]
    Background(String),
}

/// Why no position is given.
#[derive(Debug, thiserror::Error)]
pub enum AssignError {
    /// The person has had all there are in that mode.
    #[error("there is no position left for you in this mode")]
    NothingLeft,
    /// No such campaign.
    #[error("there is no campaign '{0}'")]
    UnknownCampaign(String),
    /// Something failed.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

/// Why a token opens nothing.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// No assignment has it.
    #[error("there is no such assignment")]
    Unknown,
    /// It was given to someone else.
    #[error("this assignment was given to someone else")]
    NotYours,
    /// Something failed.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

/// Why events are not taken.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// No assignment has the token.
    #[error("there is no such assignment")]
    Unknown,
    /// It was given to someone else.
    #[error("this assignment was given to someone else")]
    NotYours,
    /// Its time is over.
    #[error("the time for this assignment is over")]
    Expired,
    /// It was finished or given back.
    #[error("this assignment is finished and takes no more events")]
    Frozen,
    /// Events are missing before these.
    #[error("event {expected} is expected next")]
    Gap {
        /// The number that is expected.
        expected: u32,
    },
    /// An event of that number is there and is another one.
    #[error("event {seq} is there already and differs")]
    Conflict {
        /// Its number.
        seq: u32,
    },
    /// Plainly no move of this diagram, or not one of the questions.
    #[error("event {seq}: {reason}")]
    Move {
        /// The event.
        seq: u32,
        /// What is wrong with its move.
        reason: String,
    },
    /// The numbers of events begin at 1 and rise by 1, and the count is that of all of them.
    #[error("{0}")]
    Numbers(String),
    /// More events than a list may have.
    #[error("a list has at most {most} events")]
    TooMany {
        /// The most.
        most: u32,
    },
    /// Something failed.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

/// Why an item of the queue is not decided.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// No such item.
    #[error("there is no item {0} in the queue")]
    Unknown(i64),
    /// Someone has decided it before.
    #[error("item {0} is decided already")]
    Decided(i64),
    /// Something failed.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

/// Why a position is not retired.
#[derive(Debug, thiserror::Error)]
pub enum RetireError {
    /// No such position.
    #[error("there is no position {0}")]
    Unknown(i64),
    /// It is closed, gold, or waits in the queue.
    #[error("position {0} is not open; one that waits in the queue is decided there")]
    NotOpen(i64),
    /// Something failed.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

/// Why nothing was imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Some lines are bad; the report names each.
    #[error("{} of the lines cannot be taken; nothing was imported", .0.problems.len())]
    BadLines(super::ImportReport),
    /// There is no position in the text.
    #[error("there is no position in the text")]
    Empty,
    /// The name of the campaign.
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
