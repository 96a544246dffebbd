//! Running test positions on engines.
//!
//! A record's [`goal`] says what it asks; [`plan`] selects positions and limits; [`driver`] runs
//! the engines, after [`obedience`] has proved their limits; [`score`] judges a search, with the first lines of [`top`] and every mate of
//! [`claims`] by what is [`known`], and [`judge`] all searches of a position; [`early_stop`] ends a search; [`ledger`]
//! keeps the results of an engine; [`baseline`] compares them with saved ones by the tests of
//! [`statistics`]; [`verdict`] gives the exit code. [`groups`], [`curves`] and [`rating`] sum
//! results up. [`puzzle`] reads puzzles of several moves. [`journal`] is the text from which an
//! interrupted run resumes, with results as [`wire`] writes them. Only [`driver`] starts processes,
//! and only it and [`obedience`] read the clock.

pub(crate) mod baseline;
pub(crate) mod claims;
pub(crate) mod curves;
pub(crate) mod driver;
pub(crate) mod early_stop;
pub(crate) mod goal;
pub(crate) mod groups;
pub(crate) mod journal;
pub(crate) mod judge;
pub(crate) mod known;
pub(crate) mod ledger;
mod moment;
pub(crate) mod obedience;
pub(crate) mod plan;
pub(crate) mod puzzle;
pub(crate) mod rating;
pub(crate) mod score;
pub(crate) mod statistics;
mod top;
pub(crate) mod verdict;
pub(crate) mod wire;

#[cfg(test)]
mod tests;
