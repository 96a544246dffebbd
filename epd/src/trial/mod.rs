//! Engines on suites: what is asked ([`case`], [`limits`]), what came of it ([`ledger`]), and
//! what it amounts to ([`verdict`]).
//!
//! Values in, values out; `crate::run` does the asking.

pub mod case;
pub mod ledger;
pub mod limits;
#[cfg(test)]
mod tests;
pub mod verdict;
