//! Aggregation of labels: vote shares, or Dawid and Skene's model fitted by
//! expectation-maximisation.
//!
//! `docs/crowd-aggregation.md` has the formulas and sources. The results match the Python library
//! crowd-kit to 1e-9, which `tests/it/aggregate_agrees.rs` verifies. Pure: no I/O, no clock, no
//! randomness; only `libm`, so that every machine computes the same digits. Every loop has a cap
//! and returns its current state there.

/// Floor of probabilities before their logarithm is taken, as in crowd-kit.
const EPSILON: f64 = 1e-10;

mod confusion;
mod em;
mod majority;
mod method;
pub mod moves;
mod named;
#[cfg(test)]
mod reference;
mod rows;
mod votes;

pub use method::{Method, Settings};
pub use named::{Aggregated, TooLargeError, WorkerQuality, aggregate};
pub use rows::Rows;
