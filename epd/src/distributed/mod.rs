//! Searches as work for many machines.
//!
//! The searches of an engine become a job of a lab ([`protocol`], pure). Workers lease them in chunks, run the engine
//! and submit what it reported ([`task`]). Who has the suite judges the results by its goals.

pub(crate) mod protocol;
pub mod task;
#[cfg(all(test, unix))]
mod tests;
