//! What can come of a check.

use uci::EngineError;

/// What a check finds: nothing to object to, or why not.
pub(super) type Finding = Result<(), Objection>;

/// Why a check has not passed.
#[derive(Debug)]
pub(super) enum Objection {
    /// The engine has done wrong.
    Fault(String),
    /// The check is not about this engine.
    NotApplicable(String),
    /// The user has asked for what cannot be.
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

/// A fault, unless `is_right`.
pub(super) fn demand(is_right: bool, otherwise: impl FnOnce() -> String) -> Finding {
    if is_right {
        Ok(())
    } else {
        Err(Objection::Fault(otherwise()))
    }
}

/// The check is not about this engine, unless `is_so`.
pub(super) fn only_if(is_so: bool, otherwise: &str) -> Finding {
    if is_so {
        Ok(())
    } else {
        Err(Objection::NotApplicable(otherwise.to_owned()))
    }
}

/// A judgement as a finding.
pub(super) fn finding<T>(judged: Result<T, String>) -> Result<T, Objection> {
    judged.map_err(Objection::Fault)
}

/// A list of faults as a finding.
pub(super) fn no_faults(faults: &[String]) -> Finding {
    demand(faults.is_empty(), || faults.join("; "))
}
