//! Engines on suites: what is asked ([`case`], [`limits`]), what came of it ([`ledger`]).
//! `crate::verdict` says what it amounts to.
//!
//! Values in, values out; `crate::run` does the asking.

pub mod case;
pub mod ledger;
pub mod limits;
#[cfg(test)]
mod tests;
