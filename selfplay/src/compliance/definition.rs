//! The definition of a check.

use super::check::CheckFinding;
use super::dialogue::Dialogue;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckLevel {
    /// UCI demands it, and a match breaks or is distorted without it.
    Required,
    /// Good engines do it; a match can be played without it.
    Recommended,
}

impl CheckLevel {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Recommended => "recommended",
        }
    }
}

/// How a check begins, and which of the first checks must have passed before it makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prerequisites {
    Nothing,
    Uci,
    Search,
}

/// When a check is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CheckTurn {
    /// Before all others, which depend on it.
    First,
    /// Beside others: it waits most of the time, and does not care how long an answer takes.
    Together,
    /// Alone, since it measures time.
    Alone,
}

/// Checks of one topic.
#[derive(Debug)]
pub(crate) struct CheckGroup {
    pub name: &'static str,
    pub checks: &'static [Check],
}

#[derive(Debug)]
pub(crate) struct Check {
    pub name: &'static str,
    pub level: CheckLevel,
    pub asks: &'static str,
    pub why: &'static str,
    pub(super) needs: Prerequisites,
    /// More checks without which this one makes no sense: it would fail of the same cause.
    pub(super) after: &'static [&'static str],
    pub(super) turn: CheckTurn,
    /// A check whose success implies that of this one, which then need not be run.
    pub(super) follows_from: Option<&'static str>,
    pub(super) run: fn(&mut Dialogue<'_>) -> CheckFinding,
}

/// What every search depends on, in this order: an engine that does not do this does little else.
const FIRST: [&str; 5] = [
    "uci",
    "isready",
    "search",
    "one-write",
    "last-position-counts",
];

impl Check {
    /// The checks whose failure makes this one senseless.
    pub(super) fn needed(&self) -> impl Iterator<Item = &'static str> {
        let first = match self.needs {
            Prerequisites::Nothing => &FIRST[..0],
            Prerequisites::Uci => &FIRST[..1],
            Prerequisites::Search => &FIRST[..],
        };
        // One of the first checks needs only those before it; otherwise it would need itself.
        let before = first.iter().take_while(|name| **name != self.name);
        before.chain(self.after).copied()
    }
}
