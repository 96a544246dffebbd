//! The possible results of a check.

use uci::EngineError;

/// The result of a check: passed, or an objection.
pub(super) type Finding = Result<(), Objection>;

/// Why a check has not passed.
#[derive(Debug)]
pub(super) enum Objection {
    /// The engine is at fault.
    Fault(String),
    /// The check does not apply to this engine.
    NotApplicable(String),
    /// The user made an impossible request.
    Misuse(String),
    /// The work was cancelled.
    Cancelled,
}

impl From<EngineError> for Objection {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Cancelled => Self::Cancelled,
            _ => Self::Fault(error.to_string()),
        }
    }
}

/// Returns a fault unless `is_right`.
pub(super) fn demand(is_right: bool, otherwise: impl FnOnce() -> String) -> Finding {
    if is_right {
        Ok(())
    } else {
        Err(Objection::Fault(otherwise()))
    }
}

/// Returns [`Objection::NotApplicable`] unless `is_so`.
pub(super) fn only_if(is_so: bool, otherwise: &str) -> Finding {
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

/// Converts a list of faults to a finding.
pub(super) fn no_faults(faults: &[String]) -> Finding {
    demand(faults.is_empty(), || faults.join("; "))
}
