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

/// When a check is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Before all others, which depend on it.
    First,
    /// Beside others: it waits most of the time, and does not care how long an answer takes.
    Together,
    /// Alone, since it measures time.
    Alone,
}

/// Checks of one topic.
#[derive(Debug)]
pub(crate) struct Group {
    pub name: &'static str,
    pub checks: &'static [Check],
}

#[derive(Debug)]
pub(crate) struct Check {
    pub name: &'static str,
    pub level: Level,
    pub asks: &'static str,
    pub why: &'static str,
    pub(super) needs: Needs,
    pub(super) turn: Turn,
    /// A check whose success implies that of this one, which then need not be run.
    pub(super) follows_from: Option<&'static str>,
    pub(super) run: fn(&mut Dialogue<'_>) -> Finding,
}
