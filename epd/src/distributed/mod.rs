//! `epd run --fleet URL`: a suite on many machines.
//!
//! The searches of an engine become a job at a broker ([`protocol`], pure). Workers lease them in
//! chunks, run the engine and submit what it reported ([`task`]). The process that posted the job
//! waits for it and judges the results by the goals of its own suite ([`post`]). Neither side keeps
//! state of its own: each may crash at any moment.

#[cfg(feature = "fleet")]
pub(crate) mod post;
pub(crate) mod protocol;
pub mod task;
#[cfg(all(test, unix, feature = "fleet"))]
mod tests;
