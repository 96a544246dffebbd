//! A count as work for many machines.
//!
//! The units of a count become a job of a lab ([`job`], [`lab`], pure). Workers lease them in chunks, count them
//! ([`chunk`]) and submit the results ([`task`]), which the lab sums up ([`results`], pure).

mod chunk;
#[cfg(test)]
mod faulty_broker;
pub(crate) mod job;
pub mod lab;
pub(crate) mod results;
pub mod task;
#[cfg(test)]
mod tests;
