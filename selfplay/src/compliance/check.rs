//! What a check is, and what can come of it.

use uci::EngineError;

use super::talk::Talk;

/// How much a failure matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// UCI demands it, and a match breaks or is bent without it.
    Required,
    /// A sound engine does it; a match can be played without it.
    Recommended,
}

impl Level {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Recommended => "recommended",
        }
    }
}

/// What must have passed before a check makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needs {
    /// Nothing.
    Nothing,
    /// `uciok` has come.
    Uci,
    /// A search has been answered.
    Search,
}

/// One check.
#[derive(Debug)]
pub struct Check {
    /// Its name, for the command line.
    pub name: &'static str,
    /// How much a failure matters.
    pub level: Level,
    /// What a sound engine does.
    pub asks: &'static str,
    /// Why it matters.
    pub why: &'static str,
    pub(super) needs: Needs,
    pub(super) run: fn(&mut Talk<'_>) -> Finding,
}

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
    /// The work was called off.
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
