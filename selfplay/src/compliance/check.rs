//! The result of a check, and the engine that is checked.

use std::time::Duration;

use uci::{EngineError, Start};

/// The result of a check: passed, or an objection.
pub(super) type CheckFinding = Result<(), Objection>;

#[derive(Debug)]
pub(super) enum Objection {
    Fault(String),
    /// A fault: an answer did not come in time.
    Unanswered(String),
    /// A fault of a cause that shows in other checks as well.
    Symptom(CommonCause, String),
    /// The check does not apply to this engine.
    NotApplicable(String),
    /// The engine lacks an option that the user wants to set.
    NoOption(String),
    Cancelled,
}

/// A cause that can fail checks which do not need each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommonCause {
    /// A search that is ended before it has reported anything gives no legal move.
    NoMoveYet,
    /// Whatever comes during a search is taken for `stop`, and lost.
    LineTakenForStop,
    /// No `go` without a clock is answered.
    ClockOnly,
}

impl CommonCause {
    /// The check that is about it.
    pub(super) const fn check(self) -> &'static str {
        match self {
            Self::NoMoveYet => "immediate-stop",
            Self::LineTakenForStop => "isready-in-search",
            Self::ClockOnly => "go-depth",
        }
    }
}

impl From<EngineError> for Objection {
    fn from(error: EngineError) -> Self {
        match error {
            // The user has ended the run: nothing is known about the engine.
            EngineError::Cancelled => Self::Cancelled,
            _ => Self::Fault(error.to_string()),
        }
    }
}

/// Returns a fault unless `is_right`.
pub(super) fn demand(is_right: bool, otherwise: impl FnOnce() -> String) -> CheckFinding {
    if is_right {
        Ok(())
    } else {
        Err(Objection::Fault(otherwise()))
    }
}

pub(super) fn only_if(is_so: bool, otherwise: &str) -> CheckFinding {
    if is_so {
        Ok(())
    } else {
        Err(Objection::NotApplicable(otherwise.to_owned()))
    }
}

/// Converts an error text to a fault.
pub(super) fn finding<T>(judged: Result<T, String>) -> Result<T, Objection> {
    judged.map_err(Objection::Fault)
}

pub(super) fn no_faults(faults: &[String]) -> CheckFinding {
    demand(faults.is_empty(), || faults.join("; "))
}

// The engine under test.

/// The engine under test, and the settings of its checks.
#[derive(Clone, Debug)]
pub(crate) struct CheckedEngine {
    /// Its options are set in each process.
    pub start: Start,
    pub patience: Patience,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Patience {
    /// Maximum time for any answer.
    pub answer: Duration,
    /// Allowed delay of an answer beyond its time limit, by the wall clock of this program.
    pub margin: Duration,
}
