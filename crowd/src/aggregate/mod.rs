//! What labels come to: the share of votes, or Dawid and Skene's model by expectation-maximisation.
//!
//! `docs/crowd-aggregation.md` has the formulas and where they come from. The numbers are those of the Python
//! library crowd-kit to 1e-9, which `tests/aggregate_agrees.rs` holds them to. Pure: no I/O, no clock, no
//! chance; `libm` only, so that every machine gives the same digits. Every loop has a cap, and what there is
//! at the cap is the result.

/// Probabilities are held off zero by so much before their logarithm is taken, as crowd-kit does.
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
