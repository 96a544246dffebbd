//! Running test positions on engines.
//!
//! A record's [`goal`] says what it asks; [`plan`] selects positions and limits; [`driver`] runs
//! the engines; [`score`] judges a search; [`ledger`] keeps the results of an engine; [`baseline`]
//! compares them with saved ones by the tests of [`statistics`]; [`verdict`] gives the exit code.
//! Only [`driver`] starts processes and reads the clock.

#[cfg(feature = "cli")]
pub(crate) mod baseline;
#[cfg(feature = "cli")]
pub(crate) mod driver;
pub(crate) mod goal;
#[cfg(feature = "cli")]
pub(crate) mod ledger;
#[cfg(feature = "cli")]
pub(crate) mod plan;
#[cfg(feature = "cli")]
pub(crate) mod score;
#[cfg(feature = "cli")]
pub(crate) mod statistics;
#[cfg(feature = "cli")]
pub(crate) mod verdict;

#[cfg(all(test, feature = "cli"))]
mod tests;
