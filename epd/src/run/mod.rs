//! Running test positions on engines.
//!
//! A record's [`goal`] says what it asks; [`plan`] selects positions and limits; [`driver`] runs
//! the engines; [`score`] judges a search, and
//! [`claims`] every mate that it announces; [`ledger`] keeps the results of an engine; [`baseline`]
//! compares them with saved ones by the tests of [`statistics`]; [`verdict`] gives the exit code.
//! [`groups`], [`curves`] and [`rating`] sum results up. Only [`driver`] starts processes and reads the clock.

pub(crate) mod baseline;
pub(crate) mod claims;
pub(crate) mod curves;
pub(crate) mod driver;
pub(crate) mod goal;
pub(crate) mod groups;
pub(crate) mod ledger;
pub(crate) mod plan;
pub(crate) mod rating;
pub(crate) mod score;
pub(crate) mod statistics;
pub(crate) mod verdict;

#[cfg(test)]
mod tests;
