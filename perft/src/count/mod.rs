//! Counting one position. [`run`] counts on the threads of this machine: the leaf nodes of the whole
//! tree, unique positions ply by ply, or the [`units`] missing from a [`journal`]. [`distributed`]
//! counts units on many machines. [`subject`] is anything else that counts: engines and mutants.
//!
//! Deliberately absent: suites, verdicts on engines, output formats.

#[cfg(feature = "cli")]
pub(crate) mod bench;
#[cfg(feature = "task")]
pub(crate) mod distributed;
pub mod journal;
pub(crate) mod result;
pub(crate) mod run;
pub mod subject;
pub(crate) mod units;
