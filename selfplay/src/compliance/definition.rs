//! The definition of a check.

use super::check::Finding;
use super::dialogue::Dialogue;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// UCI demands it, and a match breaks or is distorted without it.
    Required,
    /// Good engines do it; a match can be played without it.
    Recommended,
}

impl Level {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Recommended => "recommended",
        }
    }
}

/// What must have passed before a check makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needs {
    Nothing,
    Uci,
    Search,
}

#[derive(Debug)]
pub(crate) struct Check {
    pub name: &'static str,
    pub level: Level,
    pub asks: &'static str,
    pub why: &'static str,
    pub(super) needs: Needs,
    pub(super) run: fn(&mut Dialogue<'_>) -> Finding,
}
