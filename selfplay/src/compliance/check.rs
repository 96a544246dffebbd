//! The definition of a check.

use super::finding::Finding;
use super::talk::Talk;

/// How much a failure matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// UCI demands it, and a match breaks or is distorted without it.
    Required,
    /// Good engines do it; a match can be played without it.
    Recommended,
}

impl Level {
    /// Name of the level in reports.
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
    /// The check can always run.
    Nothing,
    /// The engine has answered `uciok`.
    Uci,
    /// The engine has answered a search.
    Search,
}

/// A single check of an engine.
#[derive(Debug)]
pub struct Check {
    /// Name on the command line.
    pub name: &'static str,
    /// How much a failure matters.
    pub level: Level,
    /// What a conforming engine does.
    pub asks: &'static str,
    /// Why it matters.
    pub why: &'static str,
    pub(super) needs: Needs,
    pub(super) run: fn(&mut Talk<'_>) -> Finding,
}
