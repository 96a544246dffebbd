//! Running test positions on engines.
//!
//! In the order of a run: a record's [`goal`] says what it asks; [`plan`] selects positions and limits;
//! [`driver`] runs the engines; [`score`] judges what they report of a search; [`ledger`] keeps the results of
//! an engine; [`baseline`] compares them with saved ones by the tests of [`statistics`]; [`verdict`] gives
//! the exit code.
//!
//! Besides: [`claims`] judges every mate that is announced by what is [`known`]; [`groups`] and [`rating`]
//! sum results up; [`puzzle`] reads puzzles of several moves; [`journal`] is the text from which
//! an interrupted run resumes, with results as [`wire`] writes them. Only [`driver`] starts processes and
//! reads the clock.

pub(crate) mod baseline;
pub(crate) mod claims;
pub(crate) mod driver;
pub(crate) mod goal;
pub(crate) mod groups;
pub(crate) mod journal;
pub(crate) mod known;
pub(crate) mod ledger;
pub(crate) mod plan;
pub(crate) mod puzzle;
pub(crate) mod rating;
pub(crate) mod score;
pub(crate) mod statistics;
pub(crate) mod verdict;
pub(crate) mod wire;

#[cfg(test)]
mod tests;
