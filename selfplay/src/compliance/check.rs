//! What a check is.

use super::finding::Finding;
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
