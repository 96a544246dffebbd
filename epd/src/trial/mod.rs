//! Running suites on engines: the plan ([`case`], [`limits`]) and the results ([`ledger`]).
//! `crate::verdict` judges the results.
//!
//! Pure; `crate::run` drives the engines.

pub mod case;
pub mod ledger;
pub mod limits;
#[cfg(test)]
mod tests;
