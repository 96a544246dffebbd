//! Aggregation of answers by Dawid and Skene's model. Pure: no I/O, no clock, no randomness; only `libm`, so that every
//! machine computes the same digits. `docs/crowd-trust.md` has the formulas.

mod em;
pub mod moves;
#[cfg(test)]
mod reference;
