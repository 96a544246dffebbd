//! Why something about tests was not done.

use selfplay::lab::spec::SpecFault;
use web::problem::Problem;

use crate::problem::{BAD_VALUE, FORBIDDEN, NAME_TAKEN, NO_JOB, OTHER_STATE, TOO_MANY};
use crate::store::LabDatabaseError;
use crate::store::work::WorkError;

/// For how long a preparation that failed is tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// Not at all: nothing that the test is made of can change.
    Never,
    /// For an hour: somebody may be about to push a commit.
    Hour,
    /// For a day: a repository cannot be reached.
    Day,
    /// Without end: people or the database are waited for.
    Always,
}

impl Retry {
    /// Number of attempts: those after the first minutes come every 256 s.
    pub(super) const fn most(self) -> i32 {
        match self {
            Self::Never => 0,
            // 6 pauses of 252 s together, then 14 of 256 s.
            Self::Hour => 20,
            // 6 pauses of 252 s together, then 334 of 256 s: 23.8 hours.
            Self::Day => 340,
            Self::Always => i32::MAX,
        }
    }
}

/// Why something about tests was not done.
#[derive(Debug, thiserror::Error)]
pub enum ConductError {
    /// The test has faults: all of them.
    #[error("{}", faults(.0))]
    Spec(Vec<SpecFault>),
    /// There is no such test.
    #[error("there is no test '{0}'")]
    NoTest(String),
    /// There is no such repository.
    #[error("there is no repository '{0}'")]
    NoRepository(String),
    /// Another repository has the name.
    #[error("there is a repository '{0}' already")]
    NameTaken(String),
    /// The account may not do this.
    #[error("{0}")]
    Denied(String),
    /// The test is not in a state for this.
    #[error("the test is {state}: {expected}")]
    State {
        /// Its state.
        state: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A limit is reached.
    #[error("{0}")]
    TooMany(String),
    /// The preparation failed, perhaps only for now.
    #[error("{reason}")]
    Prepare {
        /// What happened.
        reason: String,
        /// For how long other attempts may succeed.
        retry: Retry,
    },
    /// Another server conducts the test now.
    #[error("another server conducts the test")]
    TakenOver,
    /// The queue rejected a call.
    #[error(transparent)]
    Work(#[from] WorkError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] LabDatabaseError),
}

fn faults(faults: &[SpecFault]) -> String {
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    faults.join("; ")
}

impl From<sqlx::Error> for ConductError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

impl ConductError {
    /// A failure of the preparation that a retry does not fix.
    #[expect(clippy::needless_pass_by_value, reason = "errors are mapped with it")]
    pub(crate) fn prepare(reason: impl ToString) -> Self {
        let (reason, retry) = (reason.to_string(), Retry::Never);
        Self::Prepare { reason, retry }
    }

    /// For how long other attempts may succeed.
    pub fn retry(&self) -> Retry {
        match self {
            Self::Prepare { retry, .. } => *retry,
            error if error.is_passing() => Retry::Always,
            _ => Retry::Never,
        }
    }

    /// Whether a retry may succeed.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Prepare { retry, .. } => *retry != Retry::Never,
            Self::Work(error) => error.is_passing(),
            Self::Store(error) => error.is_passing(),
            _ => false,
        }
    }
}

impl From<ConductError> for Problem {
    fn from(error: ConductError) -> Self {
        let detail = error.to_string();
        match error {
            ConductError::Spec(faults) => {
                let faults = serde_json::to_value(faults).unwrap_or_default();
                Self::new(BAD_VALUE, detail).with("faults", faults)
            }
            ConductError::NoTest(_) | ConductError::NoRepository(_) => Self::new(NO_JOB, detail),
            ConductError::NameTaken(_) => Self::new(NAME_TAKEN, detail),
            ConductError::State { .. } => Self::new(OTHER_STATE, detail),
            ConductError::Denied(_) => Self::new(FORBIDDEN, detail),
            ConductError::TooMany(_) => Self::new(TOO_MANY, detail),
            ConductError::Store(error) | ConductError::Work(WorkError::Store(error)) => {
                error.into()
            }
            error @ (ConductError::Prepare { .. }
            | ConductError::TakenOver
            | ConductError::Work(_)) => Self::internal(&error),
        }
    }
}
