//! Aggregation of labels: vote shares, or a model fitted by expectation-maximisation: Dawid and
//! Skene's, with one coin per worker or a confusion matrix.
//!
//! `docs/crowd-trust.md` has the formulas and sources. The results match the Python library
//! crowd-kit to 1e-9, which `tests/it/aggregate_agrees.rs` verifies. Pure: no I/O, no clock, no
//! randomness; only `libm`, so that every machine computes the same digits. Every loop has a cap
//! and returns its current state there.

mod em;
pub mod moves;
mod named;
#[cfg(test)]
mod reference;

pub use em::{EmSettings, RowMatrix};
pub use named::{Aggregated, Method, TooLargeError, aggregate};
