//! `perft count --fleet URL`: a count on many machines.
//!
//! The units of a count become a job at a broker ([`job`], pure). Workers lease them in chunks,
//! count them ([`chunk`]) and submit the results ([`task`]). The process that posted the job
//! follows it ([`follow`]) and sums up the results ([`results`], pure); what no second worker checked,
//! it checks itself ([`recount`]). Neither side keeps state of its own: each may crash at any moment.

mod chunk;
#[cfg(all(test, feature = "fleet"))]
mod faulty_broker;
#[cfg(feature = "fleet")]
pub(crate) mod follow;
pub(crate) mod job;
pub mod lab;
#[cfg(feature = "fleet")]
pub(crate) mod recount;
pub(crate) mod results;
pub mod task;
#[cfg(all(test, feature = "fleet"))]
mod tests;

#[cfg(feature = "fleet")]
#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}
